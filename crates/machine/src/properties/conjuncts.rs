//! Invariants and cover conditions taken apart, so that each part speaks of as few threads as possible.
//!
//! An invariant is violated if one of its conjuncts is false; a cover property is reached if one of the conjuncts of its
//! negation is. So both are lists of conjuncts, each with the one it belongs to.

use automata::{Automata, BinaryOp, CoverId, Expr, Moment, PropertyId, StateExpr, StateLeaf, ThreadId, UnaryOp};
use std::sync::Arc;

/// What is violated or reached when a conjunct is false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Owner {
    /// The invariant is violated.
    Property(PropertyId),
    /// The cover property is reached.
    Cover(CoverId),
    /// What is stated has no value, as the definedness at this position says.
    Undefined(u32),
}

/// A condition that is true in every state, unless its owner is violated or reached.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Conjunct {
    pub(crate) owner: Owner,
    pub(crate) condition: StateExpr,
}

/// The conjuncts of all invariants and cover conditions.
pub(crate) fn conjuncts(automata: &Automata) -> Vec<Conjunct> {
    stated(automata).iter().flat_map(|whole| whole.conjuncts(automata)).collect()
}

impl Conjunct {
    /// The conjuncts that are all true if and only if this one is.
    pub(crate) fn conjuncts(&self, automata: &Automata) -> Vec<Conjunct> {
        let part = |condition| Conjunct { owner: self.owner, condition };
        split(automata, &self.condition, 2).into_iter().map(part).collect()
    }
}

impl Owner {
    /// The condition whose labels say where threads are seen (semantics 8.2), for one that is stated as `own`.
    pub(crate) fn whole<'a>(self, automata: &'a Automata, own: &'a StateExpr) -> &'a StateExpr {
        match self {
            Owner::Property(_) | Owner::Cover(_) => own,
            Owner::Undefined(i) => automata.whole_of(&automata.definedness[i as usize]),
        }
    }
}

/// All that invariants and cover conditions state, not taken apart.
pub(crate) fn stated(automata: &Automata) -> Vec<Conjunct> {
    let negated = |condition: &StateExpr| Expr::unary(UnaryOp::Not, condition.clone());
    let invariants = automata.properties.iter().filter_map(|(id, property)| {
        let judged = property.kind.state_property().filter(|judged| judged.moment == Moment::Always)?;
        let holds = if judged.violating { negated(judged.condition) } else { judged.condition.clone() };
        Some((Owner::Property(id), holds))
    });
    let covers = automata
        .covers
        .iter()
        .filter_map(|(id, cover)| cover.condition.as_ref().map(|condition| (Owner::Cover(id), negated(condition))));
    let defined = (0..).zip(&automata.definedness).filter(|(_, d)| d.moment == Moment::Always);
    let defined = defined.map(|(i, d)| (Owner::Undefined(i), d.condition.clone()));
    let all = invariants.chain(covers).chain(defined);
    all.map(|(owner, condition)| Conjunct { owner, condition }).collect()
}

/// Conjuncts that are all true if and only if `conjunct`, which speaks of one thread, is.
pub(crate) fn parts(automata: &Automata, conjunct: &Conjunct) -> Vec<Arc<Conjunct>> {
    let part = |condition| Arc::new(Conjunct { owner: conjunct.owner, condition });
    split(automata, &conjunct.condition, 1).into_iter().map(part).collect()
}

/// Conditions that are all true if and only if `condition` is. What speaks of fewer threads than `few` is not taken apart.
fn split(automata: &Automata, condition: &StateExpr, few: usize) -> Vec<StateExpr> {
    if threads(automata, condition).len() < few {
        return vec![condition.clone()];
    }
    match condition {
        Expr::Binary(BinaryOp::And, left, right) => [split(automata, left, few), split(automata, right, few)].concat(),
        Expr::Binary(BinaryOp::Implies, guard, then) => guarded(guard, split(automata, then, few)),
        Expr::Unary(UnaryOp::Not, operand) => split_negated(automata, operand, few),
        _ => vec![condition.clone()],
    }
}

/// As `split`, of the negation of `condition`.
fn split_negated(automata: &Automata, condition: &StateExpr, few: usize) -> Vec<StateExpr> {
    let not = |operand: &StateExpr| Expr::unary(UnaryOp::Not, operand.clone());
    match condition {
        Expr::Binary(BinaryOp::Or, left, right) => {
            [split(automata, &not(left), few), split(automata, &not(right), few)].concat()
        }
        Expr::Binary(BinaryOp::And, left, right) => guarded(left, split(automata, &not(right), few)),
        Expr::Binary(BinaryOp::Implies, left, right) => {
            [split(automata, left, few), split(automata, &not(right), few)].concat()
        }
        Expr::Unary(UnaryOp::Not, operand) => split(automata, operand, few),
        _ => vec![not(condition)],
    }
}

fn guarded(guard: &StateExpr, parts: Vec<StateExpr>) -> Vec<StateExpr> {
    parts.into_iter().map(|part| Expr::binary(BinaryOp::Implies, guard.clone(), part)).collect()
}

/// The threads whose own states a condition speaks of, each once, in order.
pub(crate) fn threads(automata: &Automata, condition: &StateExpr) -> Vec<ThreadId> {
    let mut found = Vec::new();
    automata.leaves(condition, &mut |leaf| found.extend(leaf.thread()));
    found.sort();
    found.dedup();
    found
}

/// Whether a condition is judged plainly: the condition of a graph's object speaks of a thread, or among several threads one
/// is asked for stores to a place that is computed.
pub(crate) fn is_odd(automata: &Automata, condition: &StateExpr) -> bool {
    let is_joint = threads(automata, condition).len() > 1;
    let mut found = false;
    automata.leaves(condition, &mut |leaf| match leaf {
        StateLeaf::Reached { graph, .. } => {
            let mut conditions = automata.graphs[*graph].nodes.iter().filter_map(|node| node.condition.as_ref());
            found |= conditions.any(|condition| !threads(automata, condition).is_empty());
        }
        leaf if is_joint && leaf.thread().is_some() => {
            found |= automata.held(leaf).iter().any(|held| !matches!(held, Expr::Const(_)));
        }
        _ => {}
    });
    found
}
