//! Runs, and properties of runs, as cases of JUnit.

use super::formats::message;
use super::{Request, Run};
use report::junit::{Case, Suite, Verdict as CaseVerdict};
use workbench::{Fate, Verdict};

/// The runs as cases, those of each protocol in a suite of its own.
pub(super) fn suites(requests: &[Request<'_>], runs: &[Run<'_>]) -> Vec<Suite> {
    let of = |request| runs.iter().filter(move |run| std::ptr::eq(run.request, request));
    requests.iter().map(|request| suite(request, of(request))).collect()
}

fn suite<'a>(request: &Request<'_>, runs: impl Iterator<Item = &'a Run<'a>>) -> Suite {
    let case = |run: &Run<'_>| Case {
        class: class(run),
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
    let cases = runs.flat_map(|run| std::iter::once(case(run)).chain(properties(run)));
    Suite { name: request.title(), cases: cases.collect() }
}

fn class(run: &Run<'_>) -> String {
    format!("{}.{}", run.request.protocol.outline.name, run.system.variant)
}

/// A case for each property, if each was asked for; without that, for those that were not looked at.
fn properties(run: &Run<'_>) -> Vec<Case> {
    let case = |property: &str, verdict: CaseVerdict| Case {
        class: class(run),
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
