//! `lacuna check`: verdicts of a protocol under memory models, and the counterexample.

use super::cross_check;
use crate::args::{CheckArgs, Traces};
use crate::exit::{Error, Exit, Outcome as Ended, print, write};
use crate::progress::{Progress, STOP, listen};
use crate::session::{self, Protocol, Scope, System};
use automata::Automata;
use explore::Control;
use memory::{AddressSpeculation, MemoryModel, StoreConditional};
use program::Expected;
use report::json::{Run, StoredTrace};
use report::table::{align, bytes, thousands};
use report::{LaneOptions, lanes};
use workbench::{Outcome, RunOptions, Trace, Verdict};

/// What one run was of, and what came of it.
struct Done<'a> {
    system: &'a System,
    memory: &'a MemoryModel,
    /// The memory model's name, or its file.
    named: &'a str,
    outcome: Outcome,
    expected: Option<Expected>,
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Ended {
    let protocol = Protocol::load(&args.file)?;
    let scope = Scope::new(&args.scope.set, args.scope.queue_bound, &args.scope.switches)?;
    let options = session::run_options(&scope, !args.scope.no_deadlock, &args.search)?;
    let memories = session::memories(&args.memory, &scope.switches)?;
    let names = session::memory_names(&args.memory);
    let mut systems = Vec::new();
    for variant in protocol.variants(args.variant.as_deref())? {
        for scenario in protocol.scenarios(args.scenario.as_deref())? {
            let mut system = protocol.system(&variant, &scenario, &scope.set)?;
            if !args.property.is_empty() {
                system.only(&args.property)?;
            }
            if args.live {
                system.must_terminate()?;
            }
            systems.push(system);
        }
    }
    listen();
    let mut done = Vec::new();
    for system in &systems {
        for (memory, named) in memories.iter().zip(&names) {
            let label = format!("{} {} {}", system.variant, system.scenario, memory.name);
            let outcome = search(&system.automata, memory, &options, label, args.search.quiet);
            let expected =
                protocol.outline.expected(&system.variant, &scope.expected_with(), &system.scenario, &memory.name);
            done.push(Done { system, memory, named, outcome, expected });
        }
    }
    show(args, &protocol, &scope.set, &options, &done)?;
    let exit = exit(args, &done);
    Ok(if args.cross_check { exit.and(cross_check(&options, &done)) } else { exit })
}

/// Repeats all runs without reductions and says, on standard error, what came of it.
fn cross_check(options: &RunOptions, done: &[Done<'_>]) -> Exit {
    let repeat = |run: &Done<'_>| {
        let label = format!("{} {} {}", run.system.variant, run.system.scenario, run.memory.name);
        let found = cross_check::repeat(&run.system.automata, run.memory, options, &label, &run.outcome);
        eprint!("{}", found.text);
        found.exit
    };
    done.iter().map(repeat).fold(Exit::Holds, Exit::and)
}

pub(super) fn search(
    automata: &Automata,
    memory: &MemoryModel,
    options: &RunOptions,
    label: String,
    quiet: bool,
) -> Outcome {
    let progress = Progress::new(label, options.search.limits, quiet);
    let control = Control { stop: &STOP, progress: &|now| progress.tell(now), ended: &|_| {} };
    let outcome = workbench::run(automata, memory, options, &control);
    progress.clear();
    outcome
}

