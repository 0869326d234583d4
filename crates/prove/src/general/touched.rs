//! Whether a step can change what a condition says: as `footprint`, on the text and for certain threads.

use super::names::Who;
use super::transfer::Transfer;
use program::typed::{Expr, ExprKind};

/// The family of the cell that says who holds the bus.
const BUS: u32 = u32::MAX;

impl Transfer<'_> {
    /// Whether what the condition says at this moment may be another than at an `earlier` one.
    pub(crate) fn is_touched(&mut self, expr: &Expr, earlier: &Transfer<'_>) -> bool {
        if self.known(expr).is_some() && self.known(expr) == earlier.known(expr) {
            return false;
        }
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Quantified(..)
            | ExprKind::If(..)
            | ExprKind::Size(_)
            | ExprKind::Top(_)
            | ExprKind::Pop(_)
            | ExprKind::Push(..) => {}
            ExprKind::Load(place) => {
                if self.moment.written.contains(&self.sorts.family(&place.root)) {
                    return true;
                }
            }
            ExprKind::Register(thread, local) => match self.thread(thread) {
                Ok(Who::One(_)) => {}
                _ if thread.thread != self.moment.acting => {}
                _ => {
                    let Ok(register) = self.register(thread, *local) else { return true };
                    return self.moment.registers.get(&register) != earlier.moment.registers.get(&register);
                }
            },
            ExprKind::At(thread, _) | ExprKind::Ended(thread) => match self.thread(thread) {
                Ok(Who::One(_)) => {}
                _ if thread.thread != self.moment.acting || self.moment.point.is_none() => {}
                _ => return true,
            },
            ExprKind::Pending(thread, place, ..) | ExprKind::Oldest(thread, place) => {
                let is_written = self.moment.written.contains(&self.sorts.family(&place.root));
                let is_acting = !matches!(self.thread(thread), Ok(Who::One(_))) && thread.thread == self.moment.acting;
                if is_written || is_acting && self.moment.is_buffered {
                    return true;
                }
            }
            ExprKind::LockedBy(_) => return self.moment.written.contains(&BUS),
            ExprKind::Reaches(graph, ..) => {
                let graph = &self.sorts.program.graphs[*graph];
                let fields = 0..self.sorts.program.types.objects[graph.object].fields.len();
                let is_written = |field| self.moment.written.contains(&self.sorts.field_family(graph.object, field));
                if fields.into_iter().any(is_written) || graph.condition.is_some() {
                    return true;
                }
            }
            _ => return true,
        }
        expr.operands().into_iter().any(|operand| self.is_touched(operand, earlier))
    }
}
