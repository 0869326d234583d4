//! What it costs to keep states elsewhere than in memory alone: with checkpoints, and on disk.

use crate::bars::Bars;
use crate::sections::stopless;
use lacuna::session::memory_model;
use machine::LateReads;
use report::table::thousands;
use std::path::Path;
use std::time::{Duration, Instant};
use workbench::{Answer, Keeping, Question, RunOptions};

/// Three general mutators with late reads, the states kept in each way in turn: the least of three times each.
pub(crate) fn compare(bars: &mut Bars) {
    let folder = std::env::temp_dir().join(format!("lacuna-bench-{}", std::process::id()));
    let saved = |folder: &Path| Keeping::Saved { folder: folder.into(), every: Duration::from_secs(1), identity: 1 };
    let ways = [Keeping::Memory, saved(&folder), Keeping::Disk(folder.clone())];
    let (mut least, mut states) = ([f64::MAX; 3], [0; 3]);
    for _ in 0..3 {
        for (n, keeping) in ways.iter().enumerate() {
            std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
            let begun = Instant::now();
            states[n] = search(keeping).statistics.states;
            least[n] = least[n].min(begun.elapsed().as_secs_f64());
            let _ = std::fs::remove_dir_all(&folder);
        }
    }
    assert!(states.iter().all(|n| *n == states[0]), "the number of states depends on where they are kept: {states:?}");
    let [memory, saved, disk] = least;
    println!("keeping   three mutators, late reads, {} states: {memory:.2} s in memory", thousands(states[0]));
    bars.most("keeping   with a checkpoint every second, times as long", saved / memory, 1.05, "");
    bars.most("keeping   on disk, times as long", disk / memory, 6.0, "");
}

fn search(keeping: &Keeping) -> Answer {
    let system = stopless("MUTATORS=3");
    let memory = memory_model("rmo-no").expect("it is built in");
    let mut options = RunOptions::default();
    options.machine.reductions.late_reads = LateReads::Always;
    Question::new(&system.automata, &memory, &options)
        .answer_keeping(keeping)
        .expect("nothing is there to be continued")
}
