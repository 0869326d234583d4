//! A census of violated runs: each has an explanation that names what the violation comes from, in sentences that are true of the run.
//!
//! The runs are those of every file in the repository, in every variant, scenario and choice of parameters that the file expects something for,
//! under every memory model, and of every mutant. A sample of them unless `LACUNA_FULL` is set.

use crate::command::{is_full, root};
use crate::mutant_files::{Mutant, load, mutants};
use crate::preempted::wrong_preemptions;
use crate::true_stories::untrue;
use base::Sources;
use explain::{Cause, Explained, Named, explain_found};
use lacuna::parallel;
use lacuna::session::{self, Disk, Scope, Switches, expected, memories, texts};
use memory::MemoryModel;
use program::{Expected, Settings};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::Instant;
use workbench::{Protocol, Question, RunOptions, System, Verdict};

/// Where files are.
const FOLDERS: [&str; 3] = ["tests", "litmus", "protocols"];

/// Texts that are wrong, or too much, on purpose.
const LEFT_OUT: [&str; 2] = ["tests/limits", "tests/diagnostics"];

/// Whether a path is looked at: all are, or with `UNDER` those below that folder or file.
fn is_below(path: &Path) -> bool {
    std::env::var("UNDER").map_or(true, |folder| path.starts_with(root().join(folder)))
}

/// Every text of the repository that is looked at.
fn files() -> Vec<PathBuf> {
    let all = FOLDERS.into_iter().flat_map(|folder| texts(&root().join(folder)).expect("readable"));
    let is_left_out = |path: &PathBuf| LEFT_OUT.iter().any(|left| path.starts_with(root().join(left)));
    all.filter(|path| !is_left_out(path) && is_below(path)).collect()
}

/// One file, and one mutant, in how many is looked at.
fn every() -> usize {
    if is_full() { 1 } else { 13 }
}

/// Above how many states a search is left out. `STATES` says so where nothing is expected, and 0 leaves those out.
fn max_states(memory: &MemoryModel, expected: Option<&Expected>) -> u64 {
    let given = std::env::var("STATES").ok().and_then(|states| states.parse().ok());
    match (is_full(), memory.name.as_str()) {
        (true, _) if expected.is_some() => 2_000_000,
        (true, name) => given.unwrap_or(if name == "sc" { 300_000 } else { 5_000 }),
        (false, _) => 1_000,
    }
}

/// Questions that were asked, as hashes of their texts: choices that a variant does not use lead to equal ones.
static ASKED: LazyLock<Mutex<BTreeSet<u64>>> = LazyLock::new(Mutex::default);

fn is_new(question: Question<'_>) -> bool {
    let Question { automata, memory, options, .. } = question;
    let machine::Options { queue_bound, buffer, .. } = options.machine;
    let text = (automata::text::write(automata), format!("{memory:?} {queue_bound:?} {buffer:?}"));
    ASKED.lock().expect("no panic").insert(FxBuildHasher.hash_one(text))
}

/// What was found of one run.
enum Found {
    /// It is violated, and the explanation names this.
    Violated { memory: String, names: Vec<Named>, is_decided: bool, wrong: Vec<String> },
    /// The search was longer than anyone waits for here.
    Long,
    /// The same automata were looked at under the same memory model.
    Equal,
}

/// The choices of parameters and switches that a file expects something for, and its own.
fn choices(protocol: &Protocol) -> BTreeSet<Vec<String>> {
    let settings = protocol.outline.expectations.iter().map(|expectation| &expectation.settings);
    let choice =
        |settings: &Vec<(String, String)>| settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    settings.map(choice).chain([Vec::new()]).collect()
}

/// The memory models of a file. A sample has the strongest, and for small texts one in which most is reordered.
fn memory_models(path: &Path, switches: &Switches) -> Vec<MemoryModel> {
    let names: &[&str] = match is_full() {
        true => &["all", "armv8", "rc11"],
        false if path.starts_with(root().join("protocols")) => &["sc"],
        false => &["sc", "relaxed"],
    };
    let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    memories(&names, switches).expect("built in")
}

/// The violated runs of a file.
fn runs_of(path: &Path) -> Vec<Found> {
    let Ok(protocol) = workbench::open(&Disk, path) else { return Vec::new() };
    let sources = &protocol.loaded.sources;
    let name = path.strip_prefix(root()).unwrap_or(path).display();
    let mut found = Vec::new();
    for variant in protocol.outline.variants.iter().map(|variant| &variant.name) {
        for scenario in protocol.outline.scenarios.iter().map(|scenario| &scenario.name) {
            for set in choices(&protocol) {
                // Some texts are wrong on purpose, and a framework is no system.
                let Ok(scope) = Scope::new(&set, None, Switches::default()) else { continue };
                let Ok(system) = session::system(&protocol, variant, scenario, &scope.set) else { continue };
                for memory in memory_models(path, &scope.switches) {
                    let expected = expected(&protocol, &scope, &system, &memory).unwrap_or(None);
                    let max_states = max_states(&memory, expected.as_ref());
                    if expected == Some(Expected::Holds) || max_states == 0 {
                        continue;
                    }
                    let mut options = in_scope(&scope, &memory);
                    options.search.limits.max_states = Some(max_states);
                    let name = format!("{name} {variant} {scenario} {} {}", set.join(" "), memory.name);
                    found.extend(run(&name, &system, sources, &memory, options));
                }
            }
        }
    }
    found
}

