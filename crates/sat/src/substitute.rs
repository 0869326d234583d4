//! A circuit with other circuits in the place of its inputs.

use crate::bits::Bits;
use crate::graph::{Graph, Lit, Node};

/// What stands in the place of inputs. Inputs that are not named stay.
///
/// Parts that do not depend on what is replaced stay the same literals: so a condition that a step does not touch is seen
/// to be untouched.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    /// For each node, what it has become; the inputs that are replaced are there from the start.
    known: Vec<Option<Lit>>,
}

impl Substitution {
    /// Replaces nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts `by` in the place of `of`, which must be an input or a constant, before anything is substituted.
    pub fn replace(&mut self, of: Lit, by: Lit) {
        if of.value().is_none() && of != by {
            self.remember(of.node(), by.negated_if(of.is_negated()));
        }
    }

    /// Puts a number in the place of one that is made of inputs and constants.
    pub fn replace_bits(&mut self, of: &Bits, by: &Bits) {
        for (i, lit) in of.lits().iter().enumerate() {
            self.replace(*lit, by.bit(i));
        }
    }

    fn remember(&mut self, node: usize, lit: Lit) {
        if self.known.len() <= node {
            self.known.resize(node + 1, None);
        }
        self.known[node] = Some(lit);
    }

    fn look_up(&self, node: usize) -> Option<Lit> {
        self.known.get(node).copied().flatten()
    }

    /// What `lit` becomes.
    pub fn apply(&mut self, graph: &mut Graph, lit: Lit) -> Lit {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.look_up(node).is_some() {
                stack.pop();
                continue;
            }
            let Node::And(a, b) = graph.kind(node) else {
                self.remember(node, Lit::positive(node));
                continue;
            };
            match (self.look_up(a.node()), self.look_up(b.node())) {
                (Some(x), Some(y)) => {
                    let new = graph.and(x.negated_if(a.is_negated()), y.negated_if(b.is_negated()));
                    self.remember(node, new);
                }
                (x, y) => {
                    stack.extend(x.is_none().then_some(a.node()));
                    stack.extend(y.is_none().then_some(b.node()));
                }
            }
        }
        self.look_up(lit.node()).expect("just done").negated_if(lit.is_negated())
    }
}
