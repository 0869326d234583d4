//! The machine's search, with some reductions off.

use crate::opinion::{Answer, Opinion};
use crate::setting::Setting;
use crate::subject::Subject;
use automata::{Automata, PropertyKind};
use machine::Reductions;
use std::collections::BTreeSet;
use workbench::{Question, Verdict};

/// A search up to the first violation.
pub struct Run {
    /// How it differs from the usual one.
    pub name: String,
    /// Its reductions.
    pub reductions: Reductions,
    /// Its workers.
    pub workers: usize,
}

impl Opinion for Run {
    fn name(&self) -> String {
        format!("check {}", self.name)
    }

    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer> {
        let mut options = setting.options(self.reductions);
        options.search.workers = self.workers;
        let outcome = Question::new(&subject.automata, &setting.memory, &options).answer();
        let answer = answer_of_run(&subject.automata, &outcome)?;
        // The number of states is what reductions change, and workers must not.
        Some(if self.workers > 1 { answer } else { Answer { states: None, ..answer } })
    }
}

/// A search for every property.
pub struct Every {
    /// How it differs from the usual one.
    pub name: String,
    /// Its reductions.
    pub reductions: Reductions,
}

impl Opinion for Every {
    fn name(&self) -> String {
        format!("check --every-property {}", self.name)
    }

    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer> {
        let options = setting.options(self.reductions);
        let outcome = Question::new(&subject.automata, &setting.memory, &options).answer_every();
        answer_of_every(&subject.automata, &outcome)
    }
}

/// What a search up to the first violation says.
pub fn answer_of_run(automata: &Automata, outcome: &workbench::Answer) -> Option<Answer> {
    let is_violated = match outcome.verdict {
        Verdict::Holds => false,
        Verdict::Violated(_) => true,
        Verdict::Inconclusive(_) => return None,
    };
    let (uncovered, never_at) = not_reached(automata, outcome, is_violated);
    let states = (!is_violated).then_some(outcome.statistics.states);
    Some(Answer { is_violated: Some(is_violated), violated: None, uncovered, never_at, states })
}

/// What a search for every property says.
pub fn answer_of_every(automata: &Automata, outcome: &workbench::Answer) -> Option<Answer> {
    if outcome.findings.iter().any(|finding| matches!(finding.fate, workbench::Fate::Inconclusive(_)))
        || matches!(outcome.verdict, Verdict::Inconclusive(_))
    {
        return None;
    }
    let all: BTreeSet<String> =
        outcome.findings.iter().filter(|f| f.depth().is_some()).map(|f| f.property.clone()).collect();
    let violated = states_first(automata, all);
    let (uncovered, never_at) = not_reached(automata, outcome, !violated.is_empty());
    let is_violated = Some(!violated.is_empty());
    Some(Answer { is_violated, violated: Some(violated), uncovered, never_at, states: None })
}

/// The covers and the locations that are not reached, if nothing is violated.
fn not_reached(
    automata: &Automata,
    outcome: &workbench::Answer,
    is_violated: bool,
) -> (Option<BTreeSet<String>>, Option<BTreeSet<String>>) {
    if is_violated {
        return (None, None);
    }
    let is_cover = |name: &String| automata.covers.values().any(|cover| cover.name == *name);
    let (covers, locations) = outcome.uncovered.iter().cloned().partition(is_cover);
    (Some(covers), Some(locations))
}

/// Of these properties those of states; the temporal ones only if there are no others.
pub(super) fn states_first(automata: &Automata, violated: BTreeSet<String>) -> BTreeSet<String> {
    let is_temporal =
        |name: &String| automata.properties.values().any(|p| p.name == *name && matches!(p.kind, PropertyKind::Ltl(_)));
    if violated.iter().all(is_temporal) { violated } else { violated.into_iter().filter(|n| !is_temporal(n)).collect() }
}
