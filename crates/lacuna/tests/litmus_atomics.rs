//! The litmus tests of C++'s and Rust's atomics in `litmus/atomics/`: each outcome gets the verdict its file expects, under `rc11`.

use crate::outcome_files::Folder;

const ATOMICS: Folder = Folder { path: "litmus/atomics", memories: &["rc11"], what: "test" };

#[test]
fn every_outcome_gets_the_verdict_its_file_expects() {
    for file in ATOMICS.files() {
        let (as_expected, runs) = ATOMICS.runs(&file, "rc11", &[]);
        assert!(
            as_expected,
            "{file}: `lacuna check {file}.lac --variant all --memory rc11 --expect` shows which are not"
        );
        assert!(runs.iter().all(|run| run["expected"].is_string()), "{file} expects something of every run");
    }
}

#[test]
fn every_file_is_formatted() {
    ATOMICS.check_layout();
}

#[test]
fn the_table_is_what_the_checker_finds() {
    ATOMICS.check_table();
}
