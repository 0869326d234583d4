//! The table of runs.

use super::Done;
use crate::session::Protocol;
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
    let scope: Vec<String> = values.chain([options.machine.show(Bound::Queue)]).chain(buffer).collect();
    scope.join(" ")
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
    if !is_expected(run) {
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

/// Whether the run is as the file expects, or the file expects nothing.
pub(super) fn is_expected(run: &Done<'_>) -> bool {
    match (&run.expected, &run.outcome.verdict) {
        (None, _) => true,
        (Some(Expected::Holds), Verdict::Holds) => !run.outcome.is_vacuous(),
        (Some(Expected::Violated { property }), Verdict::Violated(_)) => {
            property.is_none() || *property == run.outcome.property
        }
        _ => false,
    }
}
