//! What each reduction buys: one model, one run with all of them, one with each of them off.

use crate::bars::Bars;
use crate::sections::system;
use machine::{Options, Reductions};
use report::table::thousands;
use std::time::{Duration, Instant};
use workbench::{Question, RunOptions, Verdict};

/// Who has not ended by then is left.
const PATIENCE: Duration = Duration::from_secs(20);

/// States and seconds of the model under `relaxed` with these reductions; none if that takes too long.
fn measure(reductions: Reductions) -> Option<(u64, f64)> {
    let system = system("../marking/idle/heap6.lac", "original", "main", &["MARKERS=2"]);
    let memory = memory::builtin::find("relaxed").expect("built in");
    let mut options = RunOptions { machine: Options { reductions, ..Options::default() }, ..RunOptions::default() };
    options.search.limits.timeout = Some(PATIENCE);
    let start = Instant::now();
    let outcome = Question::new(&system.automata, &memory, &options).answer();
    match outcome.verdict {
        Verdict::Inconclusive(_) => None,
        _ => Some((outcome.statistics.states, start.elapsed().as_secs_f64())),
    }
}

/// Prints states and time with all reductions, and the ratios without each.
pub(crate) fn compare(bars: &mut Bars) {
    let Some((states, seconds)) = measure(Reductions::ALL) else {
        return bars.time("reductions  all on", f64::INFINITY, 5.0, "s");
    };
    println!("reductions: largest idle heap, two markers, relaxed, two formulas: {} states", thousands(states));
    bars.time("  all on", seconds, 5.0, "s");
    // The model is too small for late reads.
    for (name, reductions) in Reductions::without_each().filter(|(name, _)| *name != "late-reads") {
        let Some((more_states, more_seconds)) = measure(reductions) else {
            println!("  without {name}: not ended after {} s", PATIENCE.as_secs());
            continue;
        };
        let ratio = more_states as f64 / states as f64;
        println!("  without {name}: {ratio:.2} times the states, {:.2} times the time", more_seconds / seconds);
    }
}
