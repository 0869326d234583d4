//! Rule 3 of the memory machine: what needs no turn of its own leaves the queue.

use crate::evaluate;
use crate::local::Entry;
use crate::rules::{Event, Outcome, Progress, Rules};
use automata::{Action, Automata, PointId, PropertyId};
use base::table::Id;
use memory::{Fence, Operation};

impl Rules<'_> {
    /// Rule 3: retires the entry at `index` if its time has come.
    pub(crate) fn retire(&self, path: &mut Outcome, index: usize) -> Option<Progress> {
        let local = &path.local;
        let entry = &local.queue[index];
        let older = &local.queue[..index];
        match self.code.action(entry.point) {
            Action::Compute { dst, value } => {
                let (dst, value) = (*dst, self.eval(entry, value)?);
                if !self.code.automaton.registers[dst].domain.contains(value) {
                    if local.is_uncertain_at(index) {
                        return None;
                    }
                    return Some(self.fail(path, entry.point, Automata::IN_RANGE));
                }
                path.local.remove(index, value);
            }
            Action::Assert { condition, property } => {
                let (holds, point) = (self.eval(entry, condition)? != 0, entry.point);
                if local.is_uncertain_at(index) {
                    return None;
                }
                path.reached.add_assertion(property.0);
                if !holds {
                    return Some(self.fail(path, point, *property));
                }
                path.local.remove(index, 0);
            }
            Action::Cover { condition, cover } => {
                let reached = self.eval(entry, condition)? != 0;
                if local.is_uncertain_at(index) {
                    return None;
                }
                if reached {
                    path.reached.add_cover(cover.index());
                }
                path.local.remove(index, 0);
            }
            Action::Branch { condition, .. } => {
                let is_right = Some(self.eval(entry, condition)? != 0) == entry.guess;
                if !is_right {
                    return Some(Progress::Discarded);
                }
                path.local.remove(index, 0);
            }
            Action::Fence(fence) => {
                let waits_for = |e: &Entry| self.operation(e.point).is_some_and(|op| fence_waits(*fence, op));
                if older.iter().any(waits_for) {
                    return None;
                }
                path.local.remove(index, 0);
            }
            Action::Access(_) => return self.check_address(path, index),
            _ => unreachable!("only these actions are queued"),
        }
        Some(Progress::Moved)
    }

    /// Judges a queued access whose cell has become known: a cell that does not exist violates
    /// `valid_reference`; one that a younger operation has already accessed discards the path.
    fn check_address(&self, path: &mut Outcome, index: usize) -> Option<Progress> {
        let entry = &path.local.queue[index];
        match self.cell(entry) {
            evaluate::Resolved::Unknown => None,
            evaluate::Resolved::Invalid => {
                let speculative = path.local.is_uncertain_at(index);
                if speculative { None } else { Some(self.fail(path, entry.point, Automata::VALID_REFERENCE)) }
            }
            evaluate::Resolved::Cell(_) if entry.overtaken.is_empty() => None,
            evaluate::Resolved::Cell(cell) if entry.overtaken.contains(&cell) => Some(Progress::Discarded),
            evaluate::Resolved::Cell(_) => {
                path.local.queue[index].overtaken.clear();
                Some(Progress::Moved)
            }
        }
    }

    pub(crate) fn fail(&self, path: &mut Outcome, point: PointId, property: PropertyId) -> Progress {
        path.events.push(Event::Fail(point, property));
        path.local = path.local.failed(property);
        Progress::Stalled
    }
}

/// Whether the fence stays in the queue while this older operation is pending.
fn fence_waits(fence: Fence, older: Operation) -> bool {
    match fence {
        Fence::Full | Fence::Release => true,
        Fence::Acquire => older.reads,
        Fence::StoreStore => older.writes,
    }
}
