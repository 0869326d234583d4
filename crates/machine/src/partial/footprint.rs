//! Which cells a thread may touch: by its next moves, and ever after.
//!
//! Both depend on the thread's own state only, so they are worked out once for each. The *next* footprint has what decides
//! or follows from a move, guards of regions included, whether the move is enabled or not. The *future* footprint has all
//! that is queued and all that the program may come to. Both may have too much, never too little.

use crate::rules::Rules;
use crate::rules::ahead::Step;
use crate::rules::local::{Local, Mode};
use crate::rules::moves::Move;
use automata::{Access, Action, Address, Automaton, CellId, PointId, RegId, Value, Wide};
use base::Table;
use base::table::Id;

/// Cells read and cells written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Footprint {
    words: Vec<Word>,
}

/// Which of 64 cells are read and which are written, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Word {
    reads: u64,
    writes: u64,
}

impl Footprint {
    fn new(n_cells: usize) -> Self {
        Footprint { words: vec![Word::default(); n_cells.div_ceil(64)] }
    }

    /// Whether one writes what the other reads or writes.
    pub(crate) fn conflicts_with(&self, other: &Footprint) -> bool {
        let conflict =
            |mine: &Word, other: &Word| mine.writes & (other.reads | other.writes) | mine.reads & other.writes;
        self.words.iter().zip(&other.words).any(|(mine, other)| conflict(mine, other) != 0)
    }

    /// Whether it has this cell.
    pub(crate) fn has(&self, cell: CellId) -> bool {
        let word = &self.words[cell.index() / 64];
        (word.reads | word.writes) >> (cell.index() % 64) & 1 == 1
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Word>() * self.words.len()
    }

    fn add(&mut self, other: &Footprint) {
        for (mine, other) in self.words.iter_mut().zip(&other.words) {
            mine.reads |= other.reads;
            mine.writes |= other.writes;
        }
    }

    fn add_cell(&mut self, access: &Access, cell: CellId) {
        let (word, bit) = (&mut self.words[cell.index() / 64], 1 << (cell.index() % 64));
        // A store-conditional reads the reservation.
        if access.op.is_read() || access.dst.is_some() {
            word.reads |= bit;
        }
        if access.op.is_write() {
            word.writes |= bit;
        }
    }

    fn add_access(&mut self, access: &Access, known: &mut impl FnMut(&RegId) -> Option<Value>) {
        for cell in cells(&access.address, known) {
            self.add_cell(access, cell);
        }
    }
}

/// All cells that `address` may mean, given the registers whose values are known.
pub(crate) fn cells(address: &Address, known: &mut impl FnMut(&RegId) -> Option<Value>) -> Vec<CellId> {
    let mut cells = vec![address.base.index()];
    for term in &address.terms {
        let indices = match term.index.eval(known) {
            Some(index) => index..index.saturating_add(1),
            None => 0..Wide::from(term.count),
        };
        let inside = indices.filter(|index| *index >= 0 && *index < Wide::from(term.count));
        let steps: Vec<usize> = inside.map(|index| index as usize * term.stride as usize).collect();
        cells = cells.iter().flat_map(|cell| steps.iter().map(move |step| cell + step)).collect();
    }
    cells.into_iter().map(CellId::new).collect()
}

/// For each point, all that a thread may touch from there on.
pub(crate) fn futures(automaton: &Automaton, n_cells: usize) -> Table<PointId, Footprint> {
    let own = |point: PointId| {
        let mut footprint = Footprint::new(n_cells);
        if let Action::Access(access) = &automaton.points[point].action {
            footprint.add_access(access, &mut |_| None);
        }
        footprint
    };
    let mut futures: Table<PointId, Footprint> = automaton.points.ids().map(own).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for point in automaton.points.ids().rev() {
            let mut future = futures[point].clone();
            automaton.successors(point).into_iter().for_each(|next| future.add(&futures[next]));
            changed |= future != futures[point];
            futures[point] = future;
        }
    }
    futures
}

impl Rules<'_> {
    /// What the next moves of a thread may touch, which are these steps.
    pub(crate) fn next_footprint(&self, local: &Local, steps: &[Step]) -> Footprint {
        let mut footprint = Footprint::new(self.automata.cells.len());
        for step in steps {
            let local = step.local(local);
            match step.a_move {
                Move::Perform(index, cell) | Move::FailConditional(index, cell) => {
                    if let Action::Access(access) = self.code.action(local.queue[index].point) {
                        footprint.add_cell(access, cell);
                    }
                }
                Move::Enter(_) => footprint.add(&self.region_footprint(local)),
                // A region runs in one step: no state is stored inside one.
                Move::Forward(..) | Move::Fence | Move::Safepoint | Move::Proceed | Move::Direct(_) => {}
                // Where there are transactions, no step is put off.
                Move::Track(_) | Move::Commit | Move::Abort(_) | Move::Resume => {}
            }
        }
        footprint
    }

    /// What the region at the thread's point may touch. Registers that it sets are not known beforehand.
    fn region_footprint(&self, local: &Local) -> Footprint {
        let mut points = vec![local.point];
        let mut next = 0;
        while let Some(&point) = points.get(next) {
            next += 1;
            if !matches!(self.code.action(point), Action::Leave) {
                let successors = self.code.automaton.successors(point);
                let new: Vec<_> = successors.into_iter().filter(|p| !points.contains(p)).collect();
                points.extend(new);
            }
        }
        let set: Vec<RegId> = points.iter().filter_map(|point| self.code.action(*point).defines()).collect();
        let mut known = |r: &RegId| if set.contains(r) { None } else { local.register(*r).value() };
        let mut footprint = Footprint::new(self.automata.cells.len());
        for point in points {
            if let Action::Access(access) = self.code.action(point) {
                footprint.add_access(access, &mut known);
            }
        }
        footprint
    }

    /// What a thread may touch now or later.
    pub(crate) fn future_footprint(&self, local: &Local) -> Footprint {
        let mut footprint = Footprint::new(self.automata.cells.len());
        if matches!(local.mode, Mode::Failed(_)) {
            return footprint;
        }
        footprint.add(&self.code.futures[local.point]);
        for entry in &local.queue {
            if let Action::Access(access) = self.code.action(entry.point) {
                footprint.add_access(access, &mut |register| self.operand(entry, *register));
            }
        }
        footprint
    }
}
