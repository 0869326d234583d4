//! No reduction changes a verdict: every model of the repository that is small enough, with each reduction off and with all on.

use crate::command::is_full;
use lacuna::parallel;
use lacuna::session::{Switches, memories, open, system};
use machine::{LateReads, Reductions};
use std::path::{Path, PathBuf};
use std::time::Duration;
use workbench::{Answer, Question, RunOptions, Verdict};

/// How far the comparison goes.
struct Extent {
    /// Above so many states of the reduced search a model is left out: without reductions it has many more.
    most: u64,
    /// Where a search without a reduction gives up.
    most_unreduced: u64,
    /// One reduction in so many is left out at a time, in turn.
    one_in: usize,
}

/// `./test --full` goes further.
fn extent() -> Extent {
    match is_full() {
        true => Extent { most: 8_000, most_unreduced: 400_000, one_in: 1 },
        false => Extent { most: 1_200, most_unreduced: 12_000, one_in: 5 },
    }
}

const MEMORIES: [&str; 3] = ["sc", "tso", "relaxed"];

fn without() -> Vec<(&'static str, Reductions)> {
    // Models this small need no late reads, so without them nothing changes.
    let each = Reductions::without_each().filter(|(name, _)| *name != "late-reads");
    each.chain([
        ("steps being taken at once", Reductions { late_reads: LateReads::Always, ..Reductions::ALL }),
        ("any but the eager closure", Reductions { eager_closure: true, ..Reductions::NONE }),
    ])
    .collect()
}

/// Every `.lac` file below `folder`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is here") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lac") {
            found.push(path);
        }
    }
}

/// The models: all but frameworks, which require what another file supplies.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let folders = [
        "protocols",
        "litmus",
        "tests/liveness",
        "tests/packets",
        "tests/sets",
        "tests/then",
        "tests/observed",
        "tests/system",
    ];
    for folder in folders {
        files(&root.join(folder), &mut found);
    }
    // The on-the-fly collectors have many variants and thread states: `crates/machine/tests/symmetry.rs` compares them.
    // In `waiting.lac` an atomic action follows an operation behind a wall (docs/warts.md).
    let is_large = |path: &Path| {
        ["marking/schism", "marking/domani", "system/waiting.lac"].iter().any(|f| path.to_string_lossy().contains(f))
    };
    found.retain(|path| !is_used(path) && !is_large(path));
    found.sort();
    found
}

/// Whether another file of its folder or below uses it.
fn is_used(path: &Path) -> bool {
    let stem = path.file_stem().expect("a name").to_string_lossy();
    let mut beside = Vec::new();
    files(path.parent().expect("a folder"), &mut beside);
    beside.iter().any(|other| {
        let text = std::fs::read_to_string(other).expect("readable");
        text.lines().any(|line| line.trim() == format!("use {stem}"))
    })
}

fn answer(automata: &automata::Automata, memory: &memory::MemoryModel, reductions: Reductions, most: u64) -> Answer {
    let mut options = RunOptions::default();
    options.machine.reductions = reductions;
    options.search.limits.max_states = Some(most);
    // Without reductions a model of few states may have thread states without number: `transactional/brooks` under `relaxed`.
    options.search.limits.timeout = Some(Duration::from_secs(5));
    Question::new(automata, memory, &options).answer()
}

/// What differs for one model, and how many comparisons were made.
fn judge(path: &Path) -> (Vec<String>, usize) {
    let protocol = open(path).expect("loads");
    let (mut wrong, mut compared) = (Vec::new(), 0);
    let Extent { most, most_unreduced, one_in } = extent();
    let mut turns = path.as_os_str().len()..;
    for variant in &protocol.outline.variants {
        let scenario = protocol.outline.scenarios.iter().find(|s| s.is_default).expect("there is one");
        let system = system(&protocol, &variant.name, &scenario.name, &[]).expect("checked");
        for memory in memories(&MEMORIES.map(String::from), &Switches::default()).expect("built in") {
            let reduced = answer(&system.automata, &memory, Reductions::ALL, most);
            if matches!(reduced.verdict, Verdict::Inconclusive(_)) {
                continue;
            }
            for (name, reductions) in without() {
                if !turns.next().is_some_and(|turn| turn.is_multiple_of(one_in)) {
                    continue;
                }
                let plain = answer(&system.automata, &memory, reductions, most_unreduced);
                let same = plain.word() == reduced.word() && plain.uncovered == reduced.uncovered;
                if !same && !matches!(plain.verdict, Verdict::Inconclusive(_)) {
                    let (with, without) = (reduced.word(), plain.word());
                    let place = format!("{} {} {}", path.display(), variant.name, memory.name);
                    wrong.push(format!("{place}: {with}, but {without} without {name}"));
                }
                compared += 1;
            }
        }
    }
    (wrong, compared)
}

#[test]
fn every_small_model_has_the_same_verdict_without_any_reduction() {
    let models = models();
    assert!(models.len() >= 80, "{} models", models.len());
    let judged = parallel::map(&models, |path| judge(path));
    let compared: usize = judged.iter().map(|(_, compared)| compared).sum();
    let wrong: Vec<&str> = judged.iter().flat_map(|(wrong, _)| wrong).map(String::as_str).collect();
    assert!(compared * extent().one_in >= 2_000, "{compared} comparisons");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
