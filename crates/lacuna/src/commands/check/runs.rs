//! Runs and traces as JSON.

use super::Done;
use super::summary::{shown, words};
use crate::session::Protocol;
use machine::Bound;
use memory::{AddressSpeculation, StoreConditional, Transactions};
use report::json::{PropertyRun, Run, StoredTrace};
use serde::Serialize;
use workbench::{Finding, RunOptions, Verdict};

/// A run with its explanation, as `--json` writes it.
#[derive(Serialize)]
pub(super) struct ExplainedRun<'a> {
    #[serde(flatten)]
    run: Run,
    explanation: Option<&'a explain::Explanation>,
}

/// The run as `--json` writes it.
pub(super) fn explained<'a>(
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    run: &'a Done<'_>,
) -> ExplainedRun<'a> {
    ExplainedRun { run: to_run(protocol, set, options, run), explanation: run.explanation() }
}

/// The counterexample with all that it takes to execute it again.
pub(super) fn stored(
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    run: &Done<'_>,
) -> Option<StoredTrace> {
    let trace = run.trace()?;
    Some(StoredTrace {
        file: Some(protocol.file.display().to_string()),
        variant: run.system.variant.clone(),
        scenario: run.system.scenario.clone(),
        memory: run.named.to_string(),
        set: set.iter().cloned().collect(),
        queue_bound: options.machine.queue_bound,
        speculate: run.memory.speculate,
        address_speculation: run.memory.address_speculation == AddressSpeculation::Allowed,
        buffer: options.machine.buffer,
        spurious_failures: run.memory.store_conditional == StoreConditional::MayFail,
        spurious_aborts: run.memory.transactions == Transactions::MayAbort,
        property: run.outcome.property.clone().unwrap_or_default(),
        initial: trace.initial,
        steps: trace.steps.clone(),
        loop_start: trace.loop_start,
        events: report::json::events(&run.system.automata, &protocol.loaded.sources, trace),
    })
}

fn to_run(protocol: &Protocol, set: &[(String, String)], options: &RunOptions, run: &Done<'_>) -> Run {
    let statistics = &run.outcome.statistics;
    let bound = options.machine.queue_bound;
    let mut parameters: std::collections::BTreeMap<_, _> = run.system.constants.iter().cloned().collect();
    parameters.insert("K".into(), bound.to_string());
    parameters.extend(options.machine.buffer.map(|n| ("buffer".into(), n.to_string())));
    if run.memory.speculate > 0 {
        parameters.insert("speculate".into(), run.memory.speculate.to_string());
    }
    Run {
        protocol: protocol.outline.name.clone(),
        variant: run.system.variant.clone(),
        scenario: run.system.scenario.clone(),
        memory: run.memory.name.clone(),
        parameters,
        verdict: run.outcome.word().into(),
        vacuous: run.outcome.is_vacuous(),
        uncovered: run.outcome.uncovered.clone(),
        unreached: run.outcome.unreached.clone(),
        unchecked: run.outcome.unchecked.clone(),
        property: run.outcome.property.clone(),
        limit: match run.outcome.verdict {
            Verdict::Inconclusive(limit) => Some(limit.name().into()),
            _ => None,
        },
        expected: run.expected.as_ref().map(words),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.seconds,
        peak_bytes: statistics.peak_bytes,
        bounds_hit: run
            .outcome
            .bounds_hit
            .iter()
            .map(|(hit, thread)| match hit {
                Bound::History => shown(*hit, run.memory, options),
                _ => format!("{} ({thread})", options.machine.show(*hit)),
            })
            .collect(),
        late_reads: run.outcome.late_reads,
        properties: run.outcome.findings.iter().map(property).collect(),
        trace: stored(protocol, set, options, run),
    }
}

fn property(finding: &Finding) -> PropertyRun {
    PropertyRun {
        name: finding.property.clone(),
        verdict: finding.word().into(),
        depth: finding.depth(),
        never_at: finding.never_at.clone(),
    }
}
