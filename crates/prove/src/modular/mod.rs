//! Rely-guarantee: each thread is proved by itself, and what the others may do is what their guarantees say.
//!
//! Reading order: `owners` (whose assertion a condition is), `relation` (what a guarantee allows, as a circuit), this file (which
//! obligations there are, and what each may use), `confirm` (an interference that breaks an assertion, judged by the interpreter).
//!
//! The argument is by induction over a run. Before a step, the global invariant and all assertions are true. The step is as its
//! thread's guarantee says, because of that thread's assertions. So the global invariant is true after it; then the assertions of the
//! other threads are, because they are stable; and those of the thread itself, because the step establishes them.

mod confirm;
mod owners;
mod relation;

use crate::confirm::Confirmation;
use crate::problem::{Problem, Row, RowKind};
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::step::{StepKind, StepOf};
use automata::{Automata, Relation};
pub(crate) use confirm::confirm;
pub use owners::Owner;
pub(crate) use owners::by_owner;
use sat::{Graph, Lit};

/// The name of the row that says that steps are as their guarantees say.
pub(crate) const GUARANTEE: &str = "guarantee";

/// What is asked of a step and a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Question {
    /// Whether the step preserves the row, given every row: no thread is looked at by itself.
    Preserved,
    /// Whether the step establishes what its own thread asserts after it.
    Local,
    /// Whether an assertion of another thread stays true.
    Stable,
    /// Whether the global invariant stays true.
    Global,
    /// Whether the step violates nothing by itself.
    Safe,
    /// Whether the step is as a guarantee says.
    Respected,
}

/// Which rows an obligation may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hypotheses {
    /// Of the state before the step.
    pub(crate) before: Vec<usize>,
    /// Of the state after it: what is proved without the row.
    pub(crate) after: Vec<usize>,
    /// Whether what the thread's guarantee requires is used in place of what the thread asserts.
    pub(crate) required: bool,
}

/// What a step is to be like.
#[derive(Clone, Debug, Default)]
pub(crate) struct Promise {
    /// Guarantees, by their positions; the step is to be as one of them says. None: it is what its code does.
    pub(crate) guarantees: Vec<usize>,
    /// Whether others see only that, and not its code.
    pub(crate) is_abstract: bool,
    /// Rows of at most this level may be used to prove it.
    pub(crate) level: u32,
}

impl Promise {
    /// What `step` is to be like. The commit of a store is as some guarantee of its thread says that modifies such a cell.
    pub(crate) fn of(automata: &Automata, step: &StepOf) -> Self {
        let is_meant = |(_, guarantee): &(usize, &automata::Guarantee)| {
            let Some(relation) = guarantee.of(step.thread) else { return false };
            match &step.kind {
                StepKind::Point(point) => guarantee.points.contains(&(step.thread, *point)),
                StepKind::Commit { cells, .. } => relation.effect.as_ref().is_some_and(|effect| {
                    let places = effect.modifies.iter().flatten();
                    effect.modifies.is_none() || places.flat_map(|p| p.cells()).any(|cell| cells.contains(&cell))
                }),
                StepKind::Interference { .. } => false,
            }
        };
        let mut meant: Vec<(usize, &automata::Guarantee)> =
            automata.guarantees.iter().enumerate().filter(is_meant).collect();
        let has_effect =
            |guarantee: &automata::Guarantee| guarantee.of(step.thread).is_some_and(|of| of.effect.is_some());
        let is_abstract = meant.iter().any(|(_, guarantee)| has_effect(guarantee));
        meant.retain(|(_, guarantee)| has_effect(guarantee) == is_abstract);
        let level = meant.iter().map(|(_, guarantee)| guarantee.level).max().unwrap_or(1);
        Promise { guarantees: meant.into_iter().map(|(id, _)| id).collect(), is_abstract, level }
    }
}

/// What may happen at any time as far as other threads know: each guarantee with an effect that some step is to be as.
pub(crate) fn interferences(automata: &Automata, promises: &[Promise], level: Option<u32>) -> Vec<StepOf> {
    let mut found = Vec::new();
    for (id, guarantee) in automata.guarantees.iter().enumerate() {
        let is_used = promises.iter().any(|promise| promise.guarantees.contains(&id));
        let is_low = level.is_none_or(|level| guarantee.level <= level);
        for relation in guarantee.relations.iter().filter(|of| is_used && is_low && of.effect.is_some()) {
            found.push(StepOf { thread: relation.thread, kind: StepKind::Interference { guarantee: id } });
        }
    }
    found
}

