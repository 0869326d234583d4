//! The answer of a run that has ended, as a checkpoint has it. A counterexample is its steps: the plain interpreter executes them again.

use explore::checksum;
use machine::{Bound, Interpreter};
use serde::{Deserialize, Serialize};
use system::{Limit, Statistics};
use workbench::{Answer, Fate, Finding, Question, Verdict, replay_run};

/// An answer that is no limit.
#[derive(Deserialize, Serialize)]
pub(super) struct Finished {
    /// Of a violated property.
    trace: Option<Steps>,
    property: Option<String>,
    uncovered: Vec<String>,
    unreached: Vec<String>,
    unchecked: Vec<String>,
    stops_at: Vec<String>,
    bounds_hit: Vec<(usize, String)>,
    /// States, transitions, depth, microseconds, bytes.
    numbers: [u64; 5],
    late_reads: bool,
    findings: Vec<(String, String, Option<u64>, Vec<String>)>,
}

#[derive(Deserialize, Serialize)]
struct Steps {
    initial: usize,
    steps: Vec<usize>,
    loop_start: Option<usize>,
}

const BOUNDS: [Bound; 4] = [Bound::Queue, Bound::Buffer, Bound::Guesses, Bound::History];
const LIMITS: [Limit; 6] = [Limit::States, Limit::Memory, Limit::Time, Limit::Interrupted, Limit::Disk, Limit::Process];

impl Finished {
    /// What there is to remember of an answer.
    pub(super) fn of(answer: &Answer) -> Self {
        let trace = match &answer.verdict {
            Verdict::Violated(trace) => {
                Some(Steps { initial: trace.initial, steps: trace.steps.clone(), loop_start: trace.loop_start })
            }
            _ => None,
        };
        let Statistics { states, transitions, depth, seconds, peak_bytes, .. } = answer.statistics;
        let bound = |(bound, thread): &(Bound, String)| {
            (BOUNDS.iter().position(|known| known == bound).unwrap_or(0), thread.clone())
        };
        Finished {
            trace,
            property: answer.property.clone(),
            uncovered: answer.uncovered.clone(),
            unreached: answer.unreached.clone(),
            unchecked: answer.unchecked.clone(),
            stops_at: answer.stops_at.clone(),
            bounds_hit: answer.bounds_hit.iter().map(bound).collect(),
            numbers: [states, transitions, depth, (seconds * 1e6) as u64, peak_bytes],
            late_reads: answer.late_reads,
            findings: answer.findings.iter().map(finding).collect(),
        }
    }

    /// The text of a file: a checksum that depends on the run too, then the answer.
    pub(super) fn write(&self, identity: u64) -> String {
        let text = super::formats::to_json(self);
        format!("{}\n{text}", checksum(identity, text.as_bytes()))
    }

    /// What `write` has written for the same run.
    pub(super) fn read(text: &str, identity: u64) -> Option<Self> {
        let (sum, text) = text.split_once('\n')?;
        (sum.parse() == Ok(checksum(identity, text.as_bytes()))).then(|| serde_json::from_str(text).ok())?
    }

    /// The answer again. None if the interpreter cannot execute its counterexample.
    pub(super) fn answer(self, question: &Question<'_>) -> Option<Answer> {
        let verdict = match &self.trace {
            None => Verdict::Holds,
            Some(steps) => Verdict::Violated(Box::new(self.replayed(steps, question)?)),
        };
        let [states, transitions, depth, microseconds, peak_bytes] = self.numbers;
        let seconds = microseconds as f64 / 1e6;
        let findings = self.findings.into_iter().map(finding_again).collect::<Option<_>>()?;
        Some(Answer {
            verdict,
            property: self.property,
            uncovered: self.uncovered,
            unreached: self.unreached,
            unchecked: self.unchecked,
            stops_at: self.stops_at,
            bounds_hit: self
                .bounds_hit
                .into_iter()
                .map(|(n, name)| Some((*BOUNDS.get(n)?, name)))
                .collect::<Option<_>>()?,
            statistics: Statistics { states, transitions, depth, seconds, peak_bytes, ..Statistics::default() },
            late_reads: self.late_reads,
            findings,
        })
    }

    fn replayed(&self, steps: &Steps, question: &Question<'_>) -> Option<workbench::Trace> {
        let name = self.property.as_deref()?;
        let (property, _) = question.automata.properties.iter().find(|(_, property)| property.name == name)?;
        let interpreter = Interpreter::new(question.automata, question.memory, &question.options.machine);
        replay_run(&interpreter, steps.initial, &steps.steps, steps.loop_start, property).ok()
    }
}

/// Name, word, depth or number of the limit, locations.
fn finding(finding: &Finding) -> (String, String, Option<u64>, Vec<String>) {
    let number = match finding.fate {
        Fate::Inconclusive(limit) => LIMITS.iter().position(|known| *known == limit).map(|n| n as u64),
        _ => finding.depth(),
    };
    (finding.property.clone(), finding.word().into(), number, finding.never_at.clone())
}

fn finding_again((property, word, number, never_at): (String, String, Option<u64>, Vec<String>)) -> Option<Finding> {
    let limit = number.and_then(|n| LIMITS.get(n as usize)).map(|limit| Fate::Inconclusive(*limit));
    let all = [Fate::Holds, Fate::NotReached, Fate::NotChecked, Fate::Vacuous];
    let all = all.into_iter().chain(number.map(Fate::Violated)).chain(limit);
    let mut findings = all.map(|fate| Finding { property: property.clone(), fate, never_at: never_at.clone() });
    findings.find(|finding| finding.word() == word)
}
