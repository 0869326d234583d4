//! Temporal formulas: what a state must satisfy now, and what is left for the next one.

use crate::property::{Bound, View};
use program::typed::{BinaryOp, Expr, Formula, Quantifier, TemporalOp};

/// A formula in which only atoms are negated; operands by their places in a table.
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
pub(crate) struct Formulas<'p> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) atoms: Vec<(&'p Expr, Bound)>,
}

/// What is left for the next state, and the `until`s that wait for their second operand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rest {
    pub(crate) next: Vec<usize>,
    pub(crate) waiting: Vec<usize>,
}

impl<'p> Formulas<'p> {
    fn node(&mut self, node: Node) -> usize {
        self.nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// Both, or one of both.
    fn join(&mut self, is_and: bool, a: usize, b: usize) -> usize {
        self.node(if is_and { Node::And(a, b) } else { Node::Or(a, b) })
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
                self.join((*op == BinaryOp::And) == is_true, left, right)
            }
            Formula::Quantified(quantifier, local, inner) => {
                let is_and = (*quantifier == Quantifier::All) == is_true;
                let mut all = self.node(Node::Constant(is_and));
                for bound in view.each(*local) {
                    let one = self.add(&View { bound, ..*view }, inner, is_true);
                    all = self.join(is_and, all, one);
                }
                all
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
            TemporalOp::Eventually => until(self.node(Node::Constant(is_true)), first),
            TemporalOp::Always => release(self.node(Node::Constant(!is_true)), first),
            TemporalOp::Until => until(first, last),
            TemporalOp::Release => release(first, last),
            TemporalOp::WeaklyUntil => release(last, self.join(!is_true, first, last)),
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
            match self.nodes[formula] {
                Node::Constant(value) => work.extend(value.then_some((left, rest))),
                Node::Atom(atom, wanted) => work.extend((atoms[atom] == Some(wanted)).then_some((left, rest))),
                Node::And(a, b) => work.push((plus(&[a, b]), rest)),
                Node::Or(a, b) => work.extend([(plus(&[a]), rest.clone()), (plus(&[b]), rest)]),
                Node::Next(a) => {
                    rest.next.push(a);
                    work.push((left, rest));
                }
                Node::Until(a, b) => {
                    work.push((plus(&[b]), rest.clone()));
                    rest.next.push(formula);
                    rest.waiting.push(formula);
                    work.push((plus(&[a]), rest));
                }
                Node::Release(a, b) => {
                    work.push((plus(&[a, b]), rest.clone()));
                    rest.next.push(formula);
                    work.push((plus(&[b]), rest));
                }
            }
        }
        done
    }
}
