//! `tests/semantics`: each file states a rule of `docs/semantics.md` as a small program with its verdicts.

use crate::runner::{Run, root, runs};
use second::Answer;
use std::path::{Path, PathBuf};

/// States that are enough for each of these files.
const MAX_STATES: usize = 50_000;

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/semantics")).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "lac"));
    files.sort();
    files
}

/// The names after `//! not reached:`.
fn not_reached(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a text");
    text.lines().filter_map(|line| line.strip_prefix("//! not reached: ")).map(str::to_string).collect()
}

/// The covers and assertions that control does not come to.
fn unreached(run: &Run) -> Vec<String> {
    let opinion = run.opinion.as_ref().expect("small");
    let covers = opinion.covers.iter().filter(|(_, is_reached)| !is_reached).map(|(name, _)| name.clone());
    let asserts = opinion.properties.iter().filter(|(_, answer)| *answer == Answer::NotReached);
    covers.chain(asserts.map(|(name, _)| name.clone())).collect()
}

#[test]
fn every_rule_gives_the_verdicts_that_its_file_states() {
    let files = files();
    assert!(files.len() >= 35, "{}", files.len());
    for file in files {
        let (runs, not_reached) = (runs(&file, MAX_STATES), not_reached(&file));
        assert!(!runs.is_empty(), "{} expects nothing", file.display());
        for run in runs {
            let name = format!("{} {}", file.display(), run.name);
            assert_eq!(run.is_expected(), Some(true), "{name}: {:?}\n{}", run.expected, run.traces());
            for wanted in &not_reached {
                assert!(unreached(&run).contains(wanted), "{name}: {wanted} is reached");
            }
        }
    }
}
