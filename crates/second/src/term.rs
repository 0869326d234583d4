//! Expressions over registers: what a thread computes (rules 1.5, 1.9, 3.1).

use crate::values::{Operator, Value, logic};
use program::types::Types;

/// An expression without side effects. A register holds one too: a value, or what is to come.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Const(i64),
    Register(usize),
    /// The result of the queue's entry at this place.
    ToCome(usize),
    Apply(Box<(Operator, Vec<Term>)>),
}

impl Term {
    pub(crate) fn apply(op: Operator, operands: Vec<Term>) -> Term {
        Term::Apply(Box::new((op, operands)))
    }

    pub(crate) fn is_known(&self) -> bool {
        matches!(self, Term::Const(_))
    }

    /// The value. While an operand is to come, so is the result, whatever the others are.
    pub(crate) fn eval(&self, types: &Types, registers: &[Term]) -> Value {
        match self {
            Term::Const(value) => Ok(Some(*value)),
            Term::ToCome(_) => Ok(None),
            Term::Register(register) => registers[*register].eval(types, &[]),
            Term::Apply(applied) => match &**applied {
                (Operator::Lazy(op), operands) => match operands[0].eval(types, registers)? {
                    None => Ok(None),
                    Some(left) if (left != 0) == logic(*op).0 => operands[1].eval(types, registers),
                    Some(_) => Ok(Some(logic(*op).1)),
                },
                (op, operands) => {
                    let values: Vec<Value> = operands.iter().map(|operand| operand.eval(types, registers)).collect();
                    if values.contains(&Ok(None)) {
                        return Ok(None);
                    }
                    let values = values.into_iter().filter_map(Value::transpose).collect::<Result<Vec<i64>, _>>()?;
                    op.apply(&values, types, false).map(Some)
                }
            },
        }
    }

    /// The same with the present contents in place of the registers.
    pub(crate) fn close(&self, registers: &[Term]) -> Term {
        match self {
            Term::Register(register) => registers[*register].clone(),
            Term::Apply(applied) => Term::apply(applied.0, close(&applied.1, registers)),
            other => other.clone(),
        }
    }

    /// The queue's entry at `place` has left, with this result.
    pub(crate) fn settle(&mut self, place: usize, result: i64) {
        match self {
            Term::ToCome(entry) if *entry == place => *self = Term::Const(result),
            Term::ToCome(entry) if *entry > place => *entry -= 1,
            Term::Apply(applied) => applied.1.iter_mut().for_each(|operand| operand.settle(place, result)),
            _ => {}
        }
    }

    /// All registers in it.
    pub(crate) fn registers(&self) -> Vec<usize> {
        match self {
            Term::Register(register) => vec![*register],
            Term::Apply(applied) => applied.1.iter().flat_map(Term::registers).collect(),
            _ => Vec::new(),
        }
    }
}

/// Each of the terms with the present contents in place of the registers.
pub(crate) fn close(terms: &[Term], registers: &[Term]) -> Vec<Term> {
    terms.iter().map(|term| term.close(registers)).collect()
}
