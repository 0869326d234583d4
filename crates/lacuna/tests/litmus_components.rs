//! The components of memory in `litmus/components/`: each formula gets the verdicts its file expects, and the table in
//! the README is what the checker finds. `BLESS=1` rewrites the table.

use crate::outcome_files::Folder;

/// With the memory models of the study.
const COMPONENTS: Folder = Folder { path: "litmus/components", memories: &["sc", "tso", "relaxed"], what: "component" };

#[test]
fn every_formula_gets_the_verdicts_its_file_expects() {
    COMPONENTS.check_verdicts();
}

#[test]
fn every_file_is_formatted() {
    COMPONENTS.check_layout();
}

/// As many as in the study: 19 models with 81 formulas. Each model says what can be and what cannot.
#[test]
fn the_study_is_matched_in_number() {
    let formulas = COMPONENTS.formulas();
    let components = COMPONENTS.files();
    assert_eq!((components.len(), formulas.len()), (19, 81));
    for component in components {
        let of_component = || formulas.iter().filter(|formula| formula.file == component);
        assert!(of_component().any(|formula| formula.allowed == [true; 3]), "{component}: something is possible");
        assert!(of_component().any(|formula| !formula.allowed[0]), "{component}: SC disallows something");
    }
    assert!(formulas.iter().all(|formula| formula.allowed.is_sorted()), "weaker memory allows more");
}

#[test]
fn the_table_is_what_the_checker_finds() {
    COMPONENTS.check_table();
}
