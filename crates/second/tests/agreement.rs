//! The verdicts that files of the repository expect, where the second opinion can finish.

use crate::runner::{root, runs};
use std::path::PathBuf;

/// Files whose expectations are older than the rules.
const NOT_YET: [&str; 5] = ["directly.lac", "guesses.lac", "performed.lac", "queues.lac", "values.lac"];

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "lac"));
    files.retain(|file| !NOT_YET.iter().any(|name| file.ends_with(name)));
    files.sort();
    files
}

/// How many runs of a folder's files were decided; each must be as its file expects.
fn agrees(folder: &str, max_states: usize) -> usize {
    let mut n_decided = 0;
    for file in files(folder) {
        for run in runs(&file, max_states) {
            let expected = run.is_expected();
            n_decided += usize::from(expected.is_some());
            let name = format!("{} {}", file.display(), run.name);
            assert_ne!(expected, Some(false), "{name}: expected {:?}\n{}", run.expected, run.traces());
        }
    }
    n_decided
}

#[test]
fn litmus_tests() {
    assert!(agrees("litmus", 10_000) >= 250);
    assert!(agrees("litmus/components", 10_000) >= 120);
}

#[test]
fn transactions() {
    assert!(agrees("litmus/transactions", 10_000) >= 140);
}

#[test]
fn small_systems() {
    for (folder, least) in [("system", 90), ("packets", 21), ("observed", 21), ("sets", 14), ("liveness", 70)] {
        let n_decided = agrees(&format!("tests/{folder}"), 3_000);
        assert!(n_decided >= least, "{folder}: {n_decided}");
    }
}
