//! The copying study asked again, under `armv8` and `rc11`: every verdict that a file expects there is measured.
//!
//! A run with more than `MOST_STATES` states is left out unless `LACUNA_FULL` is set.

use crate::command::is_full;
use lacuna::parallel;
use lacuna::session::{Protocol, Scope, Switches, expected, memories, open, system};
use program::Expected;
use std::path::{Path, PathBuf};
use workbench::{Question, RunOptions, Verdict};

const MOST_STATES: u64 = 4_000;

/// The files of the copying study that say what they expect under one of the two.
fn protocols() -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).expect("the protocols are here");
        entries.map(|entry| entry.expect("readable").path()).collect::<Vec<_>>()
    };
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/copying");
    let mut files: Vec<PathBuf> = entries(study).into_iter().filter(|path| path.is_dir()).flat_map(entries).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "lac"));
    files.retain(|path| std::fs::read_to_string(path).expect("readable").contains("rc11"));
    files.sort();
    files
}

/// The result of one run: nothing to say, left out, or not as expected.
enum Found {
    AsExpected,
    LeftOut,
    Wrong(String),
}

fn judge(protocol: &Protocol, variant: &str, scenario: &str, memory: &str) -> Option<Found> {
    let scope = Scope::new(&[], None, Switches::default()).expect("no settings");
    let memory = memories(&[memory.into()], &scope.switches).expect("built in").remove(0);
    let system = system(protocol, variant, scenario, &[]).expect("checked");
    let expected = expected(protocol, &scope, &system, &memory).expect("no contradiction")?;
    let mut options = RunOptions::default();
    options.machine.queue_bound = if memory.speculate > 0 { 6 } else { 4 };
    options.search.limits.max_states = (!is_full()).then_some(MOST_STATES);
    let answer = Question::new(&system.automata, &memory, &options).answer();
    Some(match (&answer.verdict, &expected) {
        (Verdict::Inconclusive(_), _) => Found::LeftOut,
        (Verdict::Holds, Expected::Holds) if !answer.is_vacuous() => Found::AsExpected,
        (Verdict::Violated(_), Expected::Violated { .. }) => Found::AsExpected,
        _ => Found::Wrong(format!("{variant} {scenario} {}: {}, expected {expected:?}", memory.name, answer.word())),
    })
}

#[test]
fn under_armv8_and_rc11_every_verdict_is_as_the_file_expects() {
    let protocols: Vec<Protocol> = protocols().iter().map(|path| open(path).expect("loads")).collect();
    let mut jobs = Vec::new();
    for protocol in &protocols {
        for variant in &protocol.outline.variants {
            for scenario in &protocol.outline.scenarios {
                jobs.extend(["armv8", "rc11"].map(|memory| (protocol, &variant.name, &scenario.name, memory)));
            }
        }
    }
    let found =
        parallel::map(&jobs, |(protocol, variant, scenario, memory)| judge(protocol, variant, scenario, memory));
    let is = |it: fn(&Found) -> bool| found.iter().flatten().filter(|found| it(found)).count();
    let wrong: Vec<&String> =
        found.iter().flatten().filter_map(|it| if let Found::Wrong(wrong) = it { Some(wrong) } else { None }).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let (n_measured, n_left_out) = (is(|it| matches!(it, Found::AsExpected)), is(|it| matches!(it, Found::LeftOut)));
    println!("{n_measured} as expected, {n_left_out} left out");
    assert!(n_measured >= 40, "{n_measured} measured, {n_left_out} left out");
}
