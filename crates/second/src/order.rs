//! Which queued operations may be performed (rules 4.2, 4.3, 5.2, 5.4).

use crate::code::AccessKind;
use crate::state::{Assumption, Cell, Entry, Thread};
use crate::world::World;
use memory::{AddressSpeculation, FailedCas, Operation, SameCellLoads};

/// How an operation is performed.
pub(crate) struct Plan {
    /// The value and place of the queued store that it takes its value from.
    pub(crate) forward: Option<(usize, i64)>,
    /// What it assumes of older operations, by their places.
    pub(crate) assumes: Vec<(usize, Assumption)>,
}

impl World<'_> {
    /// How the operation at `place`, on `cell`, may be performed before every older one that is queued. It counts as
    /// `operation`; if that only reads, it can take its value from the queue.
    pub(crate) fn plan(&self, thread: &Thread, place: usize, cell: usize, operation: Operation) -> Option<Plan> {
        let mut plan = Plan { forward: None, assumes: Vec::new() };
        let mut fences = Vec::new();
        for (i, entry) in thread.queue[..place].iter().enumerate().rev() {
            match entry {
                Entry::Fence(fence) => fences.push(*fence),
                Entry::Guess(_) if operation != Operation { order: operation.order, ..Operation::LOAD } => return None,
                Entry::Access(older) => {
                    let is_ordered = |older: Operation| {
                        fences.iter().any(|fence| fence.orders(older, operation))
                            || !self.model.may_overtake(older, operation)
                    };
                    match older.cell {
                        Cell::Known(other) if other == cell => {
                            self.same_cell(&mut plan, i, older, operation, &is_ordered)?;
                        }
                        _ if is_ordered(older.operation()) => return None,
                        Cell::ToCome(_) if self.model.address_speculation == AddressSpeculation::Forbidden => {
                            return None;
                        }
                        // Rule 5.4: what may be passed on the same cell, too, or is behind the store forwarded from, is no assumption.
                        Cell::ToCome(_) if self.passes_freely(older, operation) => {}
                        Cell::ToCome(_) if plan.forward.is_some() && !older.operation().reads => {}
                        Cell::ToCome(_) => plan.assumes.push((i, Assumption::Elsewhere(cell))),
                        Cell::Known(_) | Cell::None => {}
                    }
                }
                _ => {}
            }
        }
        Some(plan)
    }

    /// Whether both are loads that may pass one another whatever their cells are.
    fn passes_freely(&self, older: &crate::state::Queued, younger: Operation) -> bool {
        let is_plain = !younger.writes && !younger.linked && older.kind == AccessKind::Load;
        is_plain && self.model.same_cell_loads == SameCellLoads::Free
    }

    /// Rule 4.3. None if it may not pass.
    fn same_cell(
        &self,
        plan: &mut Plan,
        place: usize,
        older: &crate::state::Queued,
        younger: Operation,
        is_ordered: &dyn Fn(Operation) -> bool,
    ) -> Option<()> {
        if younger.writes {
            return None;
        }
        let operation = older.operation();
        let passes_cas = || {
            let is_free = self.model.same_cell_loads == SameCellLoads::Free;
            let failed = self.model.failed(operation, older.failure_order);
            older.kind.is_cas() && is_free && self.model.failed_cas == FailedCas::Load && !is_ordered(failed)
        };
        if operation.is_rmw() {
            if !passes_cas() {
                return None;
            }
            plan.assumes.push((place, Assumption::Fails));
            return Some(());
        }
        if operation.writes && plan.forward.is_none() {
            let value = older.operand(0).filter(|_| older.kind == AccessKind::Store && !is_ordered(operation))?;
            plan.forward = Some((place, value));
            return Some(());
        }
        if is_ordered(operation) {
            return None;
        }
        if !operation.writes {
            match self.model.same_cell_loads {
                SameCellLoads::Ordered => return None,
                SameCellLoads::Coherent => plan.assumes.push((place, Assumption::Unwritten)),
                SameCellLoads::Free => {}
            }
        }
        Some(())
    }
}
