//! Expressions over registers: what a thread computes (rules 1.5, 1.9, 3.1).

use crate::values::{Fault, Operator, apply};
use program::types::Types;

/// A register's content: a value, or the place in the queue of what it will be the result of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Content {
    Known(i64),
    ToCome(usize),
}

/// An expression without side effects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Const(i64),
    Register(usize),
    /// The result of a queued entry.
    ToCome(usize),
    Apply(Operator, Vec<Term>),
    /// The second is evaluated only if the first is this value; else the result is the third.
    Lazy(bool, Box<Term>, Box<Term>, i64),
}

impl Term {
    pub(crate) fn not(self) -> Term {
        Term::Apply(Operator::Not, vec![self])
    }

    /// The value; none while it is to come. Registers must be known or closed over.
    pub(crate) fn eval(&self, types: &Types, registers: &[Content]) -> Result<Option<i64>, Fault> {
        Ok(match self {
            Term::Const(value) => Some(*value),
            Term::Register(register) => match registers[*register] {
                Content::Known(value) => Some(value),
                Content::ToCome(_) => None,
            },
            Term::ToCome(_) => None,
            Term::Apply(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                let mut fault = None;
                for operand in operands {
                    match operand.eval(types, registers) {
                        Ok(Some(value)) => values.push(value),
                        Ok(None) => return Ok(None),
                        Err(found) => fault = fault.or(Some(found)),
                    }
                }
                match fault {
                    Some(fault) => return Err(fault),
                    None => Some(apply(op, &values, types, true)?),
                }
            }
            Term::Lazy(wanted, first, second, otherwise) => match first.eval(types, registers)? {
                None => None,
                Some(value) if (value != 0) == *wanted => second.eval(types, registers)?,
                Some(_) => Some(*otherwise),
            },
        })
    }

    /// The same with the present contents in place of the registers.
    pub(crate) fn close(&self, registers: &[Content]) -> Term {
        match self {
            Term::Register(register) => match registers[*register] {
                Content::Known(value) => Term::Const(value),
                Content::ToCome(entry) => Term::ToCome(entry),
            },
            Term::Apply(op, operands) => {
                Term::Apply(op.clone(), operands.iter().map(|operand| operand.close(registers)).collect())
            }
            Term::Lazy(wanted, first, second, otherwise) => {
                Term::Lazy(*wanted, Box::new(first.close(registers)), Box::new(second.close(registers)), *otherwise)
            }
            other => other.clone(),
        }
    }

    /// The queue's entry at `place` has left, with this result.
    pub(crate) fn settle(&mut self, place: usize, result: i64) {
        match self {
            Term::ToCome(entry) if *entry == place => *self = Term::Const(result),
            Term::ToCome(entry) if *entry > place => *entry -= 1,
            Term::Apply(_, operands) => operands.iter_mut().for_each(|operand| operand.settle(place, result)),
            Term::Lazy(_, first, second, _) => {
                first.settle(place, result);
                second.settle(place, result);
            }
            _ => {}
        }
    }

    /// All registers in it.
    pub(crate) fn registers(&self, out: &mut Vec<usize>) {
        match self {
            Term::Register(register) => out.push(*register),
            Term::Apply(_, operands) => operands.iter().for_each(|operand| operand.registers(out)),
            Term::Lazy(_, first, second, _) => {
                first.registers(out);
                second.registers(out);
            }
            _ => {}
        }
    }
}

impl Content {
    pub(crate) fn settle(&mut self, place: usize, result: i64) {
        match self {
            Content::ToCome(entry) if *entry == place => *self = Content::Known(result),
            Content::ToCome(entry) if *entry > place => *entry -= 1,
            _ => {}
        }
    }
}
