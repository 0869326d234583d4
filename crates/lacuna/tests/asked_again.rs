//! The studies asked again, under `armv8` and `rc11`: every verdict that a file names one of them for is measured.
//!
//! A run with more than `MOST_STATES` states is left out unless `LACUNA_FULL` is set.

use crate::command::{ends, is_full};
use lacuna::parallel;
use lacuna::session::{Protocol, Scope, Switches, expected, memories, open, system};
use program::{Expectation, Expected};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use workbench::{Question, RunOptions, Verdict};

const MOST_STATES: u64 = 4_000;

const MEMORIES: [&str; 2] = ["armv8", "rc11"];

/// The files of the studies that say what they expect under one of the two.
fn protocols() -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).expect("the protocols are here");
        entries.map(|entry| entry.expect("readable").path()).collect::<Vec<_>>()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    let studies = ["copying", "marking", "transactional"].map(|study| root.join(study));
    let folders = studies.into_iter().flat_map(entries).filter(|path| path.is_dir());
    let mut files: Vec<PathBuf> = folders.flat_map(entries).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "lac"));
    files.retain(|path| std::fs::read_to_string(path).expect("readable").contains("expect "));
    files.sort();
    files
}

/// The memory models of the two that a file names, each with the settings it names them with, once.
fn asked(protocol: &Protocol) -> BTreeSet<(&'static str, Vec<String>)> {
    let mut asked = BTreeSet::new();
    for Expectation { settings, rows, .. } in &protocol.outline.expectations {
        let set: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let is_named = |memory: &&str| rows.iter().flat_map(|row| &row.memories).any(|named| named.name == **memory);
        asked.extend(MEMORIES.into_iter().filter(|memory| is_named(memory)).map(|memory| (memory, set.clone())));
    }
    asked
}

/// The result of one run: nothing to say, left out, or not as expected.
enum Found {
    AsExpected,
    LeftOut,
    Wrong(String),
}

fn judge(protocol: &Protocol, (variant, scenario): (&str, &str), memory: &str, set: &[String]) -> Option<Found> {
    let scope = Scope::new(set, None, Switches::default()).expect("settings");
    let memories = memories(&[memory.into()], &scope.switches).expect("built in");
    let (scope, memory) = (scope.suited(&memories), &memories[0]);
    let system = system(protocol, variant, scenario, &scope.set).expect("checked");
    if machine::refused(&system.automata, memory).is_some() {
        return None;
    }
    let expected = expected(protocol, &scope, &system, memory).expect("no contradiction")?;
    let mut options = RunOptions::default();
    options.machine.queue_bound = scope.queue_bound;
    options.search.limits.max_states = (!is_full()).then_some(MOST_STATES);
    let answer = Question::new(&system.automata, memory, &options).answer();
    Some(match (&answer.verdict, &expected) {
        (Verdict::Inconclusive(_), _) => Found::LeftOut,
        (Verdict::Holds, Expected::Holds) if !answer.is_vacuous() => Found::AsExpected,
        (Verdict::Violated(_), Expected::Violated { property })
            if property.is_none() || *property == answer.property =>
        {
            Found::AsExpected
        }
        _ => Found::Wrong(format!(
            "{} {variant} {scenario} {} {set:?}: {} {:?}, expected {expected:?}",
            protocol.outline.name,
            memory.name,
            answer.word(),
            answer.property
        )),
    })
}

#[test]
fn under_armv8_and_rc11_every_verdict_is_as_the_file_expects() {
    let protocols: Vec<Protocol> = protocols().iter().map(|path| open(path).expect("loads")).collect();
    let mut jobs = Vec::new();
    for protocol in &protocols {
        for (memory, set) in asked(protocol) {
            for variant in &protocol.outline.variants {
                let scenarios = protocol.outline.scenarios.iter();
                jobs.extend(scenarios.map(|scenario| (protocol, &variant.name, &scenario.name, memory, set.clone())));
            }
        }
    }
    let found = parallel::map(&jobs, |(protocol, variant, scenario, memory, set)| {
        judge(protocol, (variant, scenario), memory, set)
    });
    let is = |it: fn(&Found) -> bool| found.iter().flatten().filter(|found| it(found)).count();
    let wrong: Vec<&String> =
        found.iter().flatten().filter_map(|it| if let Found::Wrong(wrong) = it { Some(wrong) } else { None }).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let (n_measured, n_left_out) = (is(|it| matches!(it, Found::AsExpected)), is(|it| matches!(it, Found::LeftOut)));
    println!("{n_measured} as expected, {n_left_out} left out");
    assert!(n_measured >= 60, "{n_measured} measured, {n_left_out} left out");
}

/// Schism with a CAS in place of the bus lock: of its properties, safety alone has a meaning there.
#[test]
fn schism_is_safe_on_armv8_and_not_by_the_language() {
    for (memory, code) in [("tso", 0), ("armv8", 0), ("rc11", 1)] {
        let asked =
            ["check", "protocols/marking/schism/small.lac", "--variant", "cas_in_one", "--property", "valid_refs"];
        let scope = ["-m", memory, "--set", "REFS=1", "--buffer", "1", "--history", "2", "--traces", "none", "-q"];
        ends(&[&asked[..], &scope].concat(), code, &[]);
    }
}
