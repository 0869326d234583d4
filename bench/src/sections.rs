//! What the bars speak of, measured on the real binary or through the same library.

use crate::bars::{Bars, children_seconds, processor_seconds};
use lacuna::session::{Scope, Switches, System, memory_model, open};
use machine::LateReads;
use report::table::thousands;
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

/// The middle of some times.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The checkout that a binary was built in, whose protocols it can read; else this one.
pub(crate) fn checkout(binary: &Path) -> PathBuf {
    let is_it = |folder: &&Path| folder.join("protocols").is_dir();
    binary.ancestors().find(is_it).map_or_else(root, Path::to_path_buf)
}

/// Runs a binary of ours to its end.
fn run_to_end(binary: &Path, arguments: &[&str]) {
    let status = Command::new(binary)
        .args(arguments)
        .current_dir(checkout(binary))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("lacuna is built beside this program");
    assert!(status.code().is_some_and(|code| code < 2), "{arguments:?} ended with {status}");
}

/// How long a command takes, its start included.
fn seconds_of(arguments: &[&str]) -> f64 {
    let started = Instant::now();
    run_to_end(&binary(), arguments);
    started.elapsed().as_secs_f64()
}

/// Processor time of a command; wall time where the system does not say.
fn processor_seconds_of(binary: &Path, arguments: &[&str]) -> f64 {
    let (started, before) = (Instant::now(), children_seconds());
    run_to_end(binary, arguments);
    let of_children = children_seconds().zip(before).map(|(after, before)| after - before);
    of_children.unwrap_or(started.elapsed().as_secs_f64())
}

const TABLE: [&str; 4] = ["reproduce", "oopsla17", "--json", "-"];

/// The OOPSLA'17 table.
pub(crate) fn table(bars: &mut Bars) {
    let small = [&TABLE[..], &["--scenarios", "WR,RW"]].concat();
    let seconds = median((0..5).map(|_| seconds_of(&small)).collect());
    let general = seconds_of(&TABLE);
    bars.time("table     276 runs (WR, RW), process start included", seconds, 1.0, "s");
    println!("table     414 runs (general too): {general:.3} s, {:.1} times as long", general / seconds);
}

/// The table once, for a machine that does other things too: processor time.
pub(crate) fn short_table(bars: &mut Bars) {
    bars.time("table     414 runs, processor time", processor_seconds_of(&binary(), &TABLE), 2.0, "s");
}

/// The table and MPLR'22 against another binary, in turn: processor time.
pub(crate) fn baseline(bars: &mut Bars, other: &Path) {
    for (name, arguments, times) in [("table", TABLE, 5), ("mplr22", ["reproduce", "mplr22", "--json", "-"], 2)] {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for _ in 0..times {
            others.push(processor_seconds_of(other, &arguments));
            own.push(processor_seconds_of(&binary(), &arguments));
        }
        let (own, others) = (median(own), median(others));
        println!("baseline  {name}: {own:.2} s of processor time against {others:.2} s");
        // What two runs of one binary differ by.
        bars.most(&format!("baseline  {name}, ratio"), own / others, 1.05, "");
    }
}

/// A system of the copying study.
pub(crate) fn system(file: &str, variant: &str, scenario: &str, set: &[&str]) -> System {
    let path = root().join("protocols/copying").join(file);
    let protocol = open(&path).expect("the protocols are beside this program");
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    let scope = Scope::new(&set, None, Switches::default()).expect("settings");
    lacuna::session::system(&protocol, variant, scenario, &scope.set).expect("checked")
}

fn search(system: &System, workers: usize, late_reads: LateReads, max_states: Option<u64>) -> Answer {
    let memory = memory_model("rmo-no").expect("built in");
    let mut options = RunOptions::default();
    options.machine.reductions.late_reads = late_reads;
    options.search.workers = workers;
    options.search.limits = Limits { max_states, ..Limits::default() };
    Question::new(&system.automata, &memory, &options).answer()
}

pub(crate) fn stopless(mutators: &str) -> System {
    system("stopless/stopless.lac", "for_rmo", "general", &[mutators])
}

/// Two general mutators.
pub(crate) fn mutators(bars: &mut Bars) {
    let outcome = search(&stopless("MUTATORS=2"), 2, LateReads::WhenLarge, None);
    let s = outcome.statistics;
    println!("mutators  two on Stopless(for RMO), rmo-no, K=4: {}, {} states", outcome.word(), thousands(s.states));
    bars.time("mutators  wall time", s.seconds, 30.0, "s");
    bars.most("mutators  memory", s.peak_bytes as f64 / 1e9, 1.5, "GB");
}

/// States per second where no read is put off, and what a second worker brings; the two are measured in turn.
pub(crate) fn rate(bars: &mut Bars) {
    const STATES: u64 = 16_000_000;
    let system = stopless("MUTATORS=3");
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..3 {
        for workers in [1, 2] {
            let s = search(&system, workers, LateReads::Never, Some(STATES)).statistics;
            rates[workers - 1].push((s.states as f64 / s.seconds / 1e6, s.peak_bytes as f64 / s.states as f64));
        }
    }
    let best = |workers: usize| rates[workers - 1].iter().map(|r| r.0).fold(0.0, f64::max);
    let (per_state, one) = (rates[1][0].1, best(1));
    println!("rate      three mutators, every read a step, {} states: {per_state:.0} bytes/state", thousands(STATES));
    println!("rate      1 worker: {one:.2} million states/s");
    bars.rate("rate      2 workers", best(2), 1.5, "million states/s");
    bars.least("rate      2 workers, times as fast as 1 (best of three each)", best(2) / one, 1.6, "");
}

/// What late reads cost for each stored state: processor time of one worker.
pub(crate) fn late(bars: &mut Bars) {
    let system = stopless("MUTATORS=3");
    let before = processor_seconds();
    let outcome = search(&system, 1, LateReads::Always, None);
    let (seconds, states) = (processor_seconds() - before, outcome.statistics.states);
    assert!(outcome.late_reads, "reads are put off");
    println!("late      three mutators, late reads: {}, {} states stored", outcome.word(), thousands(states));
    bars.time("late      processor time per stored state", seconds * 1e6 / states as f64, 3.0, "µs");
}

/// The classic litmus tests.
pub(crate) fn litmus(_: &mut Bars) {
    let file = root().join("litmus/classics.jsonl");
    if !file.exists() {
        println!("litmus    skipped: {} is not here", file.display());
        return;
    }
    let arguments = ["litmus", "litmus/classics.jsonl", "--memory", "all", "--json", "-"];
    let seconds = median((0..5).map(|_| seconds_of(&arguments)).collect());
    println!("litmus    the classics under all memory models, process start included: {seconds:.3} s");
}
