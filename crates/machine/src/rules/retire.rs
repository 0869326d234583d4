//! Rule 3 of the memory machine: what needs no turn of its own leaves the queue.

use crate::rules::evaluate;
use crate::rules::local::{Demand, Entry, Part};
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{Action, Automata, Expr, NO_VALUE, PointId, PropertyId};
use base::table::Id;

impl Rules<'_> {
    /// Rule 3: retires the entry at `index`, which is behind no wall, if its time has come.
    pub(crate) fn retire(&self, path: &mut SettlePath, index: usize) -> Option<SettleStep> {
        let local = &path.local;
        let entry = &local.queue[index];
        let older = &local.queue[..index];
        match self.code.action(entry.point) {
            Action::Compute { dst, value } => {
                match self.code.automaton.registers[*dst].domain.narrow(self.eval(entry, value)?) {
                    Some(value) => path.local.remove(index, value),
                    None if local.is_uncertain_at(index) => return None,
                    None => return Some(self.fail(path, entry.point, Automata::IN_RANGE)),
                }
            }
            Action::Assert { condition, property } => {
                let (value, point) = (self.eval(entry, condition)?, entry.point);
                if local.is_uncertain_at(index) {
                    return None;
                }
                path.reached.add_judged(property.0);
                match value {
                    NO_VALUE => return Some(self.fail(path, point, Automata::IN_RANGE)),
                    0 => return Some(self.fail(path, point, *property)),
                    _ => path.local.remove(index, 0),
                }
            }
            Action::Cover { condition, cover } => {
                let (value, point) = (self.eval(entry, condition)?, entry.point);
                match value {
                    _ if local.is_uncertain_at(index) => return None,
                    NO_VALUE => return Some(self.fail(path, point, Automata::IN_RANGE)),
                    0 => {}
                    _ => path.reached.add_cover(cover.index()),
                }
                path.local.remove(index, 0);
            }
            Action::Branch { condition, .. } => {
                let (value, point) = (self.eval(entry, condition)?, entry.point);
                match value {
                    // Neither way was right: the branch itself violates.
                    NO_VALUE if local.is_uncertain_at(index) => return None,
                    NO_VALUE => return Some(self.fail(path, point, Automata::IN_RANGE)),
                    value if Some(value != 0) != entry.guess => return Some(SettleStep::Discarded),
                    _ => path.local.remove(index, 0),
                }
            }
            Action::Fence(fence) => {
                let fence = self.memory.fence(*fence);
                let waits_for = |e: &Entry| self.operation(e).is_some_and(|op| fence.waits_for(op));
                if older.iter().any(waits_for) {
                    return None;
                }
                path.local.remove(index, 0);
            }
            Action::Access(_) if matches!(entry.part, Part::Succeeds | Part::Fails) => {
                return self.check_assumption(path, index).or_else(|| self.check_address(path, index));
            }
            Action::Access(_) => return self.check_address(path, index),
            _ => unreachable!("only these actions are queued"),
        }
        Some(SettleStep::Moved)
    }

    /// Judges a queued access whose cell has become known: a cell that does not exist violates
    /// `valid_reference`; one that a younger operation has already accessed discards the path, unless both are loads: then this one must
    /// find what that one has found.
    fn check_address(&self, path: &mut SettlePath, index: usize) -> Option<SettleStep> {
        let entry = &path.local.queue[index];
        if self.has_operand_without_value(entry) {
            let point = entry.point;
            return (!path.local.is_uncertain_at(index)).then(|| self.fail(path, point, Automata::IN_RANGE));
        }
        match self.cell(entry) {
            evaluate::Resolved::Unknown => None,
            evaluate::Resolved::Cell(cell) if entry.overtaken.contains(&cell) => Some(SettleStep::Discarded),
            resolved if !(entry.overtaken.is_empty() && entry.read_ahead.is_empty()) => {
                let entry = &mut path.local.queue[index];
                if matches!(resolved, evaluate::Resolved::Cell(cell) if entry.read_ahead.contains(&cell)) {
                    entry.demand = Demand::SameValue;
                }
                entry.overtaken.clear();
                entry.read_ahead.clear();
                Some(SettleStep::Moved)
            }
            evaluate::Resolved::Cell(_) => None,
            evaluate::Resolved::Invalid if path.local.is_uncertain_at(index) => None,
            evaluate::Resolved::Invalid => Some(self.fail(path, entry.point, Automata::VALID_REFERENCE)),
        }
    }

    /// Whether what an access is to store or to compare with has come, and is no value (semantics 1.7).
    fn has_operand_without_value(&self, entry: &Entry) -> bool {
        let Action::Access(access) = self.code.action(entry.point) else { return false };
        let mut has_none = false;
        let is_register = |expr: &Expr| matches!(expr, Expr::Leaf(_));
        access.op.exprs(&mut |expr| has_none |= !is_register(expr) && self.eval(entry, expr) == Some(NO_VALUE));
        has_none
    }

    pub(crate) fn fail(&self, path: &mut SettlePath, point: PointId, property: PropertyId) -> SettleStep {
        path.events.push(Event::Fail(point, property));
        path.local = path.local.failed(property);
        SettleStep::Stalled
    }
}
