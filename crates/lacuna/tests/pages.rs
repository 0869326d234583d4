//! The verdict tables on the protocols' pages are what we measure. `BLESS=1` rewrites them.
//!
//! Those of `armv8` and `rc11` are what the files expect, which `asked_again` measures.

use lacuna::session::{Protocol, Scope, Switches, expected, memory_model, open, system};
use program::Expected;
use std::path::{Path, PathBuf};
use workbench::{Question, RunOptions, Verdict};

const BEGIN: &str = "<!-- verdicts -->\n";
const END: &str = "<!-- end of verdicts -->\n";
const MEMORIES: [&str; 7] = ["sc", "tso", "pso-full", "pso-no", "rmo-full", "rmo-no", "relaxed"];

/// Those whose verdicts are in the files.
const ASKED: [&str; 2] = ["armv8", "rc11"];

/// The folders of the copying study.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/copying");
    let entries = std::fs::read_dir(root).expect("the protocols are here").map(|entry| entry.expect("readable").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The protocols of a folder: the files with a variant.
fn protocols(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let is_protocol = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == "lac")
            && std::fs::read_to_string(path).expect("readable").contains("\nvariant ")
    };
    let mut files: Vec<PathBuf> = entries.filter(is_protocol).collect();
    files.sort();
    files
}

/// A row for each variant: the scenarios that are violated under each memory model.
fn measured(folder: &Path) -> String {
    let columns = [&MEMORIES[..], &ASKED].concat();
    let mut text = format!("| variant | {} |\n|---{}|\n", columns.join(" | "), "|---".repeat(columns.len()));
    for path in protocols(folder) {
        let protocol = open(&path).expect("loads");
        for variant in &protocol.outline.variants {
            let measured = MEMORIES.iter().map(|memory| cell(&protocol, &variant.name, memory));
            let asked = ASKED.iter().map(|memory| asked(&protocol, &variant.name, memory));
            let cells: Vec<String> = measured.chain(asked).collect();
            let title = variant.title.as_deref().unwrap_or(&variant.name);
            text += &format!("| {title} | {} |\n", cells.join(" | "));
        }
    }
    text
}

fn cell(protocol: &Protocol, variant: &str, memory: &str) -> String {
    let memory = memory_model(memory).expect("built in");
    let mut violated = Vec::new();
    for scenario in &protocol.outline.scenarios {
        let system = system(protocol, variant, &scenario.name, &[]).expect("checked");
        let outcome = Question::new(&system.automata, &memory, &RunOptions::default()).answer();
        match outcome.verdict {
            Verdict::Violated(_) => violated.push(scenario.name.clone()),
            Verdict::Holds => assert!(!outcome.is_vacuous(), "{variant} {} {}", scenario.name, memory.name),
            Verdict::Inconclusive(limit) => panic!("{variant} {} {}: {}", scenario.name, memory.name, limit.name()),
        }
    }
    if violated.is_empty() { "holds".into() } else { violated.join(", ") }
}

/// What the file expects; a dash if it says nothing.
fn asked(protocol: &Protocol, variant: &str, memory: &str) -> String {
    let (scope, memory) =
        (Scope::new(&[], None, Switches::default()).expect("no settings"), memory_model(memory).expect("built in"));
    let mut violated = Vec::new();
    for scenario in &protocol.outline.scenarios {
        let system = system(protocol, variant, &scenario.name, &[]).expect("checked");
        if machine::refused(&system.automata, &memory).is_some() {
            return "refused".into();
        }
        match expected(protocol, &scope, &system, &memory).expect("no contradiction") {
            None => return "–".into(),
            Some(Expected::Holds) => {}
            Some(Expected::Violated { .. }) => violated.push(scenario.name.clone()),
        }
    }
    if violated.is_empty() { "holds".into() } else { violated.join(", ") }
}

#[test]
fn the_verdicts_on_every_page_are_those_we_measure() {
    let mut stale = Vec::new();
    for folder in folders() {
        let page = folder.join("README.md");
        let text = std::fs::read_to_string(&page).expect("every protocol has a page");
        let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("{} has no {BEGIN}", page.display()));
        let after = rest.split_once(END).map_or(rest, |(_, after)| after);
        let fresh = format!("{before}{BEGIN}{}{END}{after}", measured(&folder));
        if fresh != text {
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&page, fresh).expect("writable");
            } else {
                stale.push(page.display().to_string());
            }
        }
    }
    assert!(stale.is_empty(), "run with BLESS=1 and read the difference: {stale:?}");
}
