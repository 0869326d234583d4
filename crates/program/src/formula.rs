//! Temporal formulas of the typed tree.

use crate::typed::{BinaryOp, Expr, LocalId, Quantifier, TemporalOp};

/// A formula of temporal logic.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Speaks of one state only: the largest parts that do.
    State(Expr),
    /// `not`
    Not(Box<Formula>),
    /// `and`, `or`, `implies`
    Join(BinaryOp, Box<Formula>, Box<Formula>),
    /// A temporal word with its one or two operands.
    Temporal(TemporalOp, Vec<Formula>),
    /// `all` or `exists`, over the values of the local's type.
    Quantified(Quantifier, LocalId, Box<Formula>),
}

impl Formula {
    /// Its parts that speak of one state.
    pub(crate) fn states(&self) -> Vec<&Expr> {
        match self {
            Formula::State(expr) => vec![expr],
            Formula::Not(inner) | Formula::Quantified(_, _, inner) => inner.states(),
            Formula::Join(_, left, right) => [left.states(), right.states()].concat(),
            Formula::Temporal(_, operands) => operands.iter().flat_map(Formula::states).collect(),
        }
    }
}
