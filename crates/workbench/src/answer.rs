//! What is answered: a verdict, and what else the searches have shown.

use crate::finding::{Fate, Finding};
use crate::trace::Trace;
use machine::Bound;
use system::{Limit, Statistics};

/// The verdict of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Exhaustive for the stated scope.
    Holds,
    /// A property is violated; the trace has been executed by the interpreter.
    Violated(Box<Trace>),
    /// A limit stopped the search.
    Inconclusive(Limit),
}

impl Verdict {
    /// A violation, unless a limit has kept the interpreter from executing it.
    pub(crate) fn of(trace: Result<Trace, Limit>) -> Self {
        trace.map_or_else(Verdict::Inconclusive, |trace| Verdict::Violated(Box::new(trace)))
    }
}

/// The answer to a question: what the searches have found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The property violated.
    pub property: Option<String>,
    /// Cover properties, and locations that an invariant asks something of, that were not reached, if it holds: then the
    /// pass is vacuous.
    pub uncovered: Vec<String>,
    /// Assertions at which control never came, and every `forbid` if no run ends, if it holds: nothing is said of them.
    pub unreached: Vec<String>,
    /// Properties that were switched off.
    pub unchecked: Vec<String>,
    /// With `findings`: the properties that steps violate. The thread stops there, and what it would do after that was not looked at.
    pub stops_at: Vec<String>,
    /// Bounds that made threads wait, with the threads' names.
    pub bounds_hit: Vec<(Bound, String)>,
    /// What was done.
    pub statistics: Statistics,
    /// Whether steps that write nothing were put off: then `statistics` counts what is stored, and a trace need not be a shortest.
    pub late_reads: bool,
    /// What became of each property; none if the search ended with the first violation.
    pub findings: Vec<Finding>,
}

impl Answer {
    /// The verdict in one word.
    pub fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Inconclusive(_) => "inconclusive",
        }
    }

    /// The limit that has kept the searches from their end, whatever was found before.
    pub fn limit(&self) -> Option<Limit> {
        if let Verdict::Inconclusive(limit) = self.verdict {
            return Some(limit);
        }
        self.findings.iter().find_map(|finding| match finding.fate {
            Fate::Inconclusive(limit) => Some(limit),
            _ => None,
        })
    }

    /// Nothing was done because of a limit.
    pub(crate) fn inconclusive(limit: Limit) -> Self {
        Answer {
            verdict: Verdict::Inconclusive(limit),
            property: None,
            uncovered: Vec::new(),
            unreached: Vec::new(),
            unchecked: Vec::new(),
            stops_at: Vec::new(),
            bounds_hit: Vec::new(),
            statistics: Statistics::default(),
            late_reads: false,
            findings: Vec::new(),
        }
    }

    /// Whether it holds without having reached what it should.
    pub fn is_vacuous(&self) -> bool {
        self.verdict == Verdict::Holds && (!self.uncovered.is_empty() || self.has_no_step())
    }

    /// What was not reached, or that nothing was.
    pub fn vacuous_because(&self) -> String {
        match self.has_no_step() {
            true => "no thread ever steps".into(),
            false => format!("never reached {}", self.uncovered.join(", ")),
        }
    }

    /// Whether there is no run at all.
    pub fn has_no_run(&self) -> bool {
        self.verdict == Verdict::Holds && self.statistics.states == 0
    }

    /// Whether no thread ever steps.
    pub fn has_no_step(&self) -> bool {
        self.verdict == Verdict::Holds && self.statistics.transitions == 0
    }

    /// Whether it holds and every property that the file states was looked at.
    pub fn holds_strictly(&self) -> bool {
        self.verdict == Verdict::Holds && !self.is_vacuous() && self.unreached.is_empty() && self.unchecked.is_empty()
    }
}
