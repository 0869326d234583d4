//! And-inverter graphs: every circuit is made of inputs, conjunctions and negations.
//!
//! A conjunction that exists is not made again (structural hashing), and one that is constant, or equal to one of its
//! operands, is folded. So equal literals mean equal functions; the converse need not hold.

use rustc_hash::FxHashMap;

/// A node of the graph, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The constant.
    pub const FALSE: Lit = Lit(0);
    /// The constant.
    pub const TRUE: Lit = Lit(1);

    pub(crate) fn positive(node: usize) -> Lit {
        Lit((node as u32) << 1)
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn negated_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }

    /// The constant of that value.
    pub fn constant(value: bool) -> Lit {
        Lit::FALSE.negated_if(value)
    }

    /// The value, if it is a constant.
    pub fn value(self) -> Option<bool> {
        (self.node() == 0).then(|| self.is_negated())
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        self.negated_if(true)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// The constant false.
    False,
    /// A free variable, by its number.
    Input(u32),
    /// Both.
    And(Lit, Lit),
}

/// An and-inverter graph.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    known: FxHashMap<(Lit, Lit), u32>,
    n_inputs: u32,
}

impl Graph {
    /// A graph without inputs.
    pub fn new() -> Self {
        Graph { nodes: vec![Node::False], known: FxHashMap::default(), n_inputs: 0 }
    }

    /// How many nodes there are, the constant included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn kind(&self, node: usize) -> Node {
        self.nodes[node]
    }

    /// A new free variable.
    pub fn input(&mut self) -> Lit {
        self.nodes.push(Node::Input(self.n_inputs));
        self.n_inputs += 1;
        Lit::positive(self.nodes.len() - 1)
    }

    /// The number of the free variable that `lit` is.
    pub fn input_number(&self, lit: Lit) -> Option<usize> {
        match self.nodes[lit.node()] {
            Node::Input(input) if !lit.is_negated() => Some(input as usize),
            _ => None,
        }
    }

    /// How many free variables there are.
    pub fn n_inputs(&self) -> usize {
        self.n_inputs as usize
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(folded) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return folded;
        }
        if let Some(node) = self.known.get(&(a, b)) {
            return Lit::positive(*node as usize);
        }
        self.known.insert((a, b), self.nodes.len() as u32);
        self.nodes.push(Node::And(a, b));
        Lit::positive(self.nodes.len() - 1)
    }

    /// `a and b` where `b` is a conjunction with `a` or its negation in it, or the negation of one.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Node::And(c, d) = self.nodes[b.node()] else { return None };
        match b.is_negated() {
            false if a == c || a == d => Some(b),
            false if a == !c || a == !d => Some(Lit::FALSE),
            true if a == !c || a == !d => Some(a),
            true if a == c => Some(self.and(a, !d)),
            true if a == d => Some(self.and(a, !c)),
            _ => None,
        }
    }

    /// At least one.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The second, if the first.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// Exactly one.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (only_a, only_b) = (self.and(a, !b), self.and(!a, b));
        self.or(only_a, only_b)
    }

    /// `then` if `condition`, else `otherwise`.
    pub fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        let (yes, no) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(yes, no)
    }

    /// All of them.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Any of them.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::FALSE, |any, lit| self.or(any, lit))
    }

    /// The values of `lits`, `inputs` being those of the inputs by their numbers.
    pub fn evaluate(&self, inputs: &[bool], lits: &[Lit]) -> Vec<bool> {
        let mut values = vec![false; self.nodes.len()];
        let value = |values: &[bool], lit: Lit| values[lit.node()] != lit.is_negated();
        for (index, node) in self.nodes.iter().enumerate() {
            values[index] = match *node {
                Node::False => false,
                Node::Input(input) => inputs.get(input as usize).copied().unwrap_or(false),
                Node::And(a, b) => value(&values, a) && value(&values, b),
            };
        }
        lits.iter().map(|lit| value(&values, *lit)).collect()
    }
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}