fn show(
    args: &CheckArgs,
    protocol: &Protocol,
    set: &[(String, String)],
    options: &RunOptions,
    done: &[Done<'_>],
) -> Result<(), Error> {
    if let Some(path) = &args.save_trace {
        match done.iter().find_map(|run| stored(protocol, set, options, run)) {
            Some(trace) => write(path, &format!("{}\n", to_json(&trace)))?,
            None => eprintln!("no counterexample, so `{path}` is not written"),
        }
    }
    if args.json.as_deref() != Some("-") {
        print(&summary(protocol, options, done))?;
        show_traces(args, protocol, done)?;
    }
    if let Some(path) = &args.json {
        let runs: Vec<Run> = done.iter().map(|run| to_run(protocol, set, options, run)).collect();
        write(path, &format!("{}\n", to_json(&runs)))?;
    }
    Ok(())
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

/// One line per run, and below it what the verdicts speak of.
fn summary(protocol: &Protocol, options: &RunOptions, done: &[Done<'_>]) -> String {
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
    // What a variant sets is in its name; only what all runs share is said here.
    let shared = |constant: &&(String, String)| done.iter().all(|run| run.system.constants.contains(constant));
    let constants = done.first().map_or(&[][..], |run| &run.system.constants).iter().filter(shared);
    let values = constants.map(|(name, value)| format!("{name}={value}"));
    let scope: Vec<String> = values.chain([format!("K={}", options.machine.queue_bound)]).collect();
    format!("{}  ({})\n{}", protocol.outline.name, scope.join(" "), align(&rows))
}

fn verdict(outcome: &Outcome) -> String {
    match (&outcome.verdict, &outcome.property) {
        (Verdict::Violated(_), Some(property)) => format!("violated: {property}"),
        (Verdict::Inconclusive(limit), _) => format!("inconclusive: {}", limit.name()),
        _ if outcome.is_vacuous() => "holds, but vacuously".into(),
        _ => outcome.word().into(),
    }
}

fn remark(run: &Done<'_>, options: &RunOptions) -> String {
    let mut remarks = Vec::new();
    if !run.outcome.uncovered.is_empty() {
        remarks.push(format!("never reached: {}", run.outcome.uncovered.join(", ")));
    }
    if !is_expected(run) {
        remarks.push("NOT AS EXPECTED".into());
    }
    if !run.outcome.bounds_hit.is_empty() && run.outcome.verdict == Verdict::Holds {
        remarks.push(format!("K={} was hit", options.machine.queue_bound));
    }
    remarks.join("; ")
}

/// Whether the run is as the file expects, or the file expects nothing.
fn is_expected(run: &Done<'_>) -> bool {
    match (&run.expected, &run.outcome.verdict) {
        (None, _) => true,
        (Some(Expected::Holds), Verdict::Holds) => !run.outcome.is_vacuous(),
        (Some(Expected::Violated { property }), Verdict::Violated(_)) => {
            property.is_none() || *property == run.outcome.property
        }
        _ => false,
    }
}

fn show_traces(args: &CheckArgs, protocol: &Protocol, done: &[Done<'_>]) -> Result<(), Error> {
    let options = LaneOptions { cells: args.cells, queues: args.queues, width: 0 };
    let limit = match args.traces {
        Traces::None => 0,
        Traces::First => 1,
        Traces::All => usize::MAX,
    };
    let violated = done.iter().filter_map(|run| trace(run).map(|trace| (run, trace)));
    for (run, trace) in violated.take(limit) {
        let property = run.outcome.property.as_deref().unwrap_or("");
        print(&format!(
            "\n{} is violated under {} in scenario {} ({} steps{}, {} changes of thread):\n\n{}",
            property,
            run.memory.name,
            run.system.scenario,
            trace.steps.len(),
            repeated(trace),
            trace.switches(),
            lanes(&run.system.automata, &protocol.loaded.sources, trace, options),
        ))?;
    }
    Ok(())
}

/// How many steps of a run repeat for ever.
fn repeated(trace: &Trace) -> String {
    match trace.loop_start.map(|start| trace.steps.len() - start) {
        None => String::new(),
        Some(0) => ", then none".into(),
        Some(1) => ", the last of them for ever".into(),
        Some(n) => format!(", the last {n} of them for ever"),
    }
}

fn trace<'a>(run: &'a Done<'_>) -> Option<&'a Trace> {
    match &run.outcome.verdict {
        Verdict::Violated(trace) => Some(trace),
        _ => None,
    }
}

fn stored(protocol: &Protocol, set: &[(String, String)], options: &RunOptions, run: &Done<'_>) -> Option<StoredTrace> {
    let trace = trace(run)?;
    Some(StoredTrace {
        variant: run.system.variant.clone(),
        scenario: run.system.scenario.clone(),
        memory: run.named.to_string(),
        set: set.iter().cloned().collect(),
        queue_bound: options.machine.queue_bound,
        speculate: run.memory.speculate,
        address_speculation: run.memory.address_speculation == AddressSpeculation::Allowed,
        spurious_failures: run.memory.store_conditional == StoreConditional::MayFail,
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
    Run {
        protocol: protocol.outline.name.clone(),
        variant: run.system.variant.clone(),
        scenario: run.system.scenario.clone(),
        memory: run.memory.name.clone(),
        parameters,
        verdict: run.outcome.word().into(),
        vacuous: run.outcome.is_vacuous(),
        uncovered: run.outcome.uncovered.clone(),
        property: run.outcome.property.clone(),
        limit: match run.outcome.verdict {
            Verdict::Inconclusive(limit) => Some(limit.name().into()),
            _ => None,
        },
        expected: run.expected.as_ref().map(|expected| match expected {
            Expected::Holds => "holds".into(),
            Expected::Violated { property: Some(property) } => format!("violated by {property}"),
            Expected::Violated { property: None } => "violated".into(),
        }),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.seconds,
        peak_bytes: statistics.peak_bytes,
        bounds_hit: run.outcome.bounds_hit.iter().map(|thread| format!("K={bound} ({thread})")).collect(),
        trace: stored(protocol, set, options, run),
    }
}

fn exit(args: &CheckArgs, done: &[Done<'_>]) -> Exit {
    let of_run = |run: &Done<'_>| match run.outcome.verdict {
        _ if args.expect && is_expected(run) => Exit::Holds,
        _ if args.expect => Exit::Violated,
        Verdict::Holds => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Inconclusive(_) => Exit::Inconclusive,
    };
    done.iter().map(of_run).fold(Exit::Holds, Exit::and)
}
