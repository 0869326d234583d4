//! Who disagrees with whom on one program.
//!
//! The reference is the usual search; whatever else Lacuna says is compared with it. A panic is a disagreement.

use crate::checks::{self, Check};
use crate::opinion::{Answer, Difference, Opinion};
use crate::opinions;
use crate::panics::{Panic, caught};
use crate::setting::Setting;
use crate::subject::Subject;
use machine::Reductions;
use std::cell::OnceCell;
use std::time::Instant;
use workbench::Question;

/// A case whose usual search takes longer is not asked of others: they would take longer still.
const SLOW: f64 = 0.2;

/// A disagreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Which check found it.
    pub check: String,
    /// In what they differ; the same while a program is shrunk.
    pub what: String,
    /// What each says.
    pub details: String,
}

impl Disagreement {
    /// Of this check, in this respect.
    pub fn new(check: impl Into<String>, what: impl Into<String>, details: impl Into<String>) -> Self {
        Disagreement { check: check.into(), what: what.into(), details: details.into() }
    }

    fn panic(check: &str, panic: &Panic) -> Self {
        Self::new(check, panic.kind(), panic.message.clone())
    }

    /// Whether it is of the same kind.
    pub fn is_like(&self, other: &Disagreement) -> bool {
        self.check == other.check && self.what == other.what
    }
}

/// A program under a setting, with what the usual searches say of it.
pub struct Case<'a> {
    /// The program.
    pub subject: &'a Subject,
    /// The setting.
    pub setting: &'a Setting,
    run: OnceCell<Result<workbench::Answer, Panic>>,
    every: OnceCell<Result<workbench::Answer, Panic>>,
}

impl<'a> Case<'a> {
    /// Nothing is searched yet.
    pub fn new(subject: &'a Subject, setting: &'a Setting) -> Self {
        Case { subject, setting, run: OnceCell::new(), every: OnceCell::new() }
    }

    /// The usual search up to the first violation.
    pub fn run(&self) -> &Result<workbench::Answer, Panic> {
        let options = self.setting.options(Reductions::ALL);
        let search = || Question::new(&self.subject.automata, &self.setting.memory, &options).answer();
        self.run.get_or_init(|| caught(search))
    }

    /// The usual search for every property.
    pub fn every(&self) -> &Result<workbench::Answer, Panic> {
        let options = self.setting.options(Reductions::ALL);
        let search = || Question::new(&self.subject.automata, &self.setting.memory, &options).answer_every();
        self.every.get_or_init(|| caught(search))
    }

    fn answer_of_run(&self) -> Option<Answer> {
        opinions::answer_of_run(&self.subject.automata, self.run().as_ref().ok()?)
    }

    fn answer_of_every(&self) -> Option<Answer> {
        opinions::answer_of_every(&self.subject.automata, self.every().as_ref().ok()?)
    }
}

/// What became of a case.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Whether the usual search was stopped by a limit, so that nothing is compared.
    pub is_skipped: bool,
    /// Whether something is violated.
    pub is_violated: bool,
    /// How many comparisons a limit stopped.
    pub n_limited: usize,
    /// How many comparisons were made.
    pub n_compared: usize,
    /// The disagreements.
    pub disagreements: Vec<Disagreement>,
    /// How long each check took.
    pub seconds: Vec<(String, f64)>,
}

/// All who are asked.
pub struct Court {
    runs: Vec<Box<dyn Opinion>>,
    every: Vec<Box<dyn Opinion>>,
    checks: &'static [(&'static str, Check)],
}

impl Default for Court {
    fn default() -> Self {
        Court { runs: opinions::of_runs(), every: opinions::of_every(), checks: checks::ALL }
    }
}

impl Court {
    /// Those who say whether something is violated, and those who say which properties are.
    pub fn of(runs: Vec<Box<dyn Opinion>>, every: Vec<Box<dyn Opinion>>) -> Self {
        Court { runs, every, checks: checks::ALL }
    }

    /// SPIN alone.
    pub fn of_spin() -> Self {
        Court { runs: Vec::new(), every: vec![Box::new(opinions::Spin::default())], checks: &[] }
    }

    /// Asks all, or only the check of that name.
    pub fn judge(&self, subject: &Subject, setting: &Setting, only: Option<&str>) -> Judgement {
        let case = Case::new(subject, setting);
        let is_selected = |name: &str| only.is_none_or(|only| only == name);
        let mut judgement = Judgement::default();
        let _ = judgement.timed("check", || case.run().is_ok());
        let _ = judgement.timed("check --every-property", || case.every().is_ok());
        for (name, result) in [("check", case.run()), ("check --every-property", case.every())] {
            if let Err(panic) = result {
                judgement.disagreements.push(Disagreement::panic(name, panic));
            }
        }
        let answer = case.answer_of_run();
        let is_slow = only.is_none() && judgement.seconds.iter().any(|(_, seconds)| *seconds > SLOW);
        judgement.is_skipped = (answer.is_none() || is_slow) && judgement.disagreements.is_empty();
        if is_slow {
            return judgement;
        }
        judgement.is_violated = answer.as_ref().and_then(|a| a.is_violated).unwrap_or(false);
        let runs = self.runs.iter().map(|opinion| (opinion, answer.clone()));
        let every_answer = case.answer_of_every();
        let every = self.every.iter().map(|opinion| (opinion, every_answer.clone()));
        for (opinion, reference) in runs.chain(every).filter(|(opinion, _)| is_selected(&opinion.name())) {
            if let Some(reference) = reference {
                let answer = judgement.timed(&opinion.name(), || caught(|| opinion.answer(subject, setting)));
                judgement.compare(&opinion.name(), &reference, answer, subject);
            }
        }
        for (name, check) in self.checks.iter().filter(|(name, _)| is_selected(name)) {
            match judgement.timed(name, || caught(|| check(&case))) {
                Ok(None) => judgement.n_compared += 1,
                Ok(Some((what, details))) => judgement.disagreements.push(Disagreement::new(*name, what, details)),
                Err(panic) => judgement.disagreements.push(Disagreement::panic(name, &panic)),
            }
        }
        judgement
    }
}

impl Judgement {
    /// What `call` gives; its time is kept.
    fn timed<T>(&mut self, name: &str, call: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = call();
        self.seconds.push((name.to_string(), begun.elapsed().as_secs_f64()));
        result
    }

    fn compare(&mut self, name: &str, reference: &Answer, answer: Result<Option<Answer>, Panic>, subject: &Subject) {
        match answer {
            Err(panic) => self.disagreements.push(Disagreement::panic(name, &panic)),
            Ok(None) => self.n_limited += 1,
            Ok(Some(answer)) => {
                self.n_compared += 1;
                let kind_of = |property: &str| subject.kind_of(property);
                if let Some(Difference { what, first, second }) = reference.difference(&answer, &kind_of) {
                    let details = format!("usual search: {first}; {name}: {second}");
                    self.disagreements.push(Disagreement::new(name, what, details));
                }
            }
        }
    }
}
