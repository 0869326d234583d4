//! Every test and memory model of the oracle agrees, in `allowed` and in the set of final states.
//!
//! The oracle stands beside the project, not in it; without it this test says so and passes.

use memory::{MemoryModel, SameCellLoads};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// The memory models, each with the column of the oracle that it equals: a base, and a variant that
/// replaces it in the tests where it differs.
fn columns() -> Vec<(MemoryModel, &'static str, Option<&'static str>)> {
    let built_in = |name: &str| memory::builtin::find(name).expect("built in");
    let mut columns = vec![
        (built_in("sc"), "sc", None),
        (built_in("tso"), "tso", None),
        (built_in("pso-full"), "pso", Some("pso_rmwfence")),
        (built_in("pso-no"), "pso", None),
        (built_in("rmo-full"), "rmo", Some("rmo_rmwfence")),
        (built_in("rmo-no"), "rmo", Some("rmo_rrloc")),
        (built_in("relaxed"), "rmo", Some("rmo_llh")),
    ];
    // The column without control dependencies between loads lets loads of one cell be performed out of order if they
    // read the same store, as its base does. So does this one; `rmo-no --speculate 4` itself forbids
    // that, and differs in exactly those tests.
    let speculating = MemoryModel {
        name: "rmo-no, speculating".into(),
        speculate: 4,
        same_cell_loads: SameCellLoads::Coherent,
        ..built_in("rmo-no")
    };
    columns.push((speculating, "rmo", Some("rmo_ctrlw")));
    columns
}

#[test]
fn every_test_agrees_with_the_oracle_under_every_memory_model() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/oracle/litmus-visible.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path} is not here");
        return;
    };
    let tests = litmus::read(&text).expect("the oracle reads");
    let columns = columns();
    let mut wrong = Vec::new();
    for (test, line) in tests.iter().zip(text.lines()) {
        let json: Json = serde_json::from_str(line).expect("JSON");
        for (memory, base, variant) in &columns {
            let name = &memory.name;
            let expected = variant.and_then(|v| json["variants"].get(v)).unwrap_or(&json["models"][*base]);
            let expected_finals: BTreeSet<Vec<i32>> = expected["outcomes"]
                .as_array()
                .expect("outcomes")
                .iter()
                .map(|i| {
                    serde_json::from_value(json["outcomes"][i.as_u64().expect("index") as usize].clone()).expect("ints")
                })
                .collect();
            let got = litmus::run(test, memory).expect("runs");
            let finals: BTreeSet<Vec<i32>> = got.finals.into_iter().collect();
            if finals != expected_finals || got.allowed != expected["allowed"] {
                let extra: Vec<_> = finals.difference(&expected_finals).collect();
                let missing: Vec<_> = expected_finals.difference(&finals).collect();
                wrong.push(format!("{} {name}: extra {extra:?} missing {missing:?}", test.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), tests.len() * columns.len(), wrong.join("\n"));
}

#[test]
fn the_axioms_agree_with_the_oracle() {
    use crate::axioms::armv8::{AcquireLoad, ReadModifyWrite, allows};
    for file in ["litmus-visible.jsonl", "litmus-visible-seqcst.jsonl"] {
        let path = format!("{}/../../../shared/oracle/{file}", env!("CARGO_MANIFEST_DIR"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("skipped: {path} is not here");
            return;
        };
        let tests = litmus::read(&text).expect("the oracle reads");
        let mut n = 0;
        for (test, line) in tests.iter().zip(text.lines()) {
            let json: Json = serde_json::from_str(line).expect("JSON");
            for (acquire, variant) in [(AcquireLoad::Ldapr, None), (AcquireLoad::Ldar, Some("armv8_ldar"))] {
                if file.contains("seqcst") && variant.is_some() {
                    continue;
                }
                let expected = variant.and_then(|v| json["variants"].get(v)).unwrap_or(&json["models"]["armv8"]);
                let expected_finals: BTreeSet<Vec<i32>> = expected["outcomes"]
                    .as_array()
                    .expect("outcomes")
                    .iter()
                    .map(|i| {
                        serde_json::from_value(json["outcomes"][i.as_u64().expect("index") as usize].clone())
                            .expect("ints")
                    })
                    .collect();
                let finals = crate::axioms::candidates::finals(test, &|c| allows(c, acquire, ReadModifyWrite::Lse));
                if finals != expected_finals {
                    n += 1;
                    let extra: Vec<_> = finals.difference(&expected_finals).collect();
                    let missing: Vec<_> = expected_finals.difference(&finals).collect();
                    println!("{} {acquire:?}: extra {extra:?} missing {missing:?}", test.name);
                }
            }
        }
        println!("{n} differ in {file}");
    }
}
