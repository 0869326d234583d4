//! What a state costs in searches of many states: bytes, and processor time beside another binary.

use crate::bars::{Bars, children_seconds};
use crate::sections::{binary, checkout};
use report::table::thousands;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where each search stops, every step being one of its own.
const STATES: &str = "16000000";

/// Searches that do not end before.
const SEARCHES: [(&str, &[&str]); 3] = [
    (
        "Stopless, 3 mutators",
        &[
            "protocols/copying/stopless/stopless.lac",
            "--variant=for_rmo",
            "--scenario=general",
            "--memory=rmo-no",
            "--set=MUTATORS=3",
        ],
    ),
    (
        "Schism, 2 × 2",
        &["protocols/marking/schism/small.lac", "--memory=tso", "--buffer=1", "--set=MUTATORS=2", "--set=REFS=2"],
    ),
    ("Domani, 2 × 3", &["protocols/marking/domani/small.lac", "--memory=sc", "--set=MUTATORS=2", "--set=REFS=3"]),
];

/// What a search took.
struct Cost {
    states: f64,
    bytes: f64,
    seconds: f64,
    processor_seconds: f64,
}

fn search(binary: &Path, arguments: &[&str], workers: usize) -> Cost {
    let before = children_seconds();
    let output = Command::new(binary)
        .args([
            "check",
            "--quiet",
            "--without=late-reads",
            "--max-states",
            STATES,
            "--json=-",
            "--workers",
            &workers.to_string(),
        ])
        .args(arguments)
        .current_dir(checkout(binary))
        .stderr(Stdio::null())
        .output()
        .expect("lacuna is built beside this program");
    let runs: Value = serde_json::from_slice(&output.stdout).expect("a search prints JSON");
    let run = runs.pointer("/runs/0").or(runs.get(0)).unwrap_or(&runs);
    let number = |name: &str| run[name].as_f64().unwrap_or_else(|| panic!("`{name}` is not in {run}"));
    let seconds = number("seconds");
    let processor_seconds = children_seconds().zip(before).map_or(seconds, |(after, before)| after - before);
    Cost { states: number("states"), bytes: number("peak_bytes"), seconds, processor_seconds }
}

/// Bytes held for each state at the most: the table with room to grow, states that wait, thread states.
pub(crate) fn bytes(bars: &mut Bars) {
    for (name, arguments) in SEARCHES {
        let cost = search(&binary(), arguments, 1);
        println!("bytes     {name}: {} states, {:.2} GB", thousands(cost.states as u64), cost.bytes / 1e9);
        bars.most(&format!("bytes     {name}, a state"), cost.bytes / cost.states, 10.0, "bytes");
    }
}

/// States in a second of one core against those of `BASELINE`, and what a second worker brings; all in turn, the best of three each.
pub(crate) fn speed(bars: &mut Bars) {
    let other = std::env::var_os("BASELINE");
    for (name, arguments) in SEARCHES {
        let (mut own, mut others, mut one, mut two) = (0f64, 0f64, f64::MAX, f64::MAX);
        for _ in 0..3 {
            let cost = search(&binary(), arguments, 1);
            own = own.max(cost.states / cost.processor_seconds);
            one = one.min(cost.seconds / cost.states);
            let cost = search(&binary(), arguments, 2);
            two = two.min(cost.seconds / cost.states);
            if let Some(other) = &other {
                let cost = search(Path::new(other), arguments, 1);
                others = others.max(cost.states / cost.processor_seconds);
            }
        }
        println!("speed     {name}: {:.2} million states in a second of a core", own / 1e6);
        match &other {
            Some(_) => bars.least(&format!("speed     {name}, times as fast as BASELINE"), own / others, 2.0, ""),
            None => println!("speed     {name}: no BASELINE to compare with"),
        }
        bars.least(&format!("speed     {name}, 2 workers, times as fast as 1"), one / two, 1.85, "");
    }
}
