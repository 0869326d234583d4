//! What is violated or reached in each state, and where threads are seen (rules 3.3, 8.1 to 8.6).

use crate::code::{Check, Code};
use crate::formula::Formulas;
use crate::graph::Graph;
use crate::property::View;
use crate::state::{State, Thread};
use crate::values::Violation;
use crate::world::World;
use program::typed::{Expr, ExprKind, LabelPattern, Property, PropertyId, PropertyKind, ThreadRef};
use std::collections::{BTreeMap, BTreeSet};

/// A temporal property that is judged.
pub(crate) struct Temporal<'p> {
    pub(crate) property: &'p Property,
    pub(crate) formulas: Formulas<'p>,
    /// The negated formula.
    pub(crate) negated: usize,
    pub(crate) is_fair: bool,
}

/// A question about labels of a thread.
type Question<'e> = (&'e ThreadRef, &'e [LabelPattern]);

impl<'p> World<'p> {
    /// Whether a stated property is to be looked at.
    pub(crate) fn is_judged(&self, property: &Property) -> bool {
        let names = self.options.properties.as_ref();
        matches!(property.kind, PropertyKind::Assert) || names.is_none_or(|names| names.contains(&property.name))
    }

    pub(crate) fn temporals(&self) -> BTreeMap<PropertyId, Temporal<'p>> {
        let state = self.unstarted();
        let mut temporals = BTreeMap::new();
        for (id, property) in self.program.properties.iter().filter(|(_, property)| self.is_judged(property)) {
            if let PropertyKind::Ltl { formula, is_fair } = &property.kind {
                let view = View { world: self, state: &state, locals: &property.locals, bound: Vec::new() };
                let mut formulas = Formulas::default();
                let negated = formulas.add(&view, formula, false);
                temporals.insert(id, Temporal { property, formulas, negated, is_fair: *is_fair });
            }
        }
        temporals
    }

    /// Marks the points at which threads are seen: whether there are any that they otherwise only pass.
    pub(crate) fn mark(&mut self, temporals: &BTreeMap<PropertyId, Temporal<'p>>) -> bool {
        let atoms = temporals.values().flat_map(|temporal| &temporal.formulas.atoms);
        let of_runs: Vec<Question<'_>> = atoms.flat_map(|(expr, _)| questions(expr)).collect();
        let properties = self.program.properties.values().filter(|property| self.is_judged(property));
        let invariants = properties.filter_map(|property| match &property.kind {
            PropertyKind::Invariant(condition) => Some(condition),
            _ => None,
        });
        let covers = self.program.covers.values().filter_map(|cover| cover.condition.as_ref());
        let graphs = self.program.graphs.values().filter_map(|graph| graph.condition.as_ref());
        let of_states: Vec<Question<'_>> = invariants.chain(covers).chain(graphs).flat_map(questions).collect();
        for code in &mut self.code {
            for point in &mut code.points {
                let is_named = |(asked, patterns): &Question<'_>| {
                    let is_label = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
                    asked.thread == code.thread && point.labels.iter().any(is_label)
                };
                point.rests = of_runs.iter().any(is_named);
                point.is_seen = of_states.iter().any(is_named);
            }
        }
        !of_states.is_empty()
    }

    /// The first state that violates each; covers that are reached are noted.
    pub(crate) fn judge(
        &self,
        graph: &mut Graph,
        temporals: &BTreeMap<PropertyId, Temporal<'p>>,
    ) -> BTreeMap<Violation, usize> {
        let mut violated = BTreeMap::new();
        for (at, state) in graph.states.iter().enumerate() {
            let is_stuck = graph.edges[at].iter().any(|edge| edge.thread.is_none());
            let mut found: Vec<Violation> = state.threads.iter().filter_map(|thread| thread.failed).collect();
            if found.is_empty() {
                found = self.judge_state(state, temporals, &mut graph.passed);
                let is_deadlock = is_stuck && self.options.check_deadlock && self.is_deadlock(state);
                found.extend(is_deadlock.then_some(Violation::Deadlock));
            }
            found.into_iter().for_each(|violation| _ = violated.entry(violation).or_insert(at));
        }
        violated
    }

    /// A state in which no thread has violated anything (rule 8.5).
    fn judge_state(
        &self,
        state: &State,
        temporals: &BTreeMap<PropertyId, Temporal<'p>>,
        passed: &mut BTreeSet<Check>,
    ) -> Vec<Violation> {
        let mut found = Vec::new();
        for (id, property) in self.program.properties.iter().filter(|(_, property)| self.is_judged(property)) {
            let view = View { world: self, state, locals: &property.locals, bound: Vec::new() };
            let is_violated = match &property.kind {
                PropertyKind::Invariant(condition) if self.sees(state, Some(condition)) => {
                    view.see(condition).map(|value| value == Some(0))
                }
                PropertyKind::Forbid(condition) if self.is_quiescent(state) => {
                    view.see(condition).map(|value| value == Some(1))
                }
                PropertyKind::Ltl { .. } if self.sees(state, None) => {
                    let atoms = temporals.get(&id).into_iter().flat_map(|temporal| &temporal.formulas.atoms);
                    let mut seen = atoms.map(|(expr, bound)| View { bound: bound.clone(), ..view }.see(expr));
                    seen.find_map(Result::err).map_or(Ok(false), Err)
                }
                _ => continue,
            };
            match is_violated {
                Ok(false) => {}
                Ok(true) => found.push(Violation::Property(id)),
                Err(violation) => found.push(violation),
            }
        }
        for (id, cover) in self.program.covers.iter() {
            let Some(condition) = cover.condition.as_ref().filter(|c| self.sees(state, Some(c))) else { continue };
            match (View { world: self, state, locals: &cover.locals, bound: Vec::new() }).see(condition) {
                Ok(Some(1)) => _ = passed.insert(Check::Cover(id)),
                Ok(_) => {}
                Err(violation) => found.push(violation),
            }
        }
        found
    }

    /// Whether a condition sees all threads where they are: one at a point that it only passes if a label of it is named.
    fn sees(&self, state: &State, condition: Option<&Expr>) -> bool {
        state.threads.iter().filter(|thread| self.passes(thread)).all(|thread| {
            let names_it =
                |condition| questions(condition).into_iter().any(|asked| names(asked, &self.code[thread.id]));
            condition.is_some_and(names_it)
        })
    }

    /// Whether a thread is at a point that it only passes (rule 8.2).
    pub(crate) fn passes(&self, thread: &Thread) -> bool {
        thread.pauses && !self.code[thread.id].points[thread.pc].rests
    }

    /// Rule 3.3, for a state without steps.
    fn is_deadlock(&self, state: &State) -> bool {
        state.threads.iter().any(|thread| {
            let has_ended = self.has_ended(thread.id, thread.pc) && thread.aborted.is_none();
            !has_ended && !thread.spins || thread.accesses().next().is_some()
        })
    }
}

/// Whether a question may be about this thread.
fn names((asked, _): Question<'_>, code: &Code) -> bool {
    let copy = asked.index.as_ref().and_then(|index| index.constant());
    asked.thread == code.thread && copy.is_none_or(|copy| i64::from(copy) == code.copy)
}

/// The questions about labels in an expression.
fn questions(expr: &Expr) -> Vec<Question<'_>> {
    let mut all: Vec<Question<'_>> = expr.operands().into_iter().flat_map(questions).collect();
    if let ExprKind::At(asked, patterns) = &expr.kind {
        all.push((asked, patterns));
    }
    all
}
