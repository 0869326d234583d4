//! Whether a row is bad: a thread has violated something, the state violates a property, or it is a deadlock.
//!
//! Invariants and covers are asked of the row, and of the row with threads put back to points that they only pass on the way to where they
//! are (`passing`, rule 8.2): as many as the condition asks about.

use super::atoms::Atoms;
use super::decisions::Decisions;
use super::observed::is_true_at;
use super::tabulated::Tabulated;
use crate::certificate::cells::Look;
use crate::values::Violation;
use base::table::Id;
use program::typed::{CoverId, PropertyId, PropertyKind};

/// What is asked of a state.
#[derive(Clone, Copy)]
enum Kind {
    Property(PropertyId),
    Cover(CoverId),
}

struct Question<'p> {
    kind: Kind,
    /// The threads that it asks where they are.
    threads: Vec<usize>,
    /// Where its table begins.
    root: u32,
    /// What it can learn of threads.
    atoms: Atoms<'p>,
}

pub(crate) struct Judge<'p> {
    /// For each thread and each of its points, the questions whose answer is not known by that alone: a bit for each.
    open: Vec<Vec<Vec<u64>>>,
    answers: Decisions<Ask, Option<Violation>>,
    questions: Vec<Question<'p>>,
}

/// A look; or all that a question can learn of a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    Look(Look),
    Class(usize),
}

impl<'p> Judge<'p> {
    pub(crate) fn new(of: &Tabulated<'_, 'p>) -> Self {
        let world = of.world;
        let mut answers = Decisions::new();
        let judged =
            world.program.properties.iter().filter(|(_, it)| world.is_judged(it) && it.kind.of_states().is_some());
        let properties = judged.map(|(id, _)| {
            (Kind::Property(id), &world.asked.properties[id.index()], world.program.properties[id].kind.of_states())
        });
        let covers = world.program.covers.iter().filter(|(_, cover)| cover.condition.is_some());
        let covers = covers.map(|(id, _)| {
            (Kind::Cover(id), &world.asked.covers[id.index()], world.program.covers[id].condition.as_ref())
        });
        let questions = properties.chain(covers).filter_map(|(kind, asked, condition)| {
            let threads = (0..asked.len()).filter(|t| world.sees_passing && asked[*t]).collect();
            Some(Question { kind, threads, root: answers.root(), atoms: Atoms::new(world.program, condition?) })
        });
        let questions: Vec<Question<'p>> = questions.collect();
        let points = |t: usize| (0..world.code[t].points.len()).map(|pc| open(of, &questions, t, pc)).collect();
        let open = (0..world.code.len()).map(points).collect();
        Judge { open, answers, questions }
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
        let open = self.open(of, row);
        let found = open.into_iter().find_map(|question| self.ask(of, row, question));
        let is_deadlock = || is_stuck && of.world.options.check_deadlock && of.any(row, |facts| facts.waits);
        found.or_else(|| is_deadlock().then_some(Violation::Deadlock))
    }

    /// The questions whose answers are not known by where the threads are.
    fn open(&self, of: &Tabulated<'_, 'p>, row: &[u32]) -> Vec<usize> {
        let mut open = vec![u64::MAX; self.questions.len().div_ceil(64)];
        for t in 0..of.form.n_threads {
            if let Some(here) = self.open_at(of, row, t) {
                open.iter_mut().zip(here).for_each(|(open, here)| *open &= here);
            }
        }
        (0..self.questions.len()).filter(|question| open[question / 64] >> (question % 64) & 1 == 1).collect()
    }

    /// The same by where one thread is; none if it is seen elsewhere, at a guess (rule 5.3).
    fn open_at(&self, of: &Tabulated<'_, 'p>, row: &[u32], t: usize) -> Option<&Vec<u64>> {
        let thread = &of.numbers.threads[*of.form.thread(row, t) as usize];
        thread.guesses().next().is_none().then(|| &self.open[t][thread.pc])
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
            let is_open = |open: &Vec<u64>| open[question / 64] >> (question % 64) & 1 == 1;
            let is_open = self.open_at(of, row, t).is_none_or(is_open);
            let found = if is_open { self.put_back(of, row, question, (n + 1, is_back || i > 0)) } else { None };
            *of.form.thread_mut(row, t) = rests;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn ask(&mut self, of: &Tabulated<'_, 'p>, row: &[u32], question: usize) -> Option<Violation> {
        let Question { kind, root, atoms, .. } = &mut self.questions[question];
        let world = of.world;
        let mut value = |ask| match ask {
            Ask::Look(look) => Tabulated::found(&of.form, row, look),
            Ask::Class(t) => atoms.class(world, &of.numbers, *of.form.thread(row, t)),
        };
        if let Some(answer) = self.answers.find(*root, &mut value) {
            return *answer;
        }
        let (state, looks) = of.noting(row);
        let answer = match *kind {
            Kind::Property(id) => world.judge_property(&state, id, &world.program.properties[id]),
            Kind::Cover(id) => world.judge_cover(&state, &world.program.covers[id]).err(),
        };
        let mut asks = Vec::new();
        for look in looks.borrow().iter() {
            let ask = if let Look::Said(t) = look { Ask::Class(*t) } else { Ask::Look(*look) };
            if !asks.contains(&ask) {
                asks.push(ask);
            }
        }
        self.answers.keep(*root, &asks, value, answer);
        answer
    }
}

/// The questions that a point of a thread leaves open. What asks where no thread is, is always.
fn open(of: &Tabulated<'_, '_>, questions: &[Question<'_>], t: usize, pc: usize) -> Vec<u64> {
    let program = of.world.program;
    let mut open = vec![0; questions.len().div_ceil(64)];
    for (n, question) in questions.iter().enumerate() {
        let is_known = match question.kind {
            Kind::Property(id) => match &program.properties[id].kind {
                PropertyKind::Invariant(it) => is_true_at(of.world, (it, &program.properties[id].locals), t, pc),
                _ => false,
            },
            Kind::Cover(id) => {
                let cover = &program.covers[id];
                cover.condition.as_ref().is_some_and(|it| is_true_at(of.world, (it, &cover.locals), t, pc))
            }
        };
        open[n / 64] |= u64::from(!is_known) << (n % 64);
    }
    open
}
