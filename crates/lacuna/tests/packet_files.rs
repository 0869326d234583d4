//! The small systems in `tests/packets/`: work packets, `perform`, predicates. Each gets the verdicts it expects, with reductions and without.

use crate::small_systems::assert_all_expected;

fn lacuna(arguments: &[&str]) -> (Option<i32>, String, String) {
    crate::small_systems::lacuna("packets", arguments)
}

/// Every file with the settings it speaks of.
const RUNS: &[&[&str]] = &[
    &["counts.lac"],
    &["overflow.lac"],
    &["overflow.lac", "--set", "REQUESTS=16"],
    &["rounds.lac"],
    &["performed.lac"],
    &["publish.lac"],
];

#[test]
fn every_file_gets_the_verdicts_it_expects() {
    assert_all_expected(
        "packets",
        RUNS,
        &[&[], &["--without", "symmetry,dead-registers,walls,partial-order,ending-runs"]],
    );
}

#[test]
fn a_violated_run_tells_of_the_pool_in_its_own_words() {
    let (code, out, _) = lacuna(&["check", "overflow.lac", "--set", "REQUESTS=16", "--memory", "sc"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("in_range is violated") && out.contains("unit.waiting[1] ← 15"), "{out}");
}

#[test]
fn repair_looks_into_the_bodies_of_work() {
    let (code, out, _) = lacuna(&["repair", "publish.lac", "--memory", "pso-no"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("+    ready.store(true, release)") && out.contains("+    fence store_store"), "{out}");
}

#[test]
fn only_the_properties_asked_for_are_checked() {
    let (code, out, _) = lacuna(&["check", "performed.lac", "--variant", "hasty", "--property", "ended_may_wait"]);
    assert_eq!(code, Some(0), "{out}");
    let (code, _, err) = lacuna(&["check", "performed.lac", "--property", "told"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no property `told` to choose") && err.contains("told_after"), "{err}");
}

#[test]
fn the_study_can_be_cut_to_one_scenario() {
    let (code, out, err) = lacuna(&["reproduce", "mplr22", "--scenarios", "deletion,heap1", "--json", "-"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("\"matched\": 162,\n  \"total\": 162"), "{out}");
    let (code, _, err) = lacuna(&["reproduce", "mplr22", "--scenarios", "heap9"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("the study has no scenario `heap9`") && err.contains("heap6"), "{err}");
}
