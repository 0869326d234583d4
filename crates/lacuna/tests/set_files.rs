//! The small systems in `tests/sets/`: each gets the verdicts it expects, and its traces write sets in braces.

use crate::small_systems::{assert_expected, assert_formatted};

fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    crate::small_systems::lacuna("sets", arguments)
}

/// Every file with the settings it speaks of.
const RUNS: &[&[&str]] =
    &[&["values.lac"], &["worklist.lac"], &["waiting.lac"], &["waiting.lac", "--set", "NUMBERS=1"]];

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    for run in RUNS {
        // Without dead registers left out, `values.lac` has too many states: it keeps much that it chose.
        let n_ways = if run[0] == "values.lac" { 1 } else { 3 };
        let ways = [&[][..], &["--speculate", "1"], &["--without", "symmetry,dead-registers,walls"]];
        for switches in ways.into_iter().take(n_ways) {
            assert_expected("sets", run, switches);
        }
    }
}

#[test]
fn a_torn_claim_is_caught_and_told_in_names_of_elements() {
    let (code, out, _) = lacuna(&["check", "worklist.lac", "--variant", "torn_claim", "--memory", "sc"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("scanned_once is violated") && out.contains("scanned is {top}"), "{out}");
}

#[test]
fn every_file_is_formatted() {
    assert_formatted("sets", RUNS);
}
