//! One step of a thread while it is being executed on circuits.
//!
//! A path has the condition under which it is taken. Paths that come together are merged, so that a step is one circuit
//! however many ways there are through a region.

use crate::state::State;
use crate::step::Violations;
use crate::values::{has_value, value};
use automata::{Automata, Domain, Expr, PropertyId, RegId};
use base::table::Id;
use sat::{Answer, Bits, Budget, Graph, Lit, Solver};

/// A way through a step.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// When it is taken.
    pub(crate) condition: Lit,
    /// The state so far. The thread's place is set at the end.
    pub(crate) state: State,
}

/// Paths being executed, of one thread.
pub(crate) struct Execution<'g> {
    pub(crate) graph: &'g mut Graph,
    pub(crate) thread: usize,
    /// What is known of the state before the step.
    pub(crate) typing: Lit,
    /// What is violated, and when; a path continues only where nothing is.
    pub(crate) violations: Violations,
    /// Free variables that say which way a choice goes.
    pub(crate) choices: Vec<Lit>,
}

impl Execution<'_> {
    /// The value of an expression over the thread's registers; one without value violates `in_range`.
    pub(crate) fn value(&mut self, path: &mut Path, expr: &Expr) -> Bits {
        let (value, has_value) = self.possible_value(path, expr);
        self.demand(path, has_value, Automata::IN_RANGE);
        value
    }

    /// The value of an expression over the thread's registers, and when it has one.
    pub(crate) fn possible_value(&mut self, path: &Path, expr: &Expr) -> (Bits, Lit) {
        let registers = &path.state.threads[self.thread].registers;
        let mut leaf = |_: &mut Graph, register: &RegId| registers[register.index()].clone();
        (value(self.graph, expr, &mut leaf), has_value(self.graph, expr, &mut leaf))
    }

    /// Whether an expression over the thread's registers is true; one without value violates `in_range`.
    pub(crate) fn holds(&mut self, path: &mut Path, expr: &Expr) -> Lit {
        let value = self.value(path, expr);
        self.graph.is_true(&value)
    }

    /// Goes on only where `holds`; elsewhere there is no step.
    pub(crate) fn assume(&mut self, path: &mut Path, holds: Lit) {
        path.condition = self.graph.and(path.condition, holds);
    }

    /// The part of a path that waits at an `assume` because its condition is false, if there is one.
    pub(crate) fn waiting(&mut self, path: &Path, condition: &Expr) -> Option<Path> {
        let (value, has_value) = self.possible_value(path, condition);
        let is_false = !self.graph.is_true(&value);
        let mut waiting = path.clone();
        self.assume(&mut waiting, has_value);
        self.assume(&mut waiting, is_false);
        (waiting.condition != Lit::FALSE).then_some(waiting)
    }

    /// Goes on only where `holds`; elsewhere `property` is violated.
    pub(crate) fn demand(&mut self, path: &mut Path, holds: Lit, property: PropertyId) {
        let violated = self.graph.and(path.condition, !holds);
        if violated != Lit::FALSE {
            self.violations.push((property, violated));
        }
        self.assume(path, holds);
    }

    /// Demands that a value be in `domain`.
    pub(crate) fn demand_in_range(&mut self, path: &mut Path, value: &Bits, domain: Domain) {
        let is_within = self.graph.is_within(value, domain.low, domain.high);
        self.demand(path, is_within, Automata::IN_RANGE);
    }

    pub(crate) fn set_register(&mut self, path: &mut Path, register: RegId, value: Bits) {
        path.state.threads[self.thread].registers[register.index()] = value;
    }

    /// Whether a path is never taken.
    pub(crate) fn is_never(&mut self, path: &Path) -> bool {
        path.condition == Lit::FALSE || {
            let answer = Solver::new().solve(self.graph, &[self.typing, path.condition], Budget::default());
            matches!(answer, Answer::Unsat(_))
        }
    }

    /// Splits a path into `n` by free choice.
    pub(crate) fn split(&mut self, path: Path, n: usize) -> Vec<Path> {
        let mut rest = path;
        let mut ways = Vec::with_capacity(n);
        for _ in 1..n {
            let choice = self.graph.input();
            self.choices.push(choice);
            let mut way = rest.clone();
            self.assume(&mut way, choice);
            self.assume(&mut rest, !choice);
            ways.push(way);
        }
        ways.push(rest);
        ways
    }

    /// One path for two of which at most one is taken.
    pub(crate) fn merge(&mut self, a: Path, b: Path) -> Path {
        if a.condition == Lit::FALSE {
            return b;
        }
        let graph = &mut *self.graph;
        let mut state = b.state;
        let merge = |graph: &mut Graph, of: &[Bits], into: &mut [Bits]| {
            of.iter().zip(into).for_each(|(of, into)| *into = graph.choose(a.condition, of, into));
        };
        merge(graph, &a.state.cells, &mut state.cells);
        let (of, into) = (&a.state.threads[self.thread], &mut state.threads[self.thread]);
        into.place = graph.choose(a.condition, &of.place, &into.place);
        merge(graph, &of.registers, &mut into.registers);
        Path { condition: graph.or(a.condition, b.condition), state }
    }
}