impl Problem<'_> {
    /// Whether a step is as a guarantee of its thread says, and what these guarantees require. What changes nothing shared is as any
    /// guarantee says that others see instead of the code.
    pub(crate) fn promise(&self, graph: &mut Graph, step: usize, (before, after): (&State, &State)) -> (Lit, Lit) {
        let Some(promise) = self.promises.get(step) else { return (Lit::TRUE, Lit::TRUE) };
        let of = |id: &usize| self.automata.guarantees[*id].of(self.steps[step].thread);
        let circuits = self.relation();
        let (mut allowed, mut required) = (Vec::new(), Vec::new());
        if promise.is_abstract {
            allowed.push(circuits.is_silent(graph, before, after));
        }
        for relation in promise.guarantees.iter().filter_map(of) {
            allowed.push(circuits.is_allowed(graph, (before, after), relation));
            required.push(circuits.holds(graph, before, &relation.requires));
        }
        (graph.any(allowed), graph.any(required))
    }

    /// Whether a step is as a guarantee of its thread says, as the plain interpreter judges it.
    pub fn is_as_promised(&self, step: usize, before: &Snapshot, after: &Snapshot) -> bool {
        let Some(promise) = self.promises.get(step).filter(|promise| !promise.guarantees.is_empty()) else {
            return true;
        };
        let of = |id: &usize| self.automata.guarantees[*id].of(self.steps[step].thread);
        let is_silent = promise.is_abstract && before.cells == after.cells;
        let is_it = |of: &Relation| confirm(self, of, (before, after)) == Confirmation::Confirmed;
        is_silent || promise.guarantees.iter().filter_map(of).any(is_it)
    }

    /// What is asked of a step and a row, if anything is.
    pub fn question(&self, step: usize, row: usize) -> Option<Question> {
        let Some(promise) = self.promises.get(step) else { return Some(Question::Preserved) };
        let (of, row) = (&self.steps[step], &self.rows[row]);
        let is_interference = matches!(of.kind, StepKind::Interference { .. });
        match (row.kind, row.owner) {
            (RowKind::Violation, _) => (!is_interference).then_some(Question::Safe),
            (RowKind::Guarantee, _) => {
                let is_low = self.level.is_none_or(|level| promise.level <= level);
                (is_low && !promise.guarantees.is_empty()).then_some(Question::Respected)
            }
            (RowKind::Invariant, Owner::Several) => (!is_interference).then_some(Question::Preserved),
            (RowKind::Invariant, Owner::Thread(thread)) if thread == of.thread => {
                (!is_interference).then_some(Question::Local)
            }
            (RowKind::Invariant, owner) => {
                let is_seen = match &of.kind {
                    StepKind::Interference { guarantee } => self.automata.guarantees[*guarantee].level <= row.level,
                    _ => !(promise.is_abstract && promise.level <= row.level),
                };
                let question = if owner == Owner::Shared { Question::Global } else { Question::Stable };
                is_seen.then_some(question)
            }
        }
    }

    /// What an obligation may use.
    pub(crate) fn hypotheses(&self, step: usize, row: usize, question: Question) -> Hypotheses {
        let level = match self.promises.get(step) {
            Some(promise) if question == Question::Respected => promise.level,
            _ => self.rows[row].level,
        };
        let rows = |may: &dyn Fn(&Row) -> bool| -> Vec<usize> {
            let invariants = self.rows.iter().enumerate().filter(|(_, row)| row.kind == RowKind::Invariant);
            invariants.filter(|(_, of)| of.level <= level && may(of)).map(|(row, _)| row).collect()
        };
        if self.promises.is_empty() {
            return Hypotheses { before: rows(&|_| true), ..Hypotheses::default() };
        }
        let (of, promise) = (&self.steps[step], &self.promises[step]);
        let owner = self.rows[row].owner;
        let is_interference = matches!(of.kind, StepKind::Interference { .. });
        let others = matches!(question, Question::Stable | Question::Global);
        let required = others && !promise.guarantees.is_empty() && !promise.is_abstract && promise.level <= level;
        let acts = |row: &Row| row.owner == Owner::Thread(of.thread) && !required && !is_interference;
        let before = match question {
            Question::Preserved => rows(&|_| true),
            _ => rows(&|row| !matches!(row.owner, Owner::Thread(_)) || acts(row) || row.owner == owner),
        };
        let after = match question {
            Question::Preserved => rows(&|row| row.owner != Owner::Several),
            Question::Local | Question::Stable => rows(&|row| row.owner == Owner::Shared),
            _ => Vec::new(),
        };
        Hypotheses { before, after, required }
    }
}
