//! Runs, and properties of runs, as cases of JUnit.

use super::Run;
use super::formats::message;
use crate::session::Protocol;
use report::junit::{Case, Suite, Verdict as CaseVerdict};
use workbench::{Fate, Verdict};

/// The runs as cases of one suite.
pub(super) fn suite(protocol: &Protocol, runs: &[Run<'_>]) -> Suite {
    let case = |run: &Run<'_>| Case {
        class: format!("{}.{}", protocol.outline.name, run.system.variant),
        name: format!("{} {}", run.system.scenario, run.memory.name),
        seconds: run.answer.statistics.seconds,
        verdict: match &run.answer.verdict {
            Verdict::Holds if run.answer.is_vacuous() => {
                CaseVerdict::Skipped(format!("holds, but vacuously: {}", run.answer.vacuous_because()))
            }
            Verdict::Holds => CaseVerdict::Passed,
            Verdict::Violated(_) => {
                CaseVerdict::Failed { kind: run.answer.property.clone().unwrap_or_default(), text: message(run) }
            }
            Verdict::Inconclusive(limit) => CaseVerdict::Error(format!("inconclusive: {}", limit.name())),
        },
    };
    let cases = runs.iter().flat_map(|run| std::iter::once(case(run)).chain(properties(protocol, run)));
    Suite { name: protocol.outline.name.clone(), cases: cases.collect() }
}

/// A case for each property, if each was asked for; without that, for those that were not looked at.
fn properties(protocol: &Protocol, run: &Run<'_>) -> Vec<Case> {
    let case = |property: &str, verdict: CaseVerdict| Case {
        class: format!("{}.{}", protocol.outline.name, run.system.variant),
        name: format!("{} {} {property}", run.system.scenario, run.memory.name),
        seconds: 0.0,
        verdict,
    };
    let of = |finding: &workbench::Finding| {
        let word = finding.word();
        let verdict = match finding.fate {
            Fate::Holds => CaseVerdict::Passed,
            Fate::Violated(depth) => {
                let text = format!("{} is violated after {depth} steps", finding.property);
                CaseVerdict::Failed { kind: finding.property.clone(), text }
            }
            Fate::Inconclusive(limit) => CaseVerdict::Error(format!("{word}: {}", limit.name())),
            Fate::NotReached | Fate::NotChecked | Fate::Vacuous => CaseVerdict::Skipped(word.into()),
        };
        case(&finding.property, verdict)
    };
    if !run.answer.findings.is_empty() {
        return run.answer.findings.iter().map(of).collect();
    }
    let skipped = |word: &'static str| move |name: &String| (name.clone(), word);
    let unreached = run.answer.unreached.iter().map(skipped("not reached"));
    let all = unreached.chain(run.answer.unchecked.iter().map(skipped("not checked")));
    all.map(|(name, word)| case(&name, CaseVerdict::Skipped(word.into()))).collect()
}
