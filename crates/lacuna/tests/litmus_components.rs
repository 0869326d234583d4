//! The components of memory in `litmus/components/`, and the primitives on metadata in `litmus/metadata/`: each formula gets
//! the verdicts its file expects, and the table in the README is what the checker finds. `BLESS=1` rewrites the table.

use crate::outcome_files::Folder;

/// The memory models of the study, the last in both readings.
const MEMORIES: &[&str] = &["sc", "tso", "relaxed-cas", "relaxed"];
const COMPONENTS: Folder = Folder { path: "litmus/components", memories: MEMORIES, what: "component" };
const METADATA: Folder = Folder { path: "litmus/metadata", memories: MEMORIES, what: "primitive" };

#[test]
fn every_formula_gets_the_verdicts_its_file_expects() {
    COMPONENTS.check_verdicts();
    METADATA.check_verdicts();
}

#[test]
fn every_file_is_formatted() {
    COMPONENTS.check_layout();
    METADATA.check_layout();
}

/// As many as in the study: 19 models with 81 formulas, and the primitives on metadata beside them. Each model says what can be
/// and what cannot.
#[test]
fn the_study_is_matched_in_number() {
    assert_eq!((COMPONENTS.files().len(), COMPONENTS.formulas().len()), (19, 81));
    for folder in [COMPONENTS, METADATA] {
        let formulas = folder.formulas();
        for file in folder.files() {
            let of_file = || formulas.iter().filter(|formula| formula.file == file);
            assert!(
                of_file().any(|formula| formula.allowed.iter().all(|is_allowed| *is_allowed)),
                "{file}: something is possible"
            );
            assert!(of_file().any(|formula| !formula.allowed[0]), "{file}: SC disallows something");
        }
        assert!(formulas.iter().all(|formula| formula.allowed.is_sorted()), "weaker memory allows more");
    }
}

#[test]
fn the_table_is_what_the_checker_finds() {
    COMPONENTS.check_table();
    METADATA.check_table();
}
