//! Which queued operations may be performed before which older ones (rules 4.2 to 4.4, 4.8 of the semantics).

use crate::rules::Rules;
use crate::rules::evaluate::Resolved;
use crate::rules::local::{Demand, Entry, Local};
use automata::{Access, Action, CellId, Op, Value};
use memory::{FailedCas, Operation, SameCellLoads};

/// Whether an operation may be performed now.
pub(crate) enum Permission {
    Blocked,
    /// From memory.
    Memory(Overtaken),
    /// With the value of the youngest older store to the same cell.
    Forward(Value, Overtaken),
}

/// Whether the write of `access` is that of a read-modify-write.
fn is_atomic(access: &Access) -> bool {
    access.op.is_read() || matches!(access.op, Op::StoreConditional(_))
}

/// What an operation leaves behind in the entries that it overtakes.
#[derive(Default)]
pub(crate) struct Overtaken {
    /// Entries whose cells are unknown, and must turn out to be others.
    unknown: Vec<usize>,
    /// Loads whose cells are unknown: if they turn out to be the same, they must find the same.
    unknown_loads: Vec<usize>,
    /// Loads and CASs of the same cell.
    same_cell: Vec<(usize, Demand)>,
}

impl Rules<'_> {
    /// Whether the entry at `index`, an operation `op` on `cell`, may be performed before all older
    /// ones. Walks from the youngest older entry to the oldest.
    pub(crate) fn permission(&self, local: &Local, index: usize, cell: CellId, op: Operation) -> Permission {
        let is_load = op.reads && !op.writes;
        let mut fences = Vec::new();
        let mut overtaken = Overtaken::default();
        let mut forwarded = None;
        for (i, older) in local.queue[..index].iter().enumerate().rev() {
            let access = match self.code.action(older.point) {
                Action::Fence(fence) => {
                    fences.push(self.memory.fence(*fence));
                    continue;
                }
                Action::Branch { .. } if op.writes || (op.linked && !self.memory.splits_rmw()) => {
                    return Permission::Blocked;
                }
                Action::Access(_) if op.writes && self.is_branch(older) => return Permission::Blocked,
                Action::Access(access) => access,
                _ => continue,
            };
            let Some(older_op) = self.operation(older) else { continue };
            if self.code.automaton.kept.keeps(older.point, local.queue[index].point)
                || fences.iter().any(|fence| fence.orders(older_op, op))
                || !self.memory.may_overtake(older_op, op)
                || self.waits_for_address(op, older)
            {
                return Permission::Blocked;
            }
            let passed = self.passed_load(op, &access.op, older_op);
            let is_coherent = self.memory.same_cell_loads == SameCellLoads::Coherent;
            match self.cell(older) {
                Resolved::Cell(other) if other != cell => {}
                // What is older than the store that it forwards from is before it anyway.
                Resolved::Cell(_) if forwarded.is_some() && is_coherent => {}
                Resolved::Cell(_) if passed.is_some() => overtaken.same_cell.extend(passed.map(|demand| (i, demand))),
                Resolved::Cell(_) if forwarded.is_some() => {
                    if older_op.reads && self.memory.same_cell_loads == SameCellLoads::Ordered {
                        return Permission::Blocked;
                    }
                }
                Resolved::Cell(_) if is_load => {
                    match self.stored(older, access).filter(|_| !op.acquires() || !is_atomic(access)) {
                        Some(value) => forwarded = Some(value),
                        None => return Permission::Blocked,
                    }
                }
                Resolved::Cell(_) => return Permission::Blocked,
                // No cell at all: it is another one.
                Resolved::Invalid => {}
                Resolved::Unknown => {
                    let shadowed = forwarded.is_some() && (!older_op.reads || is_coherent);
                    match passed {
                        _ if shadowed => {}
                        Some(Demand::Nothing) => {}
                        Some(Demand::SameValue) => overtaken.unknown_loads.push(i),
                        _ => overtaken.unknown.push(i),
                    }
                }
            }
        }
        match forwarded {
            Some(value) => Permission::Forward(value, overtaken),
            None => Permission::Memory(overtaken),
        }
    }

    /// What a plain load that passes an older operation on its own cell demands of it; none if it
    /// may not pass.
    fn passed_load(&self, op: Operation, older: &Op, older_op: Operation) -> Option<Demand> {
        let splits = self.memory.splits_rmw();
        if op.writes || (op.linked && !splits) {
            return None;
        }
        match (self.memory.same_cell_loads, older) {
            _ if splits && older_op.writes => None,
            (SameCellLoads::Free, _) if splits => Some(Demand::Nothing),
            (SameCellLoads::Coherent, _) if splits => Some(Demand::SameValue),
            (SameCellLoads::Free, Op::Load) => Some(Demand::Nothing),
            (SameCellLoads::Free, Op::Cas { .. }) if self.memory.failed_cas == FailedCas::Load => Some(Demand::Fail),
            (SameCellLoads::Coherent, Op::Load) => Some(Demand::SameValue),
            _ => None,
        }
    }

    /// The value that a queued plain store will store, if it is known and its cell can hold it.
    fn stored(&self, entry: &Entry, access: &Access) -> Option<Value> {
        match &access.op {
            Op::Store(value) if self.has_dependencies(entry) => {
                self.automata.cells[access.address.base].domain.narrow(self.eval(entry, value)?)
            }
            _ if entry.part.is_second() && self.has_dependencies(entry) => {
                self.automata.cells[access.address.base].domain.narrow(self.written(entry, access)?)
            }
            _ => None,
        }
    }

    /// Whether `op` has to wait until it is known which cell an older entry accesses, or what that one waits for without using it.
    fn waits_for_address(&self, op: Operation, older: &Entry) -> bool {
        let is_known = || self.cell(older) != Resolved::Unknown && self.has_dependencies(older);
        self.memory.waits_for_address(op) && !is_known()
    }
}

impl Overtaken {
    /// Whether it goes first on an assumption.
    pub(crate) fn is_an_assumption(&self) -> bool {
        let has_unknown = !(self.unknown.is_empty() && self.unknown_loads.is_empty());
        has_unknown || self.same_cell.iter().any(|(_, demand)| *demand != Demand::Nothing)
    }

    /// Notes in the entries overtaken that `cell` has been accessed before them.
    pub(crate) fn note(self, local: &mut Local, cell: CellId) {
        self.unknown.into_iter().for_each(|i| local.queue[i].keep_from(cell));
        for i in self.unknown_loads {
            let entry = &mut local.queue[i];
            if !entry.overtaken.contains(&cell) {
                insert(&mut entry.read_ahead, cell);
            }
        }
        for (i, demand) in self.same_cell {
            local.queue[i].demand = demand;
        }
    }
}

impl Entry {
    /// Its cell, which is unknown, must not turn out to be `cell`.
    pub(crate) fn keep_from(&mut self, cell: CellId) {
        self.read_ahead.retain(|c| *c != cell);
        insert(&mut self.overtaken, cell);
    }
}

fn insert(cells: &mut Vec<CellId>, cell: CellId) {
    if let Err(at) = cells.binary_search(&cell) {
        cells.insert(at, cell);
    }
}
