//! What properties see of a thread.

use crate::local::{Entry, Local, Mode, Operand};
use crate::pin::Pin;
use crate::rules::Rules;
use automata::{Action, PointId, RegId, StateLeaf, Value};
use base::table::Id;

/// A thread as properties see it.
#[derive(Clone, Copy)]
pub(crate) struct Stand<'a> {
    pub(crate) mode: Mode,
    pub(crate) point: PointId,
    pub(crate) registers: &'a [Operand],
    /// Which registers these are; all if it does not say.
    pub(crate) named: Option<&'a [RegId]>,
    pub(crate) queue: &'a [Entry],
}

impl Local {
    /// The thread as it is.
    pub(crate) fn stand(&self) -> Stand<'_> {
        Stand { mode: self.mode, point: self.point, registers: &self.registers, named: None, queue: &self.queue }
    }
}

impl Stand<'_> {
    fn register(&self, register: RegId) -> Option<Value> {
        let position = self.named.map_or(Some(register.index()), |named| named.iter().position(|r| *r == register));
        self.registers[position?].value()
    }
}

impl Rules<'_> {
    /// What a leaf that speaks of this thread is.
    pub(crate) fn seen(&self, stand: Stand<'_>, leaf: &StateLeaf) -> Pin {
        let truth = |is_true: bool| Pin::value(Some(Value::from(is_true)));
        match leaf {
            StateLeaf::Register(_, register) => Pin::value(stand.register(*register)),
            StateLeaf::At(_, points) => truth(points.contains(&stand.point)),
            StateLeaf::Ended(_) => truth(stand.mode == Mode::Halted),
            StateLeaf::Performed(_) => truth(!stand.queue.iter().any(|entry| self.is_access(entry))),
            StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } => Pin::Open,
        }
    }

    fn is_access(&self, entry: &Entry) -> bool {
        matches!(self.code.action(entry.point), Action::Access(_))
    }
}
