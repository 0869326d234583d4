//! Runs and traces as JSON.

use super::Run;
use super::formats::to_json;
use super::summary::{shown, words};
use crate::stored::{self, Found};
use machine::Bound;
use report::json::{self, PropertyRun, StoredTrace};
use serde::Serialize;
use workbench::Finding;

/// A run with its explanation, as `--json` writes it.
#[derive(Serialize)]
struct ExplainedRun<'a> {
    #[serde(flatten)]
    run: json::Run,
    explanation: Option<&'a explain::Explanation>,
}

/// The runs as `--json` writes them.
pub(super) fn json(runs: &[Run<'_>]) -> String {
    let explained = |run| ExplainedRun { run: to_run(run), explanation: Run::explanation(run) };
    to_json(&runs.iter().map(explained).collect::<Vec<_>>())
}

/// The counterexample with all that it takes to execute it again.
pub(super) fn stored(run: &Run<'_>) -> Option<StoredTrace> {
    let (request, trace) = (run.request, run.trace()?);
    let stored = stored::write(&Found {
        variant: &run.system.variant,
        scenario: &run.system.scenario,
        memory: run.memory,
        named: run.named,
        scope: &request.scope,
        property: run.answer.property.as_deref().unwrap_or_default(),
        trace,
    });
    let events = json::events(&run.system.automata, request.sources(), trace);
    let called = |(step, words)| json::Called { step, words };
    let calls = workbench::calls(run.system, trace).into_iter().map(called).collect();
    Some(StoredTrace { file: Some(request.protocol.file.display().to_string()), calls, events, ..stored })
}

fn to_run(run: &Run<'_>) -> json::Run {
    let request = run.request;
    let options = &request.options;
    let statistics = &run.answer.statistics;
    let bound = options.machine.queue_bound;
    let mut parameters: std::collections::BTreeMap<_, _> = run.system.constants().iter().cloned().collect();
    parameters.insert("K".into(), bound.to_string());
    parameters.extend(options.machine.buffer.map(|n| ("buffer".into(), n.to_string())));
    if run.memory.speculate > 0 {
        parameters.insert("speculate".into(), run.memory.speculate.to_string());
    }
    parameters.extend(run.memory.histories.map(|histories| ("history".into(), histories.bound.to_string())));
    json::Run {
        protocol: request.protocol.outline.name.clone(),
        file: request.protocol.file.display().to_string(),
        variant: run.system.variant.clone(),
        scenario: run.system.scenario.clone(),
        memory: run.memory.name.clone(),
        parameters,
        verdict: run.answer.word().into(),
        vacuous: run.answer.is_vacuous(),
        uncovered: run.answer.uncovered.clone(),
        unreached: run.answer.unreached.clone(),
        unchecked: run.answer.unchecked.clone(),
        property: run.answer.property.clone(),
        limit: run.answer.limit().map(|limit| limit.name().into()),
        expected: run.expected.as_ref().map(words),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.seconds,
        peak_bytes: statistics.peak_bytes,
        bytes_per_state: (statistics.bytes_per_state() * 100.0).round() / 100.0,
        bounds_hit: run
            .answer
            .bounds_hit
            .iter()
            .map(|(hit, thread)| match hit {
                Bound::History => shown(*hit, run.memory, options),
                _ => format!("{} ({thread})", options.machine.show(*hit)),
            })
            .collect(),
        late_reads: run.answer.late_reads,
        properties: run.answer.findings.iter().map(property).collect(),
        trace: stored(run),
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
