//! What a program can do to histories: which cells have one, and the profile of the program.

use crate::histories::deed::fence;
use crate::partial::footprint::cells;
use automata::{Access, Action, Automata, Automaton, CellId, CellKind, Op, PropertyId, Thread};
use base::Table;
use history::{Histories, Mark, Profile};
use memory::{Fence, HistoryModel, MemoryModel, Order, ReleaseSequence};

/// The cells that have histories, and what the program can do to them.
pub(crate) struct Room {
    pub(crate) profile: Profile,
    /// For each cell, its number among those with a history.
    numbers: Table<CellId, Option<usize>>,
    /// The cells with a history.
    cells: Vec<CellId>,
    /// What races violate; none if that is not asked.
    pub(crate) race: Option<PropertyId>,
}

impl Room {
    /// The room of a program; none if the memory model has no histories.
    pub(crate) fn new(automata: &Automata, memory: &MemoryModel) -> Option<Self> {
        let model = memory.histories?;
        let is_memory = |cell: &CellId| automata.cells[*cell].kind == CellKind::Memory;
        let cells: Vec<CellId> = automata.cells.ids().filter(is_memory).collect();
        let number = |cell: CellId| cells.iter().position(|other| *other == cell);
        let numbers = automata.cells.ids().map(number).collect();
        let race = automata.data_race();
        let mut room = Room { profile: Profile::any(Vec::new(), 0, model.bound), numbers, cells, race };
        room.profile = room.profile(automata, model);
        if race.is_some() {
            room.profile = room.profile.clone().with_accesses(room.kinds(automata));
        }
        Some(room)
    }

    /// The number of `cell` among those with a history.
    pub(crate) fn number(&self, cell: CellId) -> Option<usize> {
        self.numbers[cell]
    }

    /// The state at the start.
    pub(crate) fn start(&self) -> Histories {
        Histories::start(&self.profile)
    }

    /// What shared memory shows of a state: for each cell the value that is last in modification order.
    pub(crate) fn shown(&self, state: &Histories) -> impl Iterator<Item = (CellId, i32)> {
        self.cells.iter().enumerate().map(|(number, cell)| (*cell, state.last(number)))
    }

    fn profile(&self, automata: &Automata, model: HistoryModel) -> Profile {
        let threads = || automata.threads.values().map(|thread| &thread.automaton);
        let any =
            |is_it: fn(&Action) -> bool| threads().flat_map(|a| a.points.values()).any(|point| is_it(&point.action));
        let sc =
            |access: &Access| access.order == Order::SeqCst || is_cas(access) && access.failure_order == Order::SeqCst;
        let continues = |automaton: &Automaton| {
            let released = self.touched(automaton, &|a| a.op.is_write() && a.order.is_release());
            let relaxed = self.touched(automaton, &|a| a.op.is_write() && !a.order.is_release() && !a.is_plain);
            let is_wanted = model.release_sequence == ReleaseSequence::SameThread;
            released.iter().zip(relaxed).map(|(released, relaxed)| *released && relaxed && is_wanted).collect()
        };
        Profile {
            init: self.cells.iter().map(|cell| automata.cells[*cell].init).collect(),
            n_threads: automata.threads.len(),
            has_sc_fences: any(|action| fence(action) == Some(Fence::Full)),
            has_sc_accesses: threads().any(|automaton| self.touched(automaton, &sc).contains(&true)),
            has_acquire_fences: any(|action| matches!(fence(action), Some(Fence::Full | Fence::Acquire))),
            accesses: threads().map(|automaton| self.touched(automaton, &|_| true)).collect(),
            continues: threads().map(continues).collect(),
            bound: model.bound,
            marks: Vec::new(),
        }
    }

    /// The kinds of accesses that threads may have to cells with a history.
    fn kinds(&self, automata: &Automata) -> Vec<Mark> {
        let mut kinds = Vec::new();
        for (thread, Thread { automaton, .. }) in automata.threads.values().enumerate() {
            for (writes, is_plain) in [(false, false), (false, true), (true, false), (true, true)] {
                let may = |access: &Access| {
                    if writes { access.op.is_write() } else { !access.op.is_write() || is_cas(access) }
                };
                let touched = self.touched(automaton, &|access| access.is_plain == is_plain && may(access));
                let cells = touched.iter().enumerate().filter(|(_, is_touched)| **is_touched);
                kinds.extend(cells.map(|(cell, _)| Mark { thread, cell, writes, is_plain }));
            }
        }
        kinds
    }

    /// For each cell with a history, whether an access of `automaton` that `is_it` accepts may be to it.
    fn touched(&self, automaton: &Automaton, is_it: &dyn Fn(&Access) -> bool) -> Vec<bool> {
        let mut touched = vec![false; self.cells.len()];
        for point in automaton.points.values() {
            if let Action::Access(access) = &point.action
                && is_it(access)
            {
                let numbers = cells(&access.address, &mut |_| None).into_iter().filter_map(|cell| self.number(cell));
                numbers.for_each(|number| touched[number] = true);
            }
        }
        touched
    }
}

pub(crate) fn is_cas(access: &Access) -> bool {
    matches!(access.op, Op::Cas { .. })
}
