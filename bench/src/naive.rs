//! The compiled search against the rules as they stand: every issue a step, whole states in a hash set.

use crate::bars::Bars;
use crate::sections::system;
use lacuna::session::memory_model;
use machine::{Interpreter, Options, PlainState, Reductions};
use report::table::thousands;
use rustc_hash::FxHashSet;
use std::time::Instant;
use workbench::{Question, RunOptions};

/// Explores with the plain rules; the number of states and the seconds it took.
fn explore(automata: &automata::Automata, memory: &memory::MemoryModel) -> (usize, f64) {
    let options = Options { reductions: Reductions::NONE, ..Options::default() };
    let started = Instant::now();
    let interpreter = Interpreter::new(automata, memory, &options);
    let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, state)| state).collect();
    let mut seen: FxHashSet<PlainState> = stack.iter().cloned().collect();
    while let Some(state) = stack.pop() {
        for (_, next) in interpreter.successors(&state).steps {
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    (seen.len(), started.elapsed().as_secs_f64())
}

/// Compares the two on cells that hold, so that both see every state.
pub(crate) fn compare(_: &mut Bars) {
    for (file, variant, scenario, memory) in [
        ("stopless/stopless.lac", "for_rmo", "WR", "rmo-no"),
        ("staccato/staccato.lac", "fix_fence", "WR", "rmo-no"),
        ("clover/clover.lac", "for_rmo_alpha_2", "WR", "pso-no"),
        ("stopless/stopless.lac", "for_rmo", "general", "tso"),
    ] {
        let system = system(file, variant, scenario, &[]);
        let memory = memory_model(memory).expect("built in");
        let (naive_states, naive_seconds) = explore(&system.automata, &memory);
        let s = Question::new(&system.automata, &memory, &RunOptions::default()).answer().statistics;
        println!(
            "naive     {variant} {scenario} {}: {} states against {} ({:.1} times), {:.1} times the time",
            memory.name,
            thousands(naive_states as u64),
            thousands(s.states),
            naive_states as f64 / s.states as f64,
            naive_seconds / s.seconds
        );
    }
}
