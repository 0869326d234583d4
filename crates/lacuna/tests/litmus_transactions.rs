//! The litmus tests of transactions in `litmus/transactions/`: each outcome gets the verdicts its file expects, with and
//! without aborts for no reason, and the table in the README is what the checker finds. `BLESS=1` rewrites the table.

use crate::outcome_files::Folder;

const TRANSACTIONS: Folder = Folder {
    path: "litmus/transactions",
    memories: &["sc", "tso", "pso-full", "pso-no", "rmo-full", "rmo-no", "relaxed"],
    what: "test",
};

#[test]
fn every_outcome_gets_the_verdicts_its_file_expects() {
    TRANSACTIONS.check_verdicts();
}

#[test]
fn every_file_is_formatted() {
    TRANSACTIONS.check_layout();
}

/// Each file says what can be and what cannot.
#[test]
fn something_is_possible_and_something_is_not() {
    let formulas = TRANSACTIONS.formulas();
    for file in TRANSACTIONS.files() {
        let of_file = || formulas.iter().filter(|formula| formula.file == file);
        assert!(of_file().any(|formula| formula.allowed[0]), "{file}: something is possible");
        assert!(of_file().any(|formula| !formula.allowed[0]), "{file}: SC disallows something");
    }
}

/// Best effort takes no outcome away, and what the files say of it is so.
#[test]
fn with_aborts_for_no_reason_nothing_becomes_impossible() {
    for file in TRANSACTIONS.files() {
        let (_, exact) = TRANSACTIONS.runs(&file, "sc,tso", &[]);
        let (_, spurious) = TRANSACTIONS.runs(&file, "sc,tso", &["--spurious-aborts"]);
        for (exact, spurious) in exact.iter().zip(&spurious) {
            let (before, after) = (&exact["verdict"], &spurious["verdict"]);
            assert!(before == "holds" || after == "violated", "{file} {}", exact["variant"]);
            let expected = spurious["expected"].as_str();
            assert!(expected.is_none_or(|word| after.as_str() == Some(word)), "{file} {}", exact["variant"]);
        }
    }
}

/// Where a file speaks of weak isolation, it is so, and some outcome becomes possible.
#[test]
fn with_weak_isolation_every_outcome_gets_the_verdict_its_file_expects() {
    let mut n_judged = 0;
    let mut became_possible = Vec::new();
    for file in TRANSACTIONS.files() {
        let (_, strong) = TRANSACTIONS.runs(&file, "sc,tso,relaxed", &[]);
        let (_, weak) = TRANSACTIONS.runs(&file, "sc,tso,relaxed", &["--weak-isolation"]);
        for (strong, weak) in strong.iter().zip(&weak).filter(|(_, weak)| weak["expected"].is_string()) {
            assert_eq!(weak["expected"], weak["verdict"], "{file} {}", weak["variant"]);
            n_judged += 1;
            if strong["verdict"] == "holds" && weak["verdict"] == "violated" && weak["memory"] == "sc" {
                became_possible.push(weak["variant"].as_str().expect("a name").to_string());
            }
        }
    }
    assert!(n_judged >= 30, "{n_judged}");
    assert_eq!(became_possible, ["lost", "lost", "torn"]);
}

/// Where a file speaks of elided locks, it is so, and what others see of a lock changes.
#[test]
fn with_locks_elided_every_outcome_gets_the_verdict_its_file_expects() {
    let (_, taken) = TRANSACTIONS.runs("elided_lock", "all", &[]);
    let (_, elided) = TRANSACTIONS.runs("elided_lock", "all", &["--elide-locks"]);
    let mut changed = Vec::new();
    for (taken, elided) in taken.iter().zip(&elided) {
        assert_eq!(elided["expected"], elided["verdict"], "{}", elided["variant"]);
        if taken["verdict"] != elided["verdict"] && elided["memory"] == "sc" {
            changed.push(elided["variant"].as_str().expect("a name").to_string());
        }
    }
    assert_eq!(changed, ["seen_taken"]);
}

#[test]
fn the_table_is_what_the_checker_finds() {
    TRANSACTIONS.check_table();
}
