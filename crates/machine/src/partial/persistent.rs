//! Partial order: of threads whose moves commute with all that the others may ever do, one group steps first.
//!
//! A *persistent* group of threads is closed: whoever may at any later time touch what the next moves of a member decide
//! on or change is a member too. If the group has a step, and none of its steps changes what a property speaks of, the
//! steps of all other threads may be put off. The argument is in `docs/internals/reductions.md`.

use crate::rules::local::{Local, Mode};
use crate::rules::touch::Watching;
use crate::symmetry::symmetric::Symmetric;
use crate::tabulated::info::Met;
use crate::tabulated::locals::FAILED;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::{OverTables, Tabulated};
use automata::{Action, Automata, Moment, Region, StateExpr, StateLeaf};
use base::table::Id;
use memory::MemoryModel;
use system::{Successors, TransitionSystem};

/// With more threads, no group is looked for.
const MAX_THREADS: usize = 32;

/// Larger groups leave so little out that it is not worth taking their steps in order to see whether they will do.
const LARGEST_GROUP: u32 = 2;

/// A system that can do with the steps of a group of threads.
pub struct Persistent<'a> {
    system: Symmetric<'a>,
    /// What properties speak of, where steps may be put off.
    visible: Option<Visible>,
}

/// What properties speak of.
struct Visible {
    /// The bits of the words of cells.
    cells: Vec<u32>,
    /// By thread.
    threads: Vec<Seen>,
}

/// What properties see of a thread.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Whether it has ended.
    end: bool,
    /// Whether it has operations pending.
    pending: bool,
    /// Which operations.
    queue: bool,
    /// A register or a label.
    all: bool,
}

impl Seen {
    fn distinguishes(self, a: &Local, b: &Local) -> bool {
        let is_halted = |local: &Local| local.mode == Mode::Halted;
        let sees_queue = self.queue && a.queue != b.queue;
        self.all
            || sees_queue
            || self.end && is_halted(a) != is_halted(b)
            || self.pending && a.queue.is_empty() != b.queue.is_empty()
    }
}

/// Whether steps of threads can be put off at all: not where one thread's step asks for the state of others (a stopped
/// world, the bus) or changes it (reservations, loads that went first, transactions), nor where branches are guessed.
fn is_suitable(automata: &Automata, memory: &MemoryModel, watching: Watching) -> bool {
    let stops = |thread: &automata::Thread| {
        let mut actions = thread.automaton.points.values().map(|point| &point.action);
        actions.any(|action| matches!(action, Action::Enter(Region::StopTheWorld | Region::Then | Region::Issued)))
    };
    automata.threads.len() <= MAX_THREADS
        && automata.bus.is_none()
        && memory.speculate == 0
        && memory.histories.is_none()
        && watching == Watching::Nothing
        && !automata.threads.values().any(stops)
}

impl Visible {
    /// What the atoms of a temporal property, invariants and cover properties speak of. (`forbid` speaks of the end, and
    /// every end is found.)
    fn new(tables: &Tabulated<'_>, atoms: &[StateExpr]) -> Self {
        let automata = tables.automata;
        let n_threads = automata.threads.len();
        let mut visible = Visible { cells: vec![0; tables.layout.n_words], threads: vec![Seen::default(); n_threads] };
        let judged = automata.properties.values().filter_map(|property| property.kind.state_property());
        let invariants = judged.filter(|judged| judged.moment == Moment::Always).map(|judged| judged.condition);
        let covers = automata.covers.values().filter_map(|cover| cover.condition.as_ref());
        invariants.chain(covers).chain(atoms).for_each(|condition| visible.add(tables, condition));
        visible
    }

    fn add(&mut self, tables: &Tabulated<'_>, condition: &StateExpr) {
        let automata = tables.automata;
        automata.leaves(condition, &mut |leaf| {
            automata.cells_of(leaf).into_iter().for_each(|cell| self.add_cell(tables, cell.index()));
            match leaf {
                StateLeaf::Register(thread, _) | StateLeaf::At(thread, _) => self.threads[thread.index()].all = true,
                StateLeaf::Ended(thread) => self.threads[thread.index()].end = true,
                StateLeaf::Performed(thread) => self.threads[thread.index()].pending = true,
                StateLeaf::Pending { thread, .. } | StateLeaf::Oldest { thread, .. } => {
                    self.threads[thread.index()].queue = true;
                }
                StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } | StateLeaf::Old(_) => {}
            }
        });
    }

    fn add_cell(&mut self, tables: &Tabulated<'_>, cell: usize) {
        let (word, bits) = tables.layout.slot(automata::CellId::new(cell)).place();
        self.cells[word] |= bits;
    }
}

