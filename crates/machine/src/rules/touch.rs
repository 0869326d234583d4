//! What one thread does to the states of others: it takes away reservations, refutes assumptions, aborts transactions.

use crate::rules::Rules;
use crate::rules::evaluate::Resolved;
use crate::rules::local::{Demand, Entry, Local};
use automata::{Action, Automata, CellId, Op};
use memory::{Locks, MemoryModel, SameCellLoads};

/// How a thread touches a cell, as far as that matters to the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Touch {
    /// Reads it.
    Load,
    /// Writes it in a transaction that has not committed: memory does not change yet.
    Claim,
    /// Writes it.
    Store,
}

/// What one thread does that may change another's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Watching {
    /// Nothing.
    Nothing,
    /// Writes: of a reservation, of a load that went first, of what the read of a read-modify-write in two has found.
    Writes,
    /// Reads too: of what a transaction has written.
    Accesses,
}

impl Watching {
    /// What threads do that may change other threads' states.
    pub(crate) fn of(automata: &Automata, memory: &MemoryModel) -> Self {
        let does = |is_it: fn(&Action) -> bool| {
            let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
            points.any(|point| is_it(&point.action))
        };
        let links = |action: &Action| matches!(action, Action::Access(access) if matches!(access.op, Op::LoadLinked));
        let elides = memory.locks == Locks::Elided && does(Action::may_begin_transaction);
        if elides || does(|action| matches!(action, Action::Begin(_))) {
            Watching::Accesses
        } else if memory.same_cell_loads == SameCellLoads::Coherent || memory.splits_rmw() || does(links) {
            Watching::Writes
        } else {
            Watching::Nothing
        }
    }
}

/// What becomes of a thread when another one touches a cell.
pub(crate) enum AfterTouch {
    Unchanged,
    /// A reservation is lost, or a transaction aborted.
    Changed(Local),
    /// A younger load has already seen the value before: this path does not exist.
    Discarded,
}

impl Rules<'_> {
    /// What another thread may do that changes this one's state.
    pub(crate) fn watched(&self, local: &Local) -> Vec<(CellId, Touch)> {
        let demands = |entry: &&Entry| matches!(entry.demand, Demand::SameValue | Demand::Unwritten);
        let demanding = local.queue.iter().filter(demands);
        let cells = demanding.filter_map(|entry| match self.cell(entry) {
            Resolved::Cell(cell) => Some(cell),
            _ => None,
        });
        let ahead = local.queue.iter().flat_map(|entry| &entry.read_ahead);
        let mut cells: Vec<CellId> = cells.chain(ahead.chain(&local.reserved).copied()).collect();
        cells.sort();
        cells.dedup();
        let stored = cells.into_iter().map(|cell| (cell, Touch::Store));
        stored.chain(local.transaction.iter().flat_map(|transaction| transaction.watched())).collect()
    }

    /// What becomes of a thread when another one so touches `cell`.
    pub(crate) fn after_touch(&self, local: &Local, cell: CellId, touch: Touch) -> AfterTouch {
        let aborted = self.after_conflict(local, cell, touch);
        let changed = |aborted: Option<Local>| aborted.map_or(AfterTouch::Unchanged, AfterTouch::Changed);
        if touch != Touch::Store {
            return changed(aborted);
        }
        if self.is_contradicted(&local.queue, cell) {
            return AfterTouch::Discarded;
        }
        if !local.reserved.contains(&cell) && self.reading_ahead(&local.queue, cell).next().is_none() {
            return changed(aborted);
        }
        let mut local = aborted.unwrap_or_else(|| local.clone());
        local.reserved.retain(|c| *c != cell);
        self.keep_from(&mut local, cell);
        AfterTouch::Changed(local)
    }

    /// A store to `cell` comes before loads whose cells are unknown: those that were passed by a load of it must be loads of another.
    pub(crate) fn keep_from(&self, local: &mut Local, cell: CellId) {
        let reading: Vec<usize> = self.reading_ahead(&local.queue, cell).collect();
        reading.into_iter().for_each(|i| local.queue[i].keep_from(cell));
    }

    /// The loads with unknown cells that were passed by a load of `cell`, and would not find the same after a store of another thread.
    fn reading_ahead<'q>(&self, queue: &'q [Entry], cell: CellId) -> impl Iterator<Item = usize> + 'q {
        let n_before = self.first_own(queue, cell).unwrap_or(queue.len());
        (0..n_before).filter(move |i| queue[*i].read_ahead.contains(&cell))
    }

    /// The oldest queued write to `cell`.
    fn first_own(&self, queue: &[Entry], cell: CellId) -> Option<usize> {
        let writes = |entry: &Entry| self.operation(entry).is_some_and(|op| op.writes);
        queue.iter().position(|entry| self.cell(entry) == Resolved::Cell(cell) && writes(entry))
    }

    /// Whether a store of another thread to `cell` comes before something that must still find what was there. While an older own store to the cell
    /// is queued, that is what it finds.
    fn is_contradicted(&self, queue: &[Entry], cell: CellId) -> bool {
        let is_here = |entry: &&Entry| self.cell(entry) == Resolved::Cell(cell);
        let n_before = self.first_own(queue, cell).map_or(queue.len(), |own| own + 1);
        queue[..n_before].iter().filter(is_here).any(|entry| entry.demand == Demand::SameValue)
            || queue.iter().filter(is_here).any(|entry| entry.demand == Demand::Unwritten)
    }
}
