//! The 23 rows of the copying study on the processor and in the language that people use.

use crate::bars::Bars;
use crate::sections::system;
use lacuna::parallel;
use lacuna::session::{Scope, Switches, System, memory_model};
use memory::MemoryModel;
use report::table::thousands;
use std::time::Instant;
use workbench::{Answer, Question, RunOptions};

/// The rows of the OOPSLA'17 table: files, and the variants that are rows.
const ROWS: [(&str, &[&str]); 12] = [
    ("stopless/stopless.lac", &["original", "for_rmo"]),
    ("chicken/chicken.lac", &["original"]),
    ("staccato/staccato.lac", &["original", "fix_fence", "fix_rel_fence"]),
    ("clover/clover.lac", &CLOVER),
    ("sapphire/sapphire_iteration.lac", &["original"]),
    ("sapphire/sapphire_llsc.lac", &["original"]),
    ("sapphire/sapphire_x86.lac", &["original"]),
    ("baker/baker.lac", &["original"]),
    ("replication/replication.lac", &["original"]),
    ("compressor/compressor.lac", &["original"]),
    ("pauseless/pauseless.lac", &["original"]),
    ("schism/schism.lac", &["original"]),
];

const CLOVER: [&str; 9] = [
    "alpha_0",
    "alpha_1",
    "alpha_2",
    "fix_alpha_0",
    "fix_alpha_1",
    "fix_alpha_2",
    "for_rmo_alpha_0",
    "for_rmo_alpha_1",
    "for_rmo_alpha_2",
];

/// All rows in all scenarios under `armv8` and `rc11`, one run per core at a time, with a counterexample for each violation.
pub(crate) fn rows(bars: &mut Bars) {
    let memories = ["armv8", "rc11"].map(|name| memory_model(name).expect("built in"));
    let rows = ROWS.iter().flat_map(|(file, variants)| variants.iter().map(move |variant| (*file, *variant)));
    let asked = rows.flat_map(|row| ["WR", "RW", "general"].map(|scenario| (row, scenario)));
    let systems: Vec<System> = asked.map(|((file, variant), scenario)| system(file, variant, scenario, &[])).collect();
    let jobs = systems.iter().flat_map(|system| memories.iter().map(move |memory| (system, memory)));
    let jobs: Vec<(&System, &MemoryModel)> =
        jobs.filter(|(system, memory)| machine::refused(&system.automata, memory).is_none()).collect();
    let started = Instant::now();
    let answers = parallel::map(&jobs, |(system, memory)| answer(system, memory));
    let seconds = started.elapsed().as_secs_f64();
    let states = answers.iter().map(|answer| answer.statistics.states).sum();
    let n_undecided = answers.iter().filter(|answer| answer.word() == "inconclusive").count();
    println!(
        "real      23 rows under armv8 and rc11, WR, RW and general: {} runs, {} states",
        jobs.len(),
        thousands(states)
    );
    bars.most("real      runs that are not decided", n_undecided as f64, 0.0, "");
    bars.time("real      wall time", seconds, 10.0, "s");
}

fn answer(system: &System, memory: &MemoryModel) -> Answer {
    let switches = Switches { speculate: Some(memory.speculate), ..Switches::default() };
    let scope = Scope::new(&[], None, switches).expect("the memory model's own settings");
    let mut options = RunOptions::default();
    options.machine.queue_bound = scope.queue_bound;
    options.search.workers = 1;
    Question::new(&system.automata, memory, &options).answer()
}
