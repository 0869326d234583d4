//! Simulations as JSON.

use super::{Simulated, Subject};
use crate::args::SimulateArgs;
use crate::stored::{self, Found};
use report::json::{self, StoredTrace};
use serde::Serialize;
use std::collections::BTreeMap;

/// The walks of one system under one memory model.
#[derive(Serialize)]
pub(super) struct Run {
    protocol: String,
    file: String,
    variant: String,
    scenario: String,
    memory: String,
    parameters: BTreeMap<String, String>,
    /// `violated` or `no violation found`.
    verdict: &'static str,
    limit: Option<&'static str>,
    seed: u64,
    walks: u64,
    steps: u64,
    states: u64,
    depth: u64,
    violations: Vec<Violation>,
}

#[derive(Serialize)]
struct Violation {
    property: String,
    found_after: usize,
    trace: StoredTrace,
}

pub(super) fn run(args: &SimulateArgs, subject: &Subject<'_>, found: &Simulated) -> Run {
    let Subject { protocol, scope, system, memory, named } = *subject;
    let file = protocol.file.display().to_string();
    let violation = |violation: &super::Violation| {
        let (property, trace) = (violation.property.as_str(), &violation.trace);
        let (variant, scenario) = (system.variant.as_str(), system.scenario.as_str());
        let stored = stored::write(&Found { variant, scenario, memory, named, scope, property, trace });
        let events = json::events(&system.automata, &protocol.loaded.sources, trace);
        let trace = StoredTrace { file: Some(file.clone()), events, ..stored };
        Violation { property: property.into(), found_after: violation.found_after, trace }
    };
    let mut parameters: BTreeMap<_, _> = system.constants().iter().cloned().collect();
    parameters.insert("K".into(), scope.queue_bound.to_string());
    Run {
        protocol: protocol.outline.name.clone(),
        file: file.clone(),
        variant: system.variant.clone(),
        scenario: system.scenario.clone(),
        memory: memory.name.clone(),
        parameters,
        verdict: if found.violations.is_empty() { "no violation found" } else { "violated" },
        limit: found.limit.map(|limit| limit.name()),
        seed: args.seed,
        walks: found.walks,
        steps: found.steps,
        states: found.states,
        depth: found.depth,
        violations: found.violations.iter().map(violation).collect(),
    }
}
