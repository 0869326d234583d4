//! Every test and memory model of the oracle agrees, in `allowed` and in the set of final states.
//!
//! The oracle stands beside the project, not in it; without it this test says so and passes.

use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Which column of the oracle is which of our memory models, with the switch it needs.
const COLUMNS: [(&str, &str, Option<&str>); 7] = [
    ("sc", "sc", None),
    ("tso", "tso", None),
    ("pso-full", "pso", Some("pso_rmwfence")),
    ("pso-no", "pso", None),
    ("rmo-full", "rmo", Some("rmo_rmwfence")),
    ("rmo-no", "rmo", Some("rmo_rrloc")),
    ("relaxed", "rmo", Some("rmo_llh")),
];

#[test]
fn every_test_agrees_with_the_oracle_under_every_memory_model() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/oracle/litmus-visible.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path} is not here");
        return;
    };
    let tests = litmus::read(&text).expect("the oracle reads");
    let mut wrong = Vec::new();
    for (test, line) in tests.iter().zip(text.lines()) {
        let json: Json = serde_json::from_str(line).expect("JSON");
        for (name, base, variant) in COLUMNS {
            let memory = memory::builtin::find(name).expect("built in");
            let expected = variant.and_then(|v| json["variants"].get(v)).unwrap_or(&json["models"][base]);
            let expected_finals: BTreeSet<Vec<i32>> = expected["outcomes"]
                .as_array()
                .expect("outcomes")
                .iter()
                .map(|i| {
                    serde_json::from_value(json["outcomes"][i.as_u64().expect("index") as usize].clone()).expect("ints")
                })
                .collect();
            let got = litmus::run(test, &memory).expect("runs");
            let finals: BTreeSet<Vec<i32>> = got.finals.into_iter().collect();
            if finals != expected_finals || got.allowed != expected["allowed"] {
                let extra: Vec<_> = finals.difference(&expected_finals).collect();
                let missing: Vec<_> = expected_finals.difference(&finals).collect();
                wrong.push(format!("{} {name}: extra {extra:?} missing {missing:?}", test.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), tests.len() * COLUMNS.len(), wrong.join("\n"));
}
