//! What a thread has issued and not yet performed or retired, for people: with cells and values as far as they are known.

use crate::rules::evaluate::Resolved;
use crate::rules::interpreter::{Interpreter, PlainState};
use automata::{Action, CellId, Op, PointId, ThreadId, Wide};
use base::table::Id;

/// Something issued and not yet performed or retired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Where it was issued; its action is that point's.
    pub point: PointId,
    /// The cell of a memory operation, once its address is known.
    pub cell: Option<CellId>,
    /// What a memory operation is to write, once that is known.
    pub value: Option<Wide>,
    /// Whether a younger operation was performed on an assumption about this one, or it is a guess itself.
    pub is_speculative: bool,
}

impl Interpreter<'_> {
    /// What `thread` has issued and not yet performed or retired, oldest first.
    pub fn pending(&self, state: &PlainState, thread: ThreadId) -> Vec<Pending> {
        let rules = self.rules(thread.index());
        let pending = |entry: &crate::Entry| {
            let cell = match rules.cell(entry) {
                Resolved::Cell(cell) => Some(cell),
                Resolved::Unknown | Resolved::Invalid => None,
            };
            let value = match rules.code.action(entry.point) {
                Action::Access(access) => match &access.op {
                    Op::Store(value) | Op::Swap(value) | Op::StoreConditional(value) => rules.eval(entry, value),
                    Op::Cas { new, .. } => rules.eval(entry, new),
                    Op::Fetch(..) | Op::Load | Op::LoadLinked => None,
                },
                _ => None,
            };
            Pending { point: entry.point, cell, value, is_speculative: entry.guess.is_some() || entry.is_overtaken() }
        };
        state.locals[thread.index()].queue.iter().map(pending).collect()
    }

    /// For each register of `thread`, whether its value still matters. One that does not may have been set to 0.
    pub fn live_registers(&self, state: &PlainState, thread: ThreadId) -> &[bool] {
        let code = self.rules(thread.index()).code;
        &code.live[state.locals[thread.index()].point]
    }
}
