//! The small systems in `tests/system/`: the bus lock, actions of the system, registers of threads, bounded buffers.

use crate::small_systems::{assert_all_expected, assert_formatted};

fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    crate::small_systems::lacuna("system", arguments)
}

/// Every file with the settings it speaks of.
const RUNS: &[&[&str]] = &[
    &["allocation.lac"],
    &["buffer.lac"],
    &["buffer.lac", "--buffer", "1"],
    &["buffer.lac", "--set", "buffer=2"],
    &["bus.lac"],
    &["bus.lac", "--buffer", "1"],
    &["directly.lac"],
    &["endless.lac"],
    &["guesses.lac"],
    &["guesses.lac", "--speculate", "1"],
    &["labels.lac"],
    &["registers.lac"],
    &["registers_of_a_thread.lac"],
    &["registers_unlike.lac"],
    &["waiting.lac"],
];

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    assert_all_expected("system", RUNS, &[&[], &["--without", "symmetry,dead-registers,walls"]]);
}

#[test]
fn a_bounded_buffer_that_made_a_thread_wait_is_reported() {
    let (code, out, _) = lacuna(&["check", "buffer.lac", "--memory", "tso", "--buffer", "1"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("buffer=1 was hit"), "{out}");
    let (code, _, err) = lacuna(&["check", "buffer.lac", "--buffer", "0"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("--buffer cannot be 0"), "{err}");
}

#[test]
fn the_trace_names_the_holder_of_the_bus() {
    let (code, out, _) = lacuna(&["check", "bus.lac", "--variant", "not_held", "--memory", "tso"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("deadlock is violated") && out.contains("adder[0]"), "{out}");
}

#[test]
fn every_file_is_formatted() {
    assert_formatted("system", RUNS);
}
