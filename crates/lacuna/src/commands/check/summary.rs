//! The table of runs.

use super::Done;
use crate::session::{Protocol, System};
use machine::Bound;
use program::Expected;
use report::table::{align, bytes, thousands};
use workbench::{Outcome, RunOptions, Verdict};

/// One line per run, and below it what the verdicts speak of.
pub(super) fn summary(protocol: &Protocol, options: &RunOptions, done: &[Done<'_>]) -> String {
    let head = ["variant", "scenario", "memory", "verdict", "states", "depth", "time", "memory used", ""];
    let mut rows = vec![head.iter().map(|h| h.to_string()).collect::<Vec<_>>()];
    for run in done {
        let statistics = &run.outcome.statistics;
        rows.push(vec![
            run.system.variant.clone(),
            run.system.scenario.clone(),
            run.memory.name.clone(),
            verdict(&run.outcome),
            thousands(statistics.states),
            statistics.depth.to_string(),
            format!("{:.3} s", statistics.seconds),
            bytes(statistics.peak_bytes),
            remark(run, options),
        ]);
    }
    format!("{}  ({})\n{}", protocol.outline.name, shared_scope(options, done), align(&rows))
}

/// What all runs share: what a variant sets is in its name.
pub(super) fn shared_scope(options: &RunOptions, done: &[Done<'_>]) -> String {
    let shared = |constant: &&(String, String)| done.iter().all(|run| run.system.constants.contains(constant));
    let constants = done.first().map_or(&[][..], |run| &run.system.constants).iter().filter(shared);
    let values = constants.map(|(name, value)| format!("{name}={value}"));
    let buffer = options.machine.buffer.map(|_| options.machine.show(Bound::Buffer));
    let scope = values.chain([options.machine.show(Bound::Queue)]).chain(buffer).chain(guesses(done));
    scope.collect::<Vec<_>>().join(" ")
}

/// How many guesses a thread may have open, if all runs allow the same number and it is not 0.
fn guesses(done: &[Done<'_>]) -> Option<String> {
    let n_guesses = done.first()?.memory.speculate;
    let is_shared = done.iter().all(|run| run.memory.speculate == n_guesses);
    (is_shared && n_guesses > 0).then(|| format!("speculate={n_guesses}"))
}

pub(super) fn verdict(outcome: &Outcome) -> String {
    match (&outcome.verdict, &outcome.property) {
        (Verdict::Violated(_), Some(property)) => format!("violated: {property}"),
        (Verdict::Inconclusive(limit), _) => format!("inconclusive: {}", limit.name()),
        _ if outcome.is_vacuous() => "holds, but vacuously".into(),
        _ => outcome.word().into(),
    }
}

pub(super) fn remark(run: &Done<'_>, options: &RunOptions) -> String {
    let mut remarks = Vec::new();
    let not_looked_at = [
        ("never reached", &run.outcome.uncovered),
        ("not reached", &run.outcome.unreached),
        ("not checked", &run.outcome.unchecked),
    ];
    for (word, names) in not_looked_at.into_iter().filter(|(_, names)| !names.is_empty()) {
        remarks.push(format!("{word}: {}", names.join(", ")));
    }
    if run.outcome.has_no_step() {
        remarks.push("no thread ever steps".into());
    }
    if run.expected.as_ref().is_some_and(|expected| !is_expected(run, expected)) {
        remarks.push("NOT AS EXPECTED".into());
    }
    if run.outcome.verdict == Verdict::Holds {
        let mut hit: Vec<_> = run.outcome.bounds_hit.iter().map(|(bound, _)| *bound).collect();
        hit.dedup();
        remarks.extend(hit.into_iter().map(|bound| format!("{} was hit", options.machine.show(bound))));
    }
    if run.outcome.late_reads {
        remarks.push("reads put off".into());
    }
    remarks.join("; ")
}

/// Why a run is not as the file expects, in one line that names it.
pub(super) fn not_as_expected(run: &Done<'_>) -> Option<String> {
    let expected = match &run.expected {
        Some(expected) if is_expected(run, expected) => return None,
        Some(expected) => format!("expected {}", words(expected)),
        None => "no `expect` of the file speaks of this run".into(),
    };
    let System { variant, scenario, .. } = run.system;
    let found = verdict(&run.outcome);
    Some(format!("not as expected: {variant} {scenario} {}: {found}; {expected}", run.memory.name))
}

/// An expected verdict as the file writes it, without scenarios.
pub(super) fn words(expected: &Expected) -> String {
    match expected {
        Expected::Holds => "holds".into(),
        Expected::Violated { property: Some(property) } => format!("violated by {property}"),
        Expected::Violated { property: None } => "violated".into(),
    }
}

/// Whether the run is as expected.
fn is_expected(run: &Done<'_>, expected: &Expected) -> bool {
    match (expected, &run.outcome.verdict) {
        (Expected::Holds, Verdict::Holds) => !run.outcome.is_vacuous(),
        (Expected::Violated { property }, Verdict::Violated(_)) => {
            property.is_none() || *property == run.outcome.property
        }
        _ => false,
    }
}
