//! Temporal formulas: what a state must satisfy now, and what is left for the next one.

use crate::property::View;
use crate::state::State;
use crate::values::Value;
use crate::world::World;
use program::named::Bound;
use program::typed::{BinaryOp, Expr, Formula, Property, PropertyKind, Quantifier, TemporalOp};

/// A formula in which only atoms are negated; operands by their places in a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    Atom(usize, bool),
    And(Vec<usize>),
    Or(Vec<usize>),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// A temporal property that is judged: all its formulas and atoms, and the place of its negated formula.
pub(crate) struct Temporal<'p> {
    pub(crate) property: &'p Property,
    pub(crate) is_fair: bool,
    pub(crate) nodes: Vec<Node>,
    pub(crate) atoms: Vec<(&'p Expr, Bound)>,
    pub(crate) negated: usize,
}

/// What is left for the next state, and the `until`s that wait for their second operand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rest {
    pub(crate) next: Vec<usize>,
    pub(crate) waiting: Vec<usize>,
}

impl<'p> Temporal<'p> {
    pub(crate) fn new(world: &World<'p>, property: &'p Property) -> Option<Self> {
        let PropertyKind::Ltl { formula, is_fair } = &property.kind else { return None };
        let (nodes, atoms, negated) = Default::default();
        let mut temporal = Temporal { property, is_fair: *is_fair, nodes, atoms, negated };
        temporal.negated = temporal.add(&world.view(&world.unstarted(), &property.locals), formula, false);
        Some(temporal)
    }

    pub(crate) fn see(&self, world: &World<'_>, state: &State) -> Vec<Value> {
        let view = world.view(state, &self.property.locals);
        self.atoms.iter().map(|(expr, bound)| View { bound: bound.clone(), ..view }.see(expr)).collect()
    }

    fn node(&mut self, node: Node) -> usize {
        self.nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn join(&mut self, is_and: bool, parts: Vec<usize>) -> usize {
        self.node(if is_and { Node::And(parts) } else { Node::Or(parts) })
    }

    /// The formula if `is_true`, else its negation. The view says what is bound.
    pub(crate) fn add(&mut self, view: &View<'_>, formula: &'p Formula, is_true: bool) -> usize {
        match formula {
            Formula::State(expr) => {
                self.atoms.push((expr, view.bound.clone()));
                self.node(Node::Atom(self.atoms.len() - 1, is_true))
            }
            Formula::Not(inner) => self.add(view, inner, !is_true),
            Formula::Join(op, left, right) => {
                let left = self.add(view, left, is_true != (*op == BinaryOp::Implies));
                let right = self.add(view, right, is_true);
                self.join((*op == BinaryOp::And) == is_true, vec![left, right])
            }
            Formula::Quantified(quantifier, local, inner) => {
                let mut one = |bound| self.add(&View { bound, ..*view }, inner, is_true);
                let parts = view.each(*local).into_iter().map(&mut one).collect();
                self.join((*quantifier == Quantifier::All) == is_true, parts)
            }
            Formula::Temporal(op, operands) => {
                let parts: Vec<usize> = operands.iter().map(|operand| self.add(view, operand, is_true)).collect();
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
            // `eventually` is `true until`, and `always` is `false release`.
            TemporalOp::Eventually => until(self.join(is_true, Vec::new()), first),
            TemporalOp::Always => release(self.join(!is_true, Vec::new()), first),
            TemporalOp::Until => until(first, last),
            TemporalOp::Release => release(first, last),
            TemporalOp::WeaklyUntil => release(last, self.join(!is_true, vec![first, last])),
        };
        self.node(node)
    }

    /// The ways to satisfy formulas in a state with these atoms; one that has no value satisfies nothing.
    pub(crate) fn ways(&self, formulas: &[usize], atoms: &[Option<bool>]) -> Vec<Rest> {
        let mut done: Vec<Rest> = Vec::new();
        let mut work = vec![(formulas.to_vec(), Rest::default())];
        while let Some((mut left, mut rest)) = work.pop() {
            let Some(formula) = left.pop() else {
                for formulas in [&mut rest.next, &mut rest.waiting] {
                    formulas.sort_unstable();
                    formulas.dedup();
                }
                if !done.contains(&rest) {
                    done.push(rest);
                }
                continue;
            };
            let plus = |parts: &[usize]| [&left, parts].concat();
            match &self.nodes[formula] {
                Node::Atom(atom, wanted) => work.extend((atoms[*atom] == Some(*wanted)).then_some((left, rest))),
                Node::And(parts) => work.push((plus(parts), rest)),
                Node::Or(parts) => work.extend(parts.iter().map(|part| (plus(&[*part]), rest.clone()))),
                Node::Next(a) => {
                    rest.next.push(*a);
                    work.push((left, rest));
                }
                Node::Until(a, b) => {
                    work.push((plus(&[*b]), rest.clone()));
                    rest.next.push(formula);
                    rest.waiting.push(formula);
                    work.push((plus(&[*a]), rest));
                }
                Node::Release(a, b) => {
                    work.push((plus(&[*a, *b]), rest.clone()));
                    rest.next.push(formula);
                    work.push((plus(&[*b]), rest));
                }
            }
        }
        done
    }
}
