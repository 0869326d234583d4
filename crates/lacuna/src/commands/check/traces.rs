//! Counterexamples in lanes, each with what it needs of the memory model.

use super::Run;
use crate::args::{OutputArgs, Traces};
use crate::exit::{Error, print};
use crate::terminal;
use report::{LaneOptions, lanes};
use workbench::{Trace, calls};

/// The counterexamples asked for.
pub(super) fn show_traces(args: &OutputArgs, runs: &[Run<'_>]) -> Result<(), Error> {
    let options = LaneOptions { cells: args.cells, queues: args.queues, width: terminal::width() };
    let limit = match args.traces {
        Traces::None => 0,
        Traces::First => 1,
        Traces::All => usize::MAX,
    };
    for run in runs.iter().filter(|run| run.is_violated()).take(limit) {
        let Some(trace) = run.trace() else { continue };
        let property = run.answer.property.as_deref().unwrap_or("");
        print(&format!(
            "\n{}{} is violated under {} in scenario {} ({} steps{}, {} changes of thread):\n\n{}",
            run.request.place(),
            property,
            run.memory.name,
            run.system.scenario,
            trace.steps.len(),
            repeated(trace),
            trace.switches(),
            lanes(&run.system.automata, run.request.sources(), trace, options),
        ))?;
        print(&unexplained(&calls(run.system, trace)))?;
        if let Some(explanation) = run.explanation() {
            print(&format!("\n{}", explain::short(explanation, options.width)))?;
        }
    }
    Ok(())
}

/// The calls and returns that no order explains, if that is what is wrong.
fn unexplained(calls: &[(usize, String)]) -> String {
    let line = |(step, words): &(usize, String)| format!("{step:>4}  {words}\n");
    match calls {
        [] => String::new(),
        _ => {
            let lines: String = calls.iter().map(line).collect();
            format!("\ncalls:\n{lines}      no order of these calls, one after another, gives these results\n")
        }
    }
}

/// How many steps of a run repeat forever.
fn repeated(trace: &Trace) -> String {
    match trace.loop_start.map(|start| trace.steps.len() - start) {
        None => String::new(),
        Some(0) => ", then none".into(),
        Some(1) => ", the last of them forever".into(),
        Some(n) => format!(", the last {n} of them forever"),
    }
}