impl<'a> Persistent<'a> {
    /// Of `system`, the steps that suffice for a property with these atoms, which `has_next` or not.
    pub(crate) fn new(system: Symmetric<'a>, atoms: &[StateExpr], has_next: bool) -> Self {
        let tables = &system.tables;
        let may_put_off = tables.options.reductions.partial_order
            && !has_next
            && is_suitable(tables.automata, tables.memory, tables.watching);
        let visible = may_put_off.then(|| Visible::new(tables, atoms));
        Persistent { system, visible }
    }

    /// Appends the steps of a persistent group of threads, if there is a smaller one than all, else all steps. Whether
    /// steps were left out.
    fn group_steps(&self, visible: &Visible, from: &[u32], scratch: &mut Scratch, out: &mut Successors) -> bool {
        let tables = &self.system.tables;
        let n_threads = tables.table.len();
        let all = u32::MAX >> (MAX_THREADS - n_threads);
        let mut infos = [None; MAX_THREADS];
        (0..n_threads).for_each(|thread| infos[thread] = Some(tables.info(from, thread)));
        let is_certain = !infos.iter().flatten().any(|info| info.local.is_uncertain());
        for seed in (0..n_threads).filter(|_| is_certain) {
            let group = persistent_group(&infos[..n_threads], seed, all);
            if group == all {
                continue;
            }
            self.system.steps_of(from, |thread| group >> thread & 1 == 1, scratch, out);
            if !out.is_empty() && !out.discarded && out.iter().all(|(to, _)| self.is_invisible(visible, from, to)) {
                return true;
            }
            out.clear();
        }
        self.successors(from, scratch, out);
        false
    }

    fn is_invisible(&self, visible: &Visible, from: &[u32], to: &[u32]) -> bool {
        let tables = &self.system.tables;
        let n_words = tables.layout.n_words;
        let same_cells = visible.cells.iter().zip(from.iter().zip(to)).all(|(seen, (a, b))| (a ^ b) & seen == 0);
        same_cells
            && visible.threads.iter().enumerate().all(|(thread, seen)| {
                let (before, after) = (from[n_words + thread], to[n_words + thread]);
                let local = |words| tables.info(words, thread).local;
                before == after || after & FAILED == 0 && !seen.distinguishes(local(from), local(to))
            })
    }
}

/// The least closed group with `seed`, a bit for each thread; `all` if it has no move or is large.
fn persistent_group(infos: &[Option<Met<'_>>], seed: usize, all: u32) -> u32 {
    let mut group = 1u32 << seed;
    let mut unseen = group;
    if infos[seed].is_none_or(|info| info.moves.is_empty()) {
        return all;
    }
    while unseen != 0 {
        if group.count_ones() > LARGEST_GROUP {
            return all;
        }
        let Some(info) = infos[unseen.trailing_zeros() as usize] else { return all };
        unseen &= unseen - 1;
        for (other, its) in infos.iter().enumerate() {
            let joins = group >> other & 1 == 0 && its.is_none_or(|its| info.next.conflicts_with(&its.future));
            group |= u32::from(joins) << other;
            unseen |= u32::from(joins) << other;
        }
    }
    group
}

impl<'a> system::Over for Persistent<'a> {
    type Inner = Symmetric<'a>;

    fn inner(&self) -> &Symmetric<'a> {
        &self.system
    }

    fn sufficient_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) -> bool {
        if let Some(visible) = &self.visible {
            return self.group_steps(visible, from, scratch, out);
        }
        TransitionSystem::successors(self, from, scratch, out);
        false
    }
}

impl OverTables for Persistent<'_> {
    fn tables(&self) -> &Tabulated<'_> {
        &self.system.tables
    }
}
