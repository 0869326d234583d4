//! Rules for Rust files and for names of files.

use std::path::PathBuf;
use tidy::{files, files_with, root, short, text};

/// Lines that a source file may have.
const MAX_LINES: usize = 500;

fn sources() -> Vec<PathBuf> {
    let mut sources = files_with(&root().join("crates"), "rs");
    sources.extend(files_with(&root().join("collector"), "rs"));
    sources.extend(files_with(&root().join("fuzz"), "rs"));
    sources.extend(files_with(&root().join("bench"), "rs"));
    assert!(sources.len() > 50, "the sources are there");
    sources
}

#[test]
fn every_source_file_says_first_what_it_is() {
    let silent: Vec<String> = sources().iter().filter(|p| !text(p).starts_with("//! ")).map(|p| short(p)).collect();
    assert!(silent.is_empty(), "no `//!` header: {silent:?}");
}

#[test]
fn no_test_is_switched_off_and_nothing_is_left_undone() {
    // Put together here, so that this file does not break its own rule.
    let banned = [concat!("#[ign", "ore"), concat!("to", "do!("), concat!("unimple", "mented!("), concat!("db", "g!(")];
    let mut found = Vec::new();
    for path in sources() {
        for (n, line) in text(&path).lines().enumerate() {
            found.extend(
                banned.iter().filter(|word| line.contains(**word)).map(|w| format!("{}:{}: {w}", short(&path), n + 1)),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_source_file_is_long() {
    let in_src = |path: &&PathBuf| path.components().any(|part| part.as_os_str() == "src");
    let n_lines = |path: &PathBuf| text(path).lines().count();
    let long: Vec<String> = sources()
        .iter()
        .filter(in_src)
        .filter(|path| n_lines(path) > MAX_LINES)
        .map(|path| format!("{}: {}", short(path), n_lines(path)))
        .collect();
    assert!(long.is_empty(), "over {MAX_LINES} lines: {long:?}");
}

#[test]
fn the_second_opinion_is_short_enough_to_be_read_beside_the_semantics() {
    let files = files_with(&root().join("crates/second/src"), "rs");
    // What checks certificates asks these rules; it adds none.
    let is_rule = |path: &&PathBuf| path.components().all(|part| part.as_os_str() != "certificate");
    let n_lines: usize = files.iter().filter(is_rule).map(|path| text(path).lines().count()).sum();
    assert!(0 < n_lines && n_lines < 3_100, "{n_lines} lines");
}

#[test]
fn no_file_or_folder_has_a_name_that_says_nothing() {
    let banned = ["util", "utils", "common", "helper", "helpers", "misc", "manager", "global"];
    // Names of package registries belong to nobody's code.
    let hosts = ["crates.io", "crates-io", "docs.rs", "github.com", "registry"];
    let mut wrong = Vec::new();
    for path in files(&root()) {
        for part in short(&path).split('/') {
            let stem = part.split('.').next().unwrap_or(part);
            if banned.contains(&stem) || hosts.iter().any(|host| part.contains(host)) {
                wrong.push(short(&path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
