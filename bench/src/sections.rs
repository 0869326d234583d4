//! What the bars speak of, measured on the real binary or through the same library.

use lacuna::session::{Scope, Switches, System, memory_model, open};
use report::table::{bytes, thousands};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use system::Limits;
use workbench::{Answer, Question, RunOptions};

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The binary that stands beside this one.
pub(crate) fn binary() -> PathBuf {
    std::env::current_exe().expect("this program has a path").with_file_name("lacuna")
}

/// The middle of five times.
fn median_of_five(mut measure: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..5).map(|_| measure()).collect();
    times.sort_by(f64::total_cmp);
    times[2]
}

/// How long a command takes, its start included.
fn seconds_of(arguments: &[&str]) -> f64 {
    let started = Instant::now();
    let status = Command::new(binary())
        .args(arguments)
        .current_dir(root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("lacuna is built beside this program");
    assert!(status.code().is_some_and(|code| code < 2), "{arguments:?} ended with {status}");
    started.elapsed().as_secs_f64()
}

/// The OOPSLA'17 table.
pub(crate) fn table() {
    let seconds = median_of_five(|| seconds_of(&["reproduce", "oopsla17", "--scenarios", "WR,RW", "--json", "-"]));
    let general = seconds_of(&["reproduce", "oopsla17", "--json", "-"]);
    println!("table     276 runs (WR, RW), process start included: {seconds:.3} s (bar: 1 s)");
    println!("table     414 runs (general too): {general:.3} s, {:.1} times as long", general / seconds);
}

/// A system of the copying study.
pub(crate) fn system(file: &str, variant: &str, scenario: &str, set: &[&str]) -> System {
    let path = root().join("protocols/copying").join(file);
    let protocol = open(&path).expect("the protocols are beside this program");
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    let scope = Scope::new(&set, None, Switches::default()).expect("settings");
    lacuna::session::system(&protocol, variant, scenario, &scope.set).expect("checked")
}

fn search(system: &System, memory: &str, workers: usize, max_states: Option<u64>) -> Answer {
    let memory = memory_model(memory).expect("built in");
    let mut options = RunOptions::default();
    options.search.workers = workers;
    options.search.limits = Limits { max_states, ..Limits::default() };
    Question::new(&system.automata, &memory, &options).answer()
}

/// Two general mutators.
pub(crate) fn mutators() {
    let system = system("stopless/stopless.lac", "for_rmo", "general", &["MUTATORS=2"]);
    let outcome = search(&system, "rmo-no", 2, None);
    let s = outcome.statistics;
    println!(
        "mutators  two on Stopless(for RMO), rmo-no, K=4: {}, {} states, {:.2} s (bar: 30 s), {} (bar: 1.5 GB)",
        outcome.word(),
        thousands(s.states),
        s.seconds,
        bytes(s.peak_bytes)
    );
}

/// States per second, and what a second worker brings; the two are measured in turn.
pub(crate) fn rate() {
    const STATES: u64 = 16_000_000;
    let system = system("stopless/stopless.lac", "for_rmo", "general", &["MUTATORS=3"]);
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..3 {
        for workers in [1, 2] {
            let s = search(&system, "rmo-no", workers, Some(STATES)).statistics;
            rates[workers - 1].push((s.states as f64 / s.seconds, s.peak_bytes as f64 / s.states as f64));
        }
    }
    let best = |workers: usize| rates[workers - 1].iter().map(|r| r.0).fold(0.0, f64::max);
    let per_state = rates[1][0].1;
    let million = |rate: f64| rate / 1e6;
    println!(
        "rate      {} states, three mutators: 1 worker {:.2} M/s, 2 workers {:.2} M/s (bar: 1.5), {per_state:.0} bytes/state",
        thousands(STATES),
        million(best(1)),
        million(best(2))
    );
    println!("rate      2 workers are {:.2} times as fast as 1 (bar: 1.6; best of three each)", best(2) / best(1));
}

/// The classic litmus tests.
pub(crate) fn litmus() {
    let file = root().join("litmus/classics.jsonl");
    if !file.exists() {
        println!("litmus    skipped: {} is not here", file.display());
        return;
    }
    let seconds = median_of_five(|| seconds_of(&["litmus", "litmus/classics.jsonl", "--memory", "all", "--json", "-"]));
    println!("litmus    the classics under all memory models, process start included: {seconds:.3} s");
}
