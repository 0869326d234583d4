//! Whether a row is bad: a thread has violated something, the state violates a property, or it is a deadlock.
//!
//! Invariants and covers are asked of the row, and of the row with threads put back to points that they only pass on the way to where they
//! are (`passing`, rule 8.2): as many as the condition asks about.

use super::atoms::Atoms;
use super::decisions::Decisions;
use super::tabulated::Tabulated;
use crate::cells::Look;
use crate::values::Violation;
use base::table::Id;
use program::typed::{CoverId, PropertyId};

/// What is asked of a state.
#[derive(Clone, Copy)]
enum Kind {
    Property(PropertyId),
    Cover(CoverId),
}

struct Question {
    kind: Kind,
    /// The threads that it asks where they are.
    threads: Vec<usize>,
    /// Where its table begins.
    root: u32,
}

pub(crate) struct Judge<'p> {
    answers: Decisions<Ask, Option<Violation>>,
    atoms: Atoms<'p>,
    questions: Vec<Question>,
}

/// A look, with expressions as numbers.
#[derive(Clone, Copy)]
enum Ask {
    Look(Look),
    Atom(u32, usize),
}

impl<'p> Judge<'p> {
    pub(crate) fn new(of: &Tabulated<'_, 'p>) -> Self {
        let world = of.world;
        let mut answers = Decisions::new();
        let judged =
            world.program.properties.iter().filter(|(_, it)| world.is_judged(it) && it.kind.of_states().is_some());
        let properties = judged.map(|(id, _)| (Kind::Property(id), &world.asked.properties[id.index()]));
        let covers = world.program.covers.iter().filter(|(_, cover)| cover.condition.is_some());
        let covers = covers.map(|(id, _)| (Kind::Cover(id), &world.asked.covers[id.index()]));
        let questions = properties.chain(covers).map(|(kind, asked)| {
            let threads = (0..asked.len()).filter(|t| world.sees_passing && asked[*t]).collect();
            Question { kind, threads, root: answers.root() }
        });
        let questions = questions.collect();
        Judge { answers, atoms: Atoms::new(world), questions }
    }

    /// What a row violates by itself, unless it is no state after all (rule 5.6).
    pub(crate) fn judge(&mut self, of: &Tabulated<'_, 'p>, row: &[u32], is_stuck: bool) -> Option<Violation> {
        let found = self.found(of, row, is_stuck)?;
        (!of.world.is_refuted(&of.plain(row))).then_some(found)
    }

    fn found(&mut self, of: &Tabulated<'_, 'p>, row: &[u32], is_stuck: bool) -> Option<Violation> {
        let n_threads = of.form.n_threads;
        if of.any(row, |facts| facts.circles) {
            return None;
        }
        if of.any(row, |facts| facts.has_failed) {
            return (0..n_threads).find_map(|t| of.numbers.threads[*of.form.thread(row, t) as usize].failed);
        }
        let found = (0..self.questions.len()).find_map(|question| self.ask(of, row, question));
        let is_deadlock = || is_stuck && of.world.options.check_deadlock && of.any(row, |facts| facts.waits);
        found.or_else(|| is_deadlock().then_some(Violation::Deadlock))
    }

    /// What a row violates with threads put back to points that they have passed.
    pub(crate) fn judge_passing(&mut self, of: &Tabulated<'_, 'p>, row: &mut [u32]) -> Option<Violation> {
        let has_trail = |t| !of.numbers.trails[*of.form.thread(row, t) as usize].is_empty();
        if !(0..of.form.n_threads).any(has_trail) || of.any(row, |facts| facts.circles || facts.has_failed) {
            return None;
        }
        (0..self.questions.len()).find_map(|question| self.put_back(of, row, question, (0, false)))
    }

    /// Asks with all ways to put back the threads of a question from `n` on; with none put back it was asked before.
    fn put_back(
        &mut self,
        of: &Tabulated<'_, 'p>,
        row: &mut [u32],
        question: usize,
        (n, is_back): (usize, bool),
    ) -> Option<Violation> {
        let Some(t) = self.questions[question].threads.get(n).copied() else {
            let found = if is_back { self.ask(of, row, question) } else { None };
            return found.filter(|_| !of.world.is_refuted(&of.plain(row)));
        };
        let rests = *of.form.thread(row, t);
        let trail = &of.numbers.trails[rests as usize];
        for (i, state) in std::iter::once(&rests).chain(trail.iter()).enumerate() {
            *of.form.thread_mut(row, t) = *state;
            let found = self.put_back(of, row, question, (n + 1, is_back || i > 0));
            *of.form.thread_mut(row, t) = rests;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn ask(&mut self, of: &Tabulated<'_, 'p>, row: &[u32], question: usize) -> Option<Violation> {
        let Question { kind, root, .. } = self.questions[question];
        let (atoms, world) = (&mut self.atoms, of.world);
        let mut value = |ask| match ask {
            Ask::Look(look) => Tabulated::found(&of.form, row, look),
            Ask::Atom(atom, t) => atoms.says(world, &of.numbers, atom, *of.form.thread(row, t)),
        };
        if let Some(answer) = self.answers.find(root, &mut value) {
            return *answer;
        }
        let (state, looks) = of.noting(row);
        let answer = match kind {
            Kind::Property(id) => world.judge_property(&state, id, &world.program.properties[id]),
            Kind::Cover(id) => world.judge_cover(&state, &world.program.covers[id]).err(),
        };
        let asks: Vec<Ask> = looks
            .borrow()
            .iter()
            .map(|look| match look {
                Look::Atom(expr, t) => Ask::Atom(self.atoms.number(*expr), *t),
                look => Ask::Look(*look),
            })
            .collect();
        let atoms = &mut self.atoms;
        let value = |ask| match ask {
            Ask::Look(look) => Tabulated::found(&of.form, row, look),
            Ask::Atom(atom, t) => atoms.says(world, &of.numbers, atom, *of.form.thread(row, t)),
        };
        self.answers.keep(root, &asks, value, answer);
        answer
    }
}
