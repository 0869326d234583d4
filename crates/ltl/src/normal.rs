//! Formulas in normal form: negations at atoms only, simplified, each subformula stored once.
//!
//! Sharing keeps the form as small as the formula: negation and `weakly_until` copy nothing. The simplifications are
//! the usual ones; those that join several `eventually` into one save acceptance marks.

use crate::Formula;
use std::collections::BTreeMap;

/// A subformula, by its position in `Nodes`.
pub(crate) type NodeId = u32;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    True,
    False,
    /// An atom, or its negation.
    Literal(u32, bool),
    /// Sorted, at least two, none of them a conjunction.
    And(Vec<NodeId>),
    /// Sorted, at least two, none of them a disjunction.
    Or(Vec<NodeId>),
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
    WeakUntil(NodeId, NodeId),
    /// The dual of weak until: as release, but the first must become true.
    StrongRelease(NodeId, NodeId),
}

pub(crate) const TRUE: NodeId = 0;
pub(crate) const FALSE: NodeId = 1;

pub(crate) struct Nodes {
    nodes: Vec<Node>,
    index: BTreeMap<Node, NodeId>,
    negations: BTreeMap<NodeId, NodeId>,
}

impl Nodes {
    pub(crate) fn new() -> Self {
        let mut nodes = Nodes { nodes: Vec::new(), index: BTreeMap::new(), negations: BTreeMap::new() };
        nodes.add(Node::True);
        nodes.add(Node::False);
        nodes
    }

