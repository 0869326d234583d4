//! Temporal formulas: what a state must satisfy now, and what is left for the next one.

use crate::property::{Bound, Seen};
use crate::state::State;
use crate::values::Limits;
use crate::world::World;
use base::table::Id;
use program::typed::{BinaryOp, Expr, Formula, Quantifier, TemporalOp};
use program::types::Type;

/// A formula in which only atoms are negated, by its place in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    Constant(bool),
    Atom(usize, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// All formulas and atoms of one property.
#[derive(Default)]
pub(crate) struct Table<'p> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) atoms: Vec<(&'p Expr, Bound)>,
}

/// What is left for the next state, and the `until`s that wait for their second operand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rest {
    pub(crate) next: Vec<usize>,
    pub(crate) waiting: Vec<usize>,
}

impl<'p> Table<'p> {
    fn node(&mut self, node: Node) -> usize {
        let known = self.nodes.iter().position(|other| *other == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// The formula, or its negation.
    pub(crate) fn add(
        &mut self,
        world: &World<'p>,
        types: &[Type],
        formula: &'p Formula,
        bound: &mut Bound,
        is_true: bool,
    ) -> usize {
        match formula {
            Formula::State(expr) => {
                self.atoms.push((expr, bound.clone()));
                self.node(Node::Atom(self.atoms.len() - 1, is_true))
            }
            Formula::Not(inner) => self.add(world, types, inner, bound, !is_true),
            Formula::Join(op, left, right) => {
                let left = self.add(world, types, left, bound, is_true != (*op == BinaryOp::Implies));
                let right = self.add(world, types, right, bound, is_true);
                let is_and = (*op == BinaryOp::And) == is_true;
                self.node(if is_and { Node::And(left, right) } else { Node::Or(left, right) })
            }
            Formula::Quantified(quantifier, local, inner) => {
                let limits = Limits::from(world.program.types.range(types[local.index()]));
                let is_and = (*quantifier == Quantifier::All) == is_true;
                let mut all = self.node(Node::Constant(is_and));
                for value in limits.low..=limits.high {
                    bound.push((*local, value));
                    let one = self.add(world, types, inner, bound, is_true);
                    bound.pop();
                    all = self.node(if is_and { Node::And(all, one) } else { Node::Or(all, one) });
                }
                all
            }
            Formula::Temporal(op, operands) => {
                let parts: Vec<usize> =
                    operands.iter().map(|operand| self.add(world, types, operand, bound, is_true)).collect();
                let (first, last) = (parts[0], parts[parts.len() - 1]);
                self.temporal(*op, first, last, is_true)
            }
        }
    }

    /// A temporal word with operands that are negated already if the formula is.
    fn temporal(&mut self, op: TemporalOp, first: usize, last: usize, is_true: bool) -> usize {
        let until = |a, b| if is_true { Node::Until(a, b) } else { Node::Release(a, b) };
        let release = |a, b| if is_true { Node::Release(a, b) } else { Node::Until(a, b) };
        let node = match op {
            TemporalOp::Next => Node::Next(first),
            TemporalOp::Eventually => until(self.node(Node::Constant(is_true)), first),
            TemporalOp::Always => release(self.node(Node::Constant(!is_true)), first),
            TemporalOp::Until => until(first, last),
            TemporalOp::Release => release(first, last),
            TemporalOp::WeaklyUntil => {
                let either = self.node(if is_true { Node::Or(first, last) } else { Node::And(first, last) });
                release(last, either)
            }
        };
        self.node(node)
    }

    /// The ways to satisfy formulas in a state with these atoms; one that has no value satisfies nothing.
    pub(crate) fn ways(&self, formulas: &[usize], atoms: &[Option<bool>]) -> Vec<Rest> {
        let mut done: Vec<Rest> = Vec::new();
        let mut work = vec![(formulas.to_vec(), Rest::default())];
        while let Some((mut left, mut rest)) = work.pop() {
            let Some(formula) = left.pop() else {
                rest.next.sort_unstable();
                rest.next.dedup();
                rest.waiting.sort_unstable();
                rest.waiting.dedup();
                if !done.contains(&rest) {
                    done.push(rest);
                }
                continue;
            };
            match self.nodes[formula] {
                Node::Constant(value) => work.extend(value.then_some((left, rest))),
                Node::Atom(atom, wanted) => work.extend((atoms[atom] == Some(wanted)).then_some((left, rest))),
                Node::And(a, b) => {
                    left.extend([a, b]);
                    work.push((left, rest));
                }
                Node::Or(a, b) => work.extend([a, b].map(|part| (plus(&left, part), rest.clone()))),
                Node::Next(a) => {
                    rest.next.push(a);
                    work.push((left, rest));
                }
                Node::Until(a, b) => {
                    work.push((plus(&left, b), rest.clone()));
                    rest.next.push(formula);
                    rest.waiting.push(formula);
                    work.push((plus(&left, a), rest));
                }
                Node::Release(a, b) => {
                    work.push((plus(&plus(&left, a), b), rest.clone()));
                    rest.next.push(formula);
                    work.push((plus(&left, b), rest));
                }
            }
        }
        done
    }
}

fn plus(formulas: &[usize], one: usize) -> Vec<usize> {
    let mut all = formulas.to_vec();
    all.push(one);
    all
}

impl World<'_> {
    /// Whether an atom of a formula has no value in a state (rule 8.4): true if none has.
    pub(crate) fn faults(&self, state: &State, types: &[Type], formula: &Formula, bound: &mut Bound) -> Seen {
        match formula {
            Formula::State(expr) => match self.see(state, bound, types, expr) {
                fault @ Seen::None(_) => fault,
                _ => Seen::Value(1),
            },
            Formula::Not(inner) => self.faults(state, types, inner, bound),
            Formula::Join(_, left, right) => match self.faults(state, types, left, bound) {
                Seen::Value(_) => self.faults(state, types, right, bound),
                fault => fault,
            },
            Formula::Temporal(_, operands) => {
                let found = operands.iter().map(|operand| self.faults(state, types, operand, bound));
                found.into_iter().find(|seen| matches!(seen, Seen::None(_))).unwrap_or(Seen::Value(1))
            }
            Formula::Quantified(_, local, inner) => {
                let limits = Limits::from(self.program.types.range(types[local.index()]));
                for value in limits.low..=limits.high {
                    bound.push((*local, value));
                    let seen = self.faults(state, types, inner, bound);
                    bound.pop();
                    if matches!(seen, Seen::None(_)) {
                        return seen;
                    }
                }
                Seen::Value(1)
            }
        }
    }
}
