//! `rc11` against the oracle, and against the axioms of RC11 on random tests. The number of these is `RC11`, a few without it.
//!
//! The oracle stands beside the project, not in it; without it that test says so and passes.

use crate::axioms::{atomics, candidates, rc11};
use serde_json::Value as Json;
use std::collections::BTreeSet;

type Finals = BTreeSet<Vec<i32>>;

fn run(test: &litmus::Test) -> Result<(Finals, bool), String> {
    let memory = memory::builtin::find("rc11").expect("built in");
    litmus::run(test, &memory).map(|got| (got.finals.into_iter().collect(), got.allowed))
}

/// Whether accesses race.
fn races(test: &litmus::Test) -> bool {
    let memory = memory::builtin::find("rc11").expect("built in");
    litmus::run(test, &memory).expect("runs").race
}

/// What is in one set and not in the other; none if they are equal.
fn difference(got: &Finals, expected: &Finals) -> Option<String> {
    let extra: Vec<_> = got.difference(expected).collect();
    let missing: Vec<_> = expected.difference(got).collect();
    (got != expected).then(|| format!("extra {extra:?} missing {missing:?}"))
}

fn column(json: &Json) -> Option<(Finals, bool)> {
    let model = json["models"].get("rc11")?;
    let outcome = |i: &Json| serde_json::from_value(json["outcomes"][i.as_u64().expect("index") as usize].clone());
    let finals = model["outcomes"].as_array().expect("outcomes").iter().map(|i| outcome(i).expect("ints")).collect();
    Some((finals, model["allowed"].as_bool().expect("a truth")))
}

#[test]
fn every_test_of_the_oracle_that_rc11_defines_agrees() {
    for (file, n_defined) in [("litmus-visible.jsonl", 643), ("litmus-visible-seqcst.jsonl", 84)] {
        let path = format!("{}/../../../shared/oracle/{file}", env!("CARGO_MANIFEST_DIR"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("skipped: {path} is not here");
            continue;
        };
        let tests = litmus::read(&text).expect("the oracle reads");
        let (mut wrong, mut n_asked) = (Vec::new(), 0);
        for (test, line) in tests.iter().zip(text.lines()) {
            let json: Json = serde_json::from_str(line).expect("JSON");
            let Some((expected, allowed)) = column(&json) else { continue };
            n_asked += 1;
            let (got, is_allowed) = run(test).expect("runs");
            wrong.extend(difference(&got, &expected).map(|difference| format!("{}: {difference}", test.name)));
            wrong.extend((is_allowed != allowed).then(|| format!("{}: allowed {is_allowed}", test.name)));
        }
        assert!(wrong.is_empty(), "{} of {n_asked} differ:\n{}", wrong.len(), wrong.join("\n"));
        assert_eq!(n_asked, n_defined, "{file}");
    }
}

#[test]
fn random_tests_end_as_the_axioms_say() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (first, n) = (number("RC11_FROM").unwrap_or(0), number("RC11").unwrap_or(150));
    for seed in first..first + n {
        let test = atomics::test(seed);
        let expected = candidates::finals(&test, &rc11::allows);
        let (got, _) = run(&test).expect("runs");
        let difference = difference(&got, &expected);
        assert!(difference.is_none(), "test {seed} differs: {}\n{test:#?}", difference.unwrap_or_default());
    }
}

#[test]
fn the_machine_finds_the_races_that_the_axioms_have() {
    let n = std::env::var("RC11").ok().and_then(|n| n.parse::<u64>().ok()).unwrap_or(60);
    for test in (0..n).flat_map(|seed| [atomics::with_plain_accesses(seed), atomics::message(seed)]) {
        let expected = candidates::any(&test, &|c| rc11::allows(c) && rc11::races(c));
        assert_eq!(races(&test), expected, "{test:#?}");
    }
}

#[test]
fn what_rc11_does_not_have_is_refused() {
    let text = r#"{"name":"LL","init":{"x":0},"threads":[[{"op":"ll","loc":"x","reg":"r0"}]],"exists":[["x",0]]}"#;
    let test = &litmus::read(text).expect("reads")[0];
    assert!(run(test).is_err_and(|message| message.contains("`ll`")));
}
