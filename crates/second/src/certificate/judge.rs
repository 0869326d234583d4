//! Whether a row is bad: a thread has violated something, the state violates a property, or it is a deadlock.

use super::decisions::Decisions;
use super::tabulated::{Tabulated, row_has_failed};
use crate::values::Violation;
use crate::world::World;
use base::table::Id;
use program::typed::{CoverId, PropertyId};

/// What is asked of a state.
#[derive(Clone, Copy)]
enum Question {
    Property(PropertyId),
    Cover(CoverId),
}

pub(crate) struct Judge {
    answers: Decisions<Option<Violation>>,
    /// Each question, and where its table begins.
    questions: Vec<(Question, u32)>,
}

impl Judge {
    pub(crate) fn new(world: &World<'_>) -> Self {
        let mut answers = Decisions::new();
        let properties = world.program.properties.iter().filter(|(_, property)| world.is_judged(property));
        let properties = properties.map(|(id, _)| Question::Property(id));
        let covers = world.program.covers.iter().map(|(id, _)| Question::Cover(id));
        let questions = properties.chain(covers).map(|it| (it, answers.root())).collect();
        Judge { answers, questions }
    }

    /// What a row violates, unless it is no state after all (rule 5.6).
    pub(crate) fn judge(&mut self, of: &Tabulated<'_, '_>, row: &[u32], is_stuck: bool) -> Option<Violation> {
        let found = self.found(of, row, is_stuck)?;
        (!of.world.is_refuted(&of.plain(row))).then_some(found)
    }

    fn found(&mut self, of: &Tabulated<'_, '_>, row: &[u32], is_stuck: bool) -> Option<Violation> {
        let (world, n_threads) = (of.world, of.form.n_threads);
        let facts = |t: usize| of.numbers.facts[*of.form.thread(row, t) as usize];
        if (0..n_threads).any(|t| facts(t).circles) {
            return None;
        }
        if row_has_failed(&of.form, &of.numbers, row) {
            return (0..n_threads).find_map(|t| of.numbers.threads[*of.form.thread(row, t) as usize].failed);
        }
        let passing: Vec<usize> = (0..n_threads).filter(|t| facts(*t).passes).collect();
        for (question, root) in &self.questions {
            let asked = match *question {
                Question::Property(id) => &world.asked.properties[id.index()],
                Question::Cover(id) => &world.asked.covers[id.index()],
            };
            if passing.iter().any(|t| !asked[*t]) {
                continue;
            }
            let value = |look| Tabulated::found(&of.form, row, look);
            let answer = match self.answers.find(*root, value) {
                Some(answer) => *answer,
                None => {
                    let (state, looks) = of.noting(row);
                    let answer = match *question {
                        Question::Property(id) => world.judge_property(&state, id, &world.program.properties[id]),
                        Question::Cover(id) => world.judge_cover(&state, &world.program.covers[id]).err(),
                    };
                    self.answers.keep(*root, &looks.borrow(), value, answer);
                    answer
                }
            };
            if answer.is_some() {
                return answer;
            }
        }
        let is_deadlock = is_stuck && world.options.check_deadlock && (0..n_threads).any(|t| facts(t).waits);
        is_deadlock.then_some(Violation::Deadlock)
    }
}