/// The violated runs of a mutant.
fn runs_of_mutant(mutant: &Mutant) -> Vec<Found> {
    let loaded = load(mutant);
    let scope = Scope::new(&mutant.set, None, Switches::default()).expect("settings");
    let violated = mutant.expectations.iter().filter(|expectation| expectation.verdict == "violated");
    let found = violated.filter_map(|expectation| {
        let (variant, scenario) = (mutant.variant.clone(), Some(expectation.scenario.clone()));
        let system = System::of(&loaded, &Settings { variant, scenario, set: scope.set.clone() }).ok()?;
        let memory = &memories(std::slice::from_ref(&expectation.memory), &scope.switches).expect("built in")[0];
        let mut options = in_scope(&scope, memory);
        options.search.limits.max_states = Some(max_states(memory, Some(&Expected::Violated { property: None })));
        run(&format!("{} {}", mutant.name, memory.name), &system, &loaded.sources, memory, options)
    });
    found.collect()
}

fn in_scope(scope: &Scope, memory: &MemoryModel) -> RunOptions {
    let mut options = RunOptions::default();
    options.machine.buffer = scope.switches.buffer;
    options.machine.queue_bound = if memory.speculate > 0 && !scope.is_bound_given { 6 } else { scope.queue_bound };
    options
}

/// What is found of one run; nothing if it is not violated.
fn run(name: &str, system: &System, sources: &Sources, memory: &MemoryModel, options: RunOptions) -> Option<Found> {
    let automata = &system.automata;
    let question = Question::new(automata, memory, &options);
    if machine::refused(automata, memory).is_some() || question.cannot_begin().is_some() {
        return None;
    }
    if !is_new(question) {
        return Some(Found::Equal);
    }
    let begun = Instant::now();
    let answer = question.answer();
    let searched = begun.elapsed().as_secs_f64();
    let trace = match &answer.verdict {
        Verdict::Holds => return None,
        Verdict::Inconclusive(limit) => {
            if is_full() {
                println!("{name}: {} after {searched:.3} s", limit.name());
            }
            return Some(Found::Long);
        }
        Verdict::Violated(trace) => trace,
    };
    let found_in = Some(answer.statistics.states).filter(|_| !answer.late_reads);
    let found = explain_found(question, sources, trace, found_in);
    let explained = begun.elapsed().as_secs_f64() - searched;
    let mut wrong = untrue(&found, automata, sources, memory);
    wrong.extend(wrong_preemptions(question, &found));
    let Explained { explanation, .. } = found;
    let names = explanation.names.clone();
    if !names.iter().any(|named| *named != Named::Repetition) {
        wrong.push(format!("names nothing: {:?} {:?}", explanation.failed, explanation.sentences));
    }
    let wrong: Vec<String> = wrong.into_iter().map(|what| format!("{name}: {what}")).collect();
    let is_decided = explanation.cause != Cause::Undecided && explanation.undecided.is_empty();
    if is_full() {
        println!("{name}: {names:?} in {searched:.3} s and {explained:.3} s, decided: {is_decided}, wrong: {wrong:?}");
    }
    Some(Found::Violated { memory: memory.name.clone(), names, is_decided, wrong })
}

/// What of it is told first, in the order of what people ask for.
fn kind(names: &[Named]) -> String {
    names.iter().min().map_or("nothing".into(), |named| format!("{named:?}"))
}

#[test]
fn every_violated_run_of_the_repository_says_what_it_comes_from() {
    let files: Vec<PathBuf> = files().into_iter().step_by(every()).collect();
    let mutants = if is_below(&root().join("tests/mutants")) { mutants() } else { Vec::new() };
    let mutants: Vec<&Mutant> = mutants.iter().step_by(every()).collect();
    let of_files = parallel::map(&files, |path| runs_of(path));
    let of_mutants = parallel::map(&mutants, |mutant| runs_of_mutant(mutant));
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let (mut n_long, mut n_equal, mut n_violated, mut n_undecided, mut all_wrong) = (0, 0, 0, 0, Vec::new());
    for found in of_files.into_iter().chain(of_mutants).flatten() {
        match found {
            Found::Long => n_long += 1,
            Found::Equal => n_equal += 1,
            Found::Violated { memory, names, is_decided, wrong } => {
                n_violated += 1;
                n_undecided += usize::from(!is_decided);
                *counts.entry(memory).or_default().entry(kind(&names)).or_default() += 1;
                all_wrong.extend(wrong);
            }
        }
    }
    println!("{} files and {} mutants: {n_violated} violated runs", files.len(), mutants.len());
    println!("{n_undecided} left something undecided, {n_long} searches were given up, {n_equal} were equal to others");
    counts.iter().for_each(|(memory, counts)| println!("{memory}: {counts:?}"));
    assert!(all_wrong.is_empty(), "{} of {n_violated}:\n{}", all_wrong.len(), all_wrong.join("\n"));
    assert!(n_violated >= 30 || std::env::var_os("UNDER").is_some(), "{n_violated}");
}
