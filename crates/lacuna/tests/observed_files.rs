//! The small systems in `tests/observed/`: paths of references, pending stores, queues. Each gets the verdicts it expects, with
//! reductions and without, and its traces write queues in brackets.

use crate::small_systems::{assert_all_expected, assert_formatted};

fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    crate::small_systems::lacuna("observed", arguments)
}

/// Every file with the settings it speaks of.
const RUNS: &[&[&str]] =
    &[&["reaches.lac"], &["pending.lac"], &["numbered.lac"], &["queues.lac"], &["queues.lac", "--set", "PUSHES=3"]];

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    assert_all_expected(
        "observed",
        RUNS,
        &[&[], &["--without", "symmetry,dead-registers,walls,partial-order,ending-runs"]],
    );
}

#[test]
fn a_trace_writes_queues_in_brackets() {
    let (code, out, _) = lacuna(&["check", "queues.lac", "--set", "PUSHES=3", "--memory", "sc"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("in_range is violated") && out.contains("colours ← [Grey, Grey]"), "{out}");
}

#[test]
fn every_file_is_formatted() {
    assert_formatted("observed", RUNS);
}
