//! Whether a circuit can be true, decided incrementally under assumptions.
//!
//! Tseitin's encoding, of those nodes only that a query needs: a variable for each node, and the clauses that make a
//! conjunction's variable what its operands' are.

use crate::graph::{Graph, Lit, Node};
use batsat::{Callbacks, ClauseKind, SolverInterface, lbool};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When to give up.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// After so many conflicts.
    pub conflicts: Option<u64>,
    /// At this time.
    pub deadline: Option<Instant>,
    /// As soon as this is set.
    pub stop: Option<&'a AtomicBool>,
}

/// What the solver says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is an assignment: the values of the inputs by their numbers.
    Sat(Vec<bool>),
    /// There is none: these of the assumptions are enough to exclude one.
    Unsat(Vec<Lit>),
    /// The budget was spent.
    Unknown,
}

/// Looks at the budget while the solver runs.
#[derive(Default)]
struct Watch<'a> {
    budget: Budget<'a>,
    conflicts: u64,
}

impl Callbacks for Watch<'_> {
    fn on_start(&mut self) {
        self.conflicts = 0;
    }

    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        let Budget { conflicts, deadline, stop } = self.budget;
        conflicts.is_some_and(|most| self.conflicts >= most)
            || stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// An incremental solver for circuits of one graph.
pub struct Solver<'a> {
    inner: batsat::Solver<Watch<'a>>,
    /// The variable of each node that a query needed.
    variables: Vec<Option<batsat::Var>>,
}

impl<'a> Solver<'a> {
    /// A solver that nothing is required of.
    pub fn new() -> Self {
        Solver { inner: batsat::Solver::new(Default::default(), Watch::default()), variables: Vec::new() }
    }

    /// Requires `lit` of every assignment.
    pub fn require(&mut self, graph: &Graph, lit: Lit) {
        let lit = self.encode(graph, lit);
        self.inner.add_clause_reuse(&mut vec![lit]);
    }

    /// Whether there is an assignment with all `assumptions`.
    pub fn solve(&mut self, graph: &Graph, assumptions: &[Lit], budget: Budget<'a>) -> Answer {
        let encoded: Vec<batsat::Lit> = assumptions.iter().map(|lit| self.encode(graph, *lit)).collect();
        self.inner.cb_mut().budget = budget;
        self.inner.cb_mut().conflicts = 0;
        if self.inner.cb().stop() {
            return Answer::Unknown;
        }
        let answer = self.inner.solve_limited(&encoded);
        if answer == lbool::TRUE {
            Answer::Sat(self.model(graph))
        } else if answer == lbool::FALSE {
            let core = assumptions.iter().zip(&encoded);
            let is_used = |lit: batsat::Lit| self.inner.unsat_core_contains_lit(lit);
            Answer::Unsat(core.filter(|(_, lit)| is_used(**lit) || is_used(!**lit)).map(|(lit, _)| *lit).collect())
        } else {
            Answer::Unknown
        }
    }

    /// The values of all inputs; false for those that do not matter.
    fn model(&self, graph: &Graph) -> Vec<bool> {
        let mut values = vec![false; graph.n_inputs()];
        for (node, variable) in self.variables.iter().enumerate() {
            if let (Node::Input(input), Some(variable)) = (graph.kind(node), variable) {
                values[input as usize] = self.inner.value_var(*variable) == lbool::TRUE;
            }
        }
        values
    }

    /// The solver's literal for `lit`, with the clauses of all it is made of.
    fn encode(&mut self, graph: &Graph, lit: Lit) -> batsat::Lit {
        self.variables.resize(graph.n_nodes().max(self.variables.len()), None);
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.variables[node].is_some() {
                stack.pop();
                continue;
            }
            match graph.kind(node) {
                Node::False => {
                    let variable = self.variable(node);
                    self.inner.add_clause_reuse(&mut vec![batsat::Lit::new(variable, false)]);
                }
                Node::Input(_) => {
                    self.variable(node);
                }
                Node::And(a, b) => {
                    let rest = [a, b].into_iter().filter(|lit| self.variables[lit.node()].is_none());
                    let before = stack.len();
                    stack.extend(rest.map(Lit::node));
                    if stack.len() == before {
                        self.conjunction(node, a, b);
                    }
                }
            }
        }
        self.known(lit)
    }

    fn variable(&mut self, node: usize) -> batsat::Var {
        let variable = self.inner.new_var_default();
        self.variables[node] = Some(variable);
        variable
    }

    fn conjunction(&mut self, node: usize, a: Lit, b: Lit) {
        let both = batsat::Lit::new(self.variable(node), true);
        let (a, b) = (self.known(a), self.known(b));
        for mut clause in [vec![!both, a], vec![!both, b], vec![both, !a, !b]] {
            self.inner.add_clause_reuse(&mut clause);
        }
    }

    fn known(&self, lit: Lit) -> batsat::Lit {
        let variable = self.variables[lit.node()].expect("encoded before");
        batsat::Lit::new(variable, !lit.is_negated())
    }
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self::new()
    }
}
