//! What is said of whole states: a symmetry must not be noticed by any of it.

use automata::{Automata, BinaryOp, Expr, StateExpr};

/// The conditions of invariants, `forbid`s and covers, and what must be true for the parts of properties to have values.
///
/// The clauses that one property needs go together: a symmetry may carry one of them to another.
pub(crate) fn conditions(automata: &Automata) -> Vec<StateExpr> {
    let judged = automata.properties.values().filter_map(|property| property.kind.state_property());
    let stated = judged.map(|judged| judged.condition);
    let covers = automata.covers.values().filter_map(|cover| cover.condition.as_ref());
    let same_needs = automata.definedness.chunk_by(|a, b| (a.of, a.property, a.moment) == (b.of, b.property, b.moment));
    let needs = same_needs.filter_map(|clauses| clauses.iter().map(|clause| clause.condition.clone()).reduce(and));
    stated.chain(covers).cloned().chain(needs).collect()
}

fn and(left: StateExpr, right: StateExpr) -> StateExpr {
    Expr::Binary(BinaryOp::And, Box::new(left), Box::new(right))
}
