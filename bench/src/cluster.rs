//! Two processes that search together, against two workers of one process.

use crate::bars::Bars;
use crate::sections::{binary, root};
use std::process::Command;

/// The first states of three general mutators on Stopless, every read a step of its own, in turn: the best of three rates each.
pub(crate) fn compare(bars: &mut Bars) {
    const WAYS: [&str; 2] = ["--workers 2", "--processes 2 --workers 1"];
    let mut best = [0.0f64; 2];
    for _ in 0..3 {
        for (n, way) in WAYS.iter().enumerate() {
            best[n] = best[n].max(rate(way));
        }
    }
    let [workers, processes] = best;
    println!("cluster   three mutators: 2 workers {workers:.2} million states/s, 2 processes {processes:.2}");
    bars.least("cluster   2 processes, times as fast as 2 workers (best of three each)", processes / workers, 0.8, "");
}

/// Million states per second.
fn rate(way: &str) -> f64 {
    let words = "check protocols/copying/stopless/stopless.lac --variant for_rmo --scenario general --memory rmo-no";
    let more = "--set MUTATORS=3 --without late-reads --max-states 16000000 --quiet --json -";
    let words = words.split(' ').chain(more.split(' ')).chain(way.split(' '));
    let output =
        Command::new(binary()).args(words).current_dir(root()).output().expect("lacuna is beside this program");
    let runs: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it writes JSON");
    assert_eq!(runs[0]["limit"], "max-states");
    runs[0]["states"].as_f64().expect("states") / runs[0]["seconds"].as_f64().expect("seconds") / 1e6
}
