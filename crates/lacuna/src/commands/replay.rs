//! `lacuna replay`: a stored trace, executed by the plain interpreter.

use crate::args::{ReplayArgs, SwitchArgs};
use crate::exit::{Error, Exit, Outcome, print};
use crate::session::{Protocol, memories};
use machine::{Interpreter, Options, Reductions};
use report::json::StoredTrace;
use report::{LaneOptions, lanes};
use std::path::Path;

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs) -> Outcome {
    let stored = read(&args.trace)?;
    let protocol = Protocol::load(&args.file)?;
    let set: Vec<(String, String)> = stored.set.clone().into_iter().collect();
    for (kind, name, known) in [
        ("variant", &stored.variant, protocol.variants(Some(&stored.variant))),
        ("scenario", &stored.scenario, protocol.scenarios(Some(&stored.scenario))),
    ] {
        known.map_err(|_| Error::input(format!("the trace is of {kind} `{name}`, which the file does not have")))?;
    }
    let mut system = protocol.system(&stored.variant, &stored.scenario, &set)?;
    if stored.property == "terminates" && system.automata.properties.values().all(|p| p.name != stored.property) {
        system.must_terminate()?;
    }
    let automata = system.automata;
    let switches = SwitchArgs {
        speculate: Some(stored.speculate),
        no_address_speculation: !stored.address_speculation,
        spurious_failures: stored.spurious_failures,
    };
    let models = memories(std::slice::from_ref(&stored.memory), &switches)?;
    let property = automata.properties.iter().find(|(_, p)| p.name == stored.property).map(|(id, _)| id);
    let property = property.ok_or_else(|| {
        Error::input(format!("the trace violates `{}`, a property that the file does not have", stored.property))
    })?;
    let options = Options { queue_bound: stored.queue_bound, reductions: Reductions::ALL, check_deadlock: true };
    let interpreter = Interpreter::new(&automata, &models[0], &options);
    match workbench::replay_run(&interpreter, stored.initial, &stored.steps, stored.loop_start, property) {
        Ok(trace) => {
            let lane_options = LaneOptions { cells: args.cells, queues: args.queues, width: 0 };
            let text = lanes(&automata, &protocol.loaded.sources, &trace, lane_options);
            let what = if trace.loop_start.is_some() { "the run that repeats" } else { "the last" };
            print(&format!("{text}\nevery step is enabled, and {what} violates {}\n", stored.property))?;
            Ok(Exit::Holds)
        }
        Err(error) => {
            eprintln!("the trace is not one of this file: {error}");
            Ok(Exit::Violated)
        }
    }
}

/// The trace of a file: one by itself, or the first within a list of runs.
pub(crate) fn read(path: &Path) -> Result<StoredTrace, Error> {
    let text =
        std::fs::read_to_string(path).map_err(|e| Error::input(format!("cannot read `{}`: {e}", path.display())))?;
    let path = path.display();
    let wrong = |e: serde_json::Error| {
        Error::input(format!("`{path}` is not a trace: {e}")).hint("write one with `lacuna check --save-trace PATH`")
    };
    let json: serde_json::Value = serde_json::from_str(&text).map_err(wrong)?;
    let runs = json.as_array().map(Vec::as_slice).unwrap_or_default();
    let within = runs.iter().map(|run| &run["trace"]).find(|trace| !trace.is_null());
    let inside = if json.get("trace").is_some() { json.get("trace") } else { within };
    serde_json::from_value(inside.unwrap_or(&json).clone()).map_err(wrong)
}
