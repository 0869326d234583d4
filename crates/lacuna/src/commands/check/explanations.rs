//! Why what is violated is: a phase between the runs and what is shown of them.
//!
//! An explanation takes searches of its own, so only those are made that something will show.

use super::{Run, breaks, formats};
use crate::args::{OutputArgs, Traces};
use crate::progress::STOP;
use explore::Control;
use workbench::{Question, RunOptions, Verdict};

/// Of which violations the explanations are needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Needs {
    None,
    First,
    All,
}

/// Explains the violations that are printed or written.
pub(super) fn explain(args: &OutputArgs, runs: &mut [Run<'_>]) {
    for n in needed(args, runs) {
        let run = &runs[n];
        let Verdict::Violated(trace) = &run.answer.verdict else { continue };
        let states = run.answer.statistics.states;
        let options = limited(&run.request.options.after(run.spent), states);
        let control = Control { stop: &STOP, progress: &|_| {}, ended: &|_| {} };
        let (automata, memory) = (&run.system.automata, run.memory);
        let question = Question { automata, memory, options: &options, control: &control };
        let found_in = Some(states).filter(|_| !run.answer.late_reads);
        let explained = explain::explain_found(question, run.request.sources(), trace, found_in);
        runs[n].explained = Some(explained);
    }
}

/// The runs whose explanations are needed, by position, each once.
fn needed(args: &OutputArgs, runs: &[Run<'_>]) -> Vec<usize> {
    if args.no_explain {
        return Vec::new();
    }
    let is_printed = !formats::use_standard_output(args);
    let traces = match args.traces {
        Traces::All if is_printed => Needs::All,
        Traces::First if is_printed => Needs::First,
        _ => Needs::None,
    };
    let violated: Vec<usize> = (0..runs.len()).filter(|n| runs[*n].is_violated()).collect();
    let n_first = match formats::needs(args).max(traces) {
        Needs::None => 0,
        Needs::First => 1,
        Needs::All => violated.len(),
    };
    let is_strongest = |n: &&usize| is_printed && breaks::is_shown(runs, **n);
    let rest = violated.iter().skip(n_first).filter(is_strongest);
    violated.iter().take(n_first).chain(rest).copied().collect()
}

/// The options of the searches that explain: unless said otherwise, each is not to see many more states than the one that found something.
fn limited(options: &RunOptions, states: u64) -> RunOptions {
    let mut options = options.clone();
    options.search.limits.max_states.get_or_insert(10 * states + 1_000_000);
    options
}
