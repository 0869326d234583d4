//! What a memory operation writes and gives: computed exactly, then held against the ranges of its cell and its register.

use crate::rules::Rules;
use automata::{CasResult, CellId, NO_VALUE, Op, RegId, Value, Wide};

/// What an operation writes and gives, in the ranges of its cell and its register.
pub(crate) struct Narrow {
    pub(crate) wrote: Option<Value>,
    pub(crate) result: Value,
}

impl Rules<'_> {
    /// What an operation writes and gives, if its cell and the register that gets its result can hold that.
    pub(crate) fn narrow(
        &self,
        dst: Option<RegId>,
        cell: CellId,
        (wrote, result): (Option<Wide>, Wide),
    ) -> Option<Narrow> {
        let wrote = match wrote {
            Some(value) => Some(self.automata.cells[cell].domain.narrow(value)?),
            None => None,
        };
        let result = match dst {
            Some(dst) => self.code.automaton.registers[dst].domain.narrow(result)?,
            None => 0,
        };
        Some(Narrow { wrote, result })
    }
}

/// What an operation does, computed.
pub(crate) struct Effect {
    /// What it stores, if it stores; `NO_VALUE` also if an operand that it needs has none.
    pub(crate) wrote: Option<Wide>,
    /// Its result.
    pub(crate) result: Wide,
}

/// What an operation does, given the value it reads and its operands, which have come.
pub(crate) fn effect(op: &Op, read: Value, operand: impl Fn(&automata::Expr) -> Option<Wide>) -> Effect {
    let read = Wide::from(read);
    let operand = |expr| operand(expr).expect("it is performed when its operands have come");
    let stores = |value, result| Effect { wrote: Some(value), result };
    match op {
        Op::Load | Op::LoadLinked => Effect { wrote: None, result: read },
        Op::Store(value) => stores(operand(value), 0),
        Op::Swap(value) => stores(operand(value), read),
        Op::StoreConditional(value) => stores(operand(value), 1),
        Op::Fetch(how, value) => stores(how.apply(read, operand(value)), read),
        Op::Cas { expected, new, result } => {
            let expected = operand(expected);
            let succeeds = read == expected;
            let result = if *result == CasResult::Old { read } else { Wide::from(succeeds) };
            match expected {
                NO_VALUE => stores(NO_VALUE, result),
                _ => Effect { wrote: succeeds.then(|| operand(new)), result },
            }
        }
    }
}
