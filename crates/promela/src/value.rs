//! Where an expression has no value: a division by zero, a shift by a negative amount.

use crate::refusal;
use crate::term::Term;
use automata::{Automaton, BinaryOp, Expr, NO_VALUE, RegId};

/// Whether the expression has no value. The right side of a logical operator counts where the left does not decide.
pub(crate) fn is_none(automaton: &Automaton, expr: &Expr, register: &mut impl FnMut(&RegId) -> Term) -> Term {
    match expr {
        Expr::Const(NO_VALUE) => Term::TRUE,
        Expr::Const(_) | Expr::Leaf(_) => Term::FALSE,
        Expr::Unary(_, operand) => is_none(automaton, operand, register),
        Expr::Binary(op, left, right) => {
            let (of_left, of_right) = (is_none(automaton, left, register), is_none(automaton, right, register));
            let (low, high) = refusal::values(automaton, right).unwrap_or((i64::MIN, i64::MAX));
            let mut decided = |is_open: fn(Term) -> Term| match of_right.clone() {
                Term::Const(0) => Term::FALSE,
                of_right => is_open(Term::of(left, register)).and(of_right),
            };
            let here = match op {
                BinaryOp::And | BinaryOp::Implies => return of_left.or(decided(|left| left)),
                BinaryOp::Or => return of_left.or(decided(Term::negated)),
                BinaryOp::Divide | BinaryOp::Remainder if low <= 0 && high >= 0 => {
                    Term::of(right, register).equals(Term::FALSE)
                }
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight if low < 0 => Term::of(right, register).outside(0, high),
                _ => Term::FALSE,
            };
            of_left.or(of_right).or(here)
        }
    }
}