    pub(crate) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    fn add(&mut self, node: Node) -> NodeId {
        if let Some(id) = self.index.get(&node) {
            return *id;
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// The normal form of `formula`, or of its negation if not `positive`.
    pub(crate) fn normal(&mut self, formula: &Formula, positive: bool) -> NodeId {
        match formula {
            Formula::True => {
                if positive {
                    TRUE
                } else {
                    FALSE
                }
            }
            Formula::False => self.normal(&Formula::True, !positive),
            Formula::Atom(atom) => self.add(Node::Literal(*atom, positive)),
            Formula::Not(f) => self.normal(f, !positive),
            Formula::Next(f) => {
                let f = self.normal(f, positive);
                self.next(f)
            }
            Formula::Eventually(f) => {
                let f = self.normal(f, positive);
                if positive { self.until(TRUE, f) } else { self.release(FALSE, f) }
            }
            Formula::Always(f) => {
                let f = self.normal(f, positive);
                if positive { self.release(FALSE, f) } else { self.until(TRUE, f) }
            }
            Formula::Implies(f, g) => {
                let (f, g) = (self.normal(f, !positive), self.normal(g, positive));
                if positive { self.or(vec![f, g]) } else { self.and(vec![f, g]) }
            }
            Formula::And(f, g) => {
                let both = vec![self.normal(f, positive), self.normal(g, positive)];
                if positive { self.and(both) } else { self.or(both) }
            }
            Formula::Or(f, g) => {
                let both = vec![self.normal(f, positive), self.normal(g, positive)];
                if positive { self.or(both) } else { self.and(both) }
            }
            Formula::Until(f, g) => {
                let (f, g) = (self.normal(f, positive), self.normal(g, positive));
                if positive { self.until(f, g) } else { self.release(f, g) }
            }
            Formula::Release(f, g) => {
                let (f, g) = (self.normal(f, positive), self.normal(g, positive));
                if positive { self.release(f, g) } else { self.until(f, g) }
            }
            Formula::WeakUntil(f, g) => {
                let (f, g) = (self.normal(f, positive), self.normal(g, positive));
                if positive { self.weak_until(f, g) } else { self.strong_release(f, g) }
            }
        }
    }

    fn negate(&mut self, id: NodeId) -> NodeId {
        if let Some(negation) = self.negations.get(&id) {
            return *negation;
        }
        let negation = match self.get(id).clone() {
            Node::True => FALSE,
            Node::False => TRUE,
            Node::Literal(atom, positive) => self.add(Node::Literal(atom, !positive)),
            Node::And(all) => {
                let all = all.into_iter().map(|id| self.negate(id)).collect();
                self.or(all)
            }
            Node::Or(all) => {
                let all = all.into_iter().map(|id| self.negate(id)).collect();
                self.and(all)
            }
            Node::Next(f) => {
                let f = self.negate(f);
                self.next(f)
            }
            Node::Until(f, g) => {
                let (f, g) = (self.negate(f), self.negate(g));
                self.release(f, g)
            }
            Node::Release(f, g) => {
                let (f, g) = (self.negate(f), self.negate(g));
                self.until(f, g)
            }
            Node::WeakUntil(f, g) => {
                let (f, g) = (self.negate(f), self.negate(g));
                self.strong_release(f, g)
            }
            Node::StrongRelease(f, g) => {
                let (f, g) = (self.negate(f), self.negate(g));
                self.weak_until(f, g)
            }
        };
        self.negations.insert(id, negation);
        negation
    }

    /// `eventually` of what, if it is that.
    fn is_eventually(&self, id: NodeId) -> Option<NodeId> {
        if let Node::Until(TRUE, f) = self.get(id) { Some(*f) } else { None }
    }

    /// `always` of what, if it is that.
    fn is_always(&self, id: NodeId) -> Option<NodeId> {
        if let Node::Release(FALSE, f) = self.get(id) { Some(*f) } else { None }
    }

    /// Whether it is `always eventually` or `eventually always`: then it is true now iff it is true at any other time.
    fn is_timeless(&self, id: NodeId) -> bool {
        self.is_always(id).is_some_and(|f| self.is_eventually(f).is_some())
            || self.is_eventually(id).is_some_and(|f| self.is_always(f).is_some())
    }

    fn and(&mut self, ids: Vec<NodeId>) -> NodeId {
        let mut all = self.flat(ids, |node| if let Node::And(inner) = node { Some(inner) } else { None });
        // `eventually always f and eventually always g` is `eventually always (f and g)`.
        let persistent = |nodes: &Nodes, id: NodeId| nodes.is_eventually(id).and_then(|f| nodes.is_always(f));
        if let Some(inner) = self.take_several(&mut all, persistent) {
            let inner = self.and(inner);
            let inner = self.release(FALSE, inner);
            all.push(self.until(TRUE, inner));
        }
        self.joined(all, (TRUE, FALSE), Node::And)
    }

    fn or(&mut self, ids: Vec<NodeId>) -> NodeId {
        let mut all = self.flat(ids, |node| if let Node::Or(inner) = node { Some(inner) } else { None });
        // `eventually f or eventually g` is `eventually (f or g)`, and so with `always eventually`.
        if let Some(inner) = self.take_several(&mut all, Nodes::is_eventually) {
            let inner = self.or(inner);
            all.push(self.until(TRUE, inner));
        }
        let recurrent = |nodes: &Nodes, id: NodeId| nodes.is_always(id).and_then(|f| nodes.is_eventually(f));
        if let Some(inner) = self.take_several(&mut all, recurrent) {
            let inner = self.or(inner);
            let inner = self.until(TRUE, inner);
            all.push(self.release(FALSE, inner));
        }
        self.joined(all, (FALSE, TRUE), Node::Or)
    }

    /// The operands, with those of operands of the same operator in their place.
    fn flat(&self, ids: Vec<NodeId>, operands: impl Fn(&Node) -> Option<&Vec<NodeId>>) -> Vec<NodeId> {
        let mut all = Vec::new();
        for id in ids {
            if let Some(inner) = operands(self.get(id)) { all.extend(inner.iter().copied()) } else { all.push(id) }
        }
        all
    }

    /// Takes the operands of a form out of `all`, if there are several: what is inside each.
    fn take_several(
        &self,
        all: &mut Vec<NodeId>,
        inside: impl Fn(&Nodes, NodeId) -> Option<NodeId>,
    ) -> Option<Vec<NodeId>> {
        let inner: Vec<NodeId> = all.iter().filter_map(|id| inside(self, *id)).collect();
        if inner.len() < 2 {
            return None;
        }
        all.retain(|id| inside(self, *id).is_none());
        Some(inner)
    }

    /// The operator on all of `ids`: `neutral` changes nothing, `decisive` decides, as an operand and its negation do.
    fn joined(
        &mut self,
        mut ids: Vec<NodeId>,
        (neutral, decisive): (NodeId, NodeId),
        node: fn(Vec<NodeId>) -> Node,
    ) -> NodeId {
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| *id != neutral);
        if ids.contains(&decisive) || ids.clone().into_iter().any(|id| ids.contains(&self.negate(id))) {
            return decisive;
        }
        match ids[..] {
            [] => neutral,
            [one] => one,
            _ => self.add(node(ids)),
        }
    }

    fn next(&mut self, f: NodeId) -> NodeId {
        if f == TRUE || f == FALSE || self.is_timeless(f) { f } else { self.add(Node::Next(f)) }
    }

    fn until(&mut self, f: NodeId, g: NodeId) -> NodeId {
        if f == FALSE || f == g || g == TRUE || g == FALSE || self.is_timeless(g) {
            return g;
        }
        match *self.get(g) {
            // `eventually (_ until g)` is `eventually g`.
            Node::Until(_, g2) if f == TRUE => self.until(TRUE, g2),
            Node::Until(f2, _) if f2 == f => g,
            _ => self.add(Node::Until(f, g)),
        }
    }

    fn release(&mut self, f: NodeId, g: NodeId) -> NodeId {
        if f == TRUE || f == g || g == TRUE || g == FALSE || self.is_timeless(g) {
            return g;
        }
        match *self.get(g) {
            // `always (_ release g)` is `always g`.
            Node::Release(_, g2) if f == FALSE => self.release(FALSE, g2),
            Node::Release(f2, _) if f2 == f => g,
            _ => self.add(Node::Release(f, g)),
        }
    }

    fn weak_until(&mut self, f: NodeId, g: NodeId) -> NodeId {
        match (f, g) {
            (TRUE, _) | (_, TRUE) => TRUE,
            (FALSE, _) => g,
            (_, FALSE) => self.release(FALSE, f),
            _ if f == g => f,
            _ => self.add(Node::WeakUntil(f, g)),
        }
    }

    fn strong_release(&mut self, f: NodeId, g: NodeId) -> NodeId {
        match (f, g) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, _) => g,
            (_, TRUE) => self.until(TRUE, f),
            _ if f == g => f,
            _ => self.add(Node::StrongRelease(f, g)),
        }
    }

    /// The node as a formula again.
    #[cfg(test)]
    pub(crate) fn formula(&self, id: NodeId) -> Formula {
        let join = |all: &[NodeId], make: fn(Formula, Formula) -> Formula| {
            all.iter().map(|id| self.formula(*id)).reduce(make).expect("there are two")
        };
        match self.get(id) {
            Node::True => Formula::True,
            Node::False => Formula::False,
            Node::Literal(atom, true) => Formula::Atom(*atom),
            Node::Literal(atom, false) => Formula::negation(Formula::Atom(*atom)),
            Node::And(all) => join(all, Formula::and),
            Node::Or(all) => join(all, Formula::or),
            Node::Next(f) => Formula::next(self.formula(*f)),
            Node::Until(f, g) => Formula::until(self.formula(*f), self.formula(*g)),
            Node::Release(f, g) => Formula::release(self.formula(*f), self.formula(*g)),
            Node::WeakUntil(f, g) => Formula::weak_until(self.formula(*f), self.formula(*g)),
            Node::StrongRelease(f, g) => {
                Formula::until(self.formula(*g), Formula::and(self.formula(*f), self.formula(*g)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let names = ["p", "q", "r"];
        let mut nodes = Nodes::new();
        let id = nodes.normal(&crate::read(text, &names).expect("reads"), true);
        assert_eq!(nodes.formula(id).words(&names).to_string(), expected);
    }

    #[test]
    fn negations_go_inwards() {
        check("not (p until q)", "not p release not q");
        check("not always (p implies eventually q)", "true until (p and false release not q)");
        check("not (p weakly_until q)", "not q until (not p and not q)");
        check("not next p", "next not p");
    }

    #[test]
    fn what_says_nothing_new_is_dropped() {
        check("p and not p", "false");
        check("(p until q) or not (p until q)", "true");
        check("eventually eventually p", "true until p");
        check("always (q release always p)", "false release p");
        check("next always eventually p", "false release true until p");
        check("eventually p or eventually q", "true until (p or q)");
        check("always eventually p or always eventually q", "false release true until (p or q)");
        check("eventually always p and eventually always q", "true until false release (p and q)");
        check("p until (p until q)", "p until q");
        check("true weakly_until p", "true");
        check("p weakly_until false", "false release p");
    }
}
