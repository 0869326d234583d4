//! Which queued operations may be performed (rules 4.2, 4.3, 5.2, 5.4).

use crate::state::{Assumption, Cell, Entry, Queued, Thread};
use crate::world::World;
use memory::{AddressSpeculation, FailedCas, Fence, Operation, SameCellLoads};

/// How an operation is performed.
#[derive(Default)]
pub(crate) struct Plan {
    /// The place and value of the queued store that it takes its value from.
    pub(crate) forward: Option<(usize, i64)>,
    /// What it assumes of older operations, by their places.
    pub(crate) assumes: Vec<(usize, Assumption)>,
}

impl World<'_> {
    /// How the operation at `place`, on `cell`, may be performed before every older one that is queued. It counts as
    /// `younger`; if that only reads, it can take its value from the queue.
    pub(crate) fn plan(&self, thread: &Thread, place: usize, cell: usize, younger: Operation) -> Option<Plan> {
        let (mut plan, mut fences) = (Plan::default(), Vec::new());
        for (i, entry) in thread.queue[..place].iter().enumerate().rev() {
            match entry {
                Entry::Fence(fence) => fences.push(*fence),
                Entry::Guess(_) if younger.writes || younger.linked => return None,
                Entry::Access(older) => {
                    let operation = self.access(thread, older).operation();
                    let is_ordered = self.are_ordered(operation, younger, &fences);
                    let is_plain_load = |it: Operation| !it.writes && !it.linked;
                    let is_free = self.model.same_cell_loads == SameCellLoads::Free;
                    match older.cell {
                        Cell::Known(other) if other == cell => {
                            self.same_cell(&mut plan, thread, i, older, younger, &fences)?;
                        }
                        _ if is_ordered => return None,
                        Cell::Known(_) | Cell::None => {}
                        _ if self.model.address_speculation == AddressSpeculation::Forbidden => return None,
                        // What may be passed on the same cell, too, or is behind the store forwarded from, is no assumption.
                        _ if is_free && is_plain_load(operation) && is_plain_load(younger) => {}
                        _ if plan.forward.is_some() && !operation.reads => {}
                        _ => plan.assumes.push((i, Assumption::Elsewhere(cell))),
                    }
                }
                _ => {}
            }
        }
        Some(plan)
    }

    /// Whether two operations are ordered wherever they go, these fences being between them.
    fn are_ordered(&self, older: Operation, younger: Operation, fences: &[Fence]) -> bool {
        fences.iter().any(|fence| fence.orders(older, younger)) || !self.model.may_overtake(older, younger)
    }

    /// Rule 4.3. None if it may not pass.
    fn same_cell(
        &self,
        plan: &mut Plan,
        thread: &Thread,
        place: usize,
        older: &Queued,
        younger: Operation,
        fences: &[Fence],
    ) -> Option<()> {
        let access = self.access(thread, older);
        let operation = access.operation();
        let is_ordered = |older: Operation| self.are_ordered(older, younger, fences);
        let loads = self.model.same_cell_loads;
        if younger.writes {
            return None;
        }
        if operation.is_rmw() {
            let fails_as_load = access.is_cas() && self.model.failed_cas == FailedCas::Load;
            let failed = self.model.failed(operation, access.failure_order);
            plan.assumes.push((place, Assumption::Fails));
            return (fails_as_load && loads == SameCellLoads::Free && !is_ordered(failed)).then_some(());
        }
        if is_ordered(operation) {
            return None;
        }
        if operation.writes && plan.forward.is_none() {
            let values = older.values().filter(|_| access.is_store())?;
            plan.forward = Some((place, values[0]));
        } else if !operation.writes {
            match loads {
                SameCellLoads::Ordered => return None,
                SameCellLoads::Coherent => plan.assumes.push((place, Assumption::Unwritten)),
                SameCellLoads::Free => {}
            }
        }
        Some(())
    }
}
