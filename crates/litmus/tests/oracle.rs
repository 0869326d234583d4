//! Every test and memory model of the oracle agrees, in `allowed` and in the set of final states.
//!
//! The oracle stands beside the project, not in it; without it these tests say so and pass.

use crate::axioms::armv8::{AcquireLoad, ReadModifyWrite, allows};
use crate::axioms::candidates;
use litmus::Test;
use memory::{MemoryModel, SameCellLoads};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// A base column of the oracle, and a variant that replaces it in the tests where it differs.
type Column = (&'static str, Option<&'static str>);

/// Final states, and whether the condition can come true.
type Found = (BTreeSet<Vec<i32>>, bool);

/// The memory models, each with the column that it equals.
fn columns() -> Vec<(MemoryModel, Column)> {
    let built_in = |name: &str| memory::builtin::find(name).expect("built in");
    // The column without control dependencies between loads lets loads of one cell be performed out of order if they
    // read the same store, as its base does. So does this one; `rmo-no --speculate 4` itself forbids
    // that, and differs in exactly those tests.
    let speculating = MemoryModel {
        name: "rmo-no, speculating".into(),
        speculate: 4,
        same_cell_loads: SameCellLoads::Coherent,
        ..built_in("rmo-no")
    };
    vec![
        (built_in("sc"), ("sc", None)),
        (built_in("tso"), ("tso", None)),
        (built_in("pso-full"), ("pso", Some("pso_rmwfence"))),
        (built_in("pso-no"), ("pso", None)),
        (built_in("rmo-full"), ("rmo", Some("rmo_rmwfence"))),
        (built_in("rmo-no"), ("rmo", Some("rmo_rrloc"))),
        (built_in("relaxed"), ("rmo", Some("rmo_llh"))),
        (speculating, ("rmo", Some("rmo_ctrlw"))),
    ]
}

/// Those of ARMv8.
fn armv8_columns() -> Vec<(MemoryModel, Column)> {
    let built_in = |name: &str| memory::builtin::find(name).expect("built in");
    vec![(built_in("armv8"), ("armv8", None)), (built_in("armv8-ldar"), ("armv8", Some("armv8_ldar")))]
}

/// In these the column loses the data dependency of a swap; herd's own source has it, and so do the architecture and we.
const SWAP_DATA: [&str; 1] = ["LB+acqfpl+datapl~fadd0.rlx-swap.rlx"];

/// The tests of a file of the oracle; none if it is not here.
fn tests(file: &str) -> Vec<(Test, Json)> {
    let path = format!("{}/../../../shared/oracle/{file}", env!("CARGO_MANIFEST_DIR"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {path} is not here");
        return Vec::new();
    };
    let tests = litmus::read(&text).expect("the oracle reads");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    tests.into_iter().zip(lines).collect()
}

fn expected(json: &Json, (base, variant): Column) -> Found {
    let column = variant.and_then(|v| json["variants"].get(v)).unwrap_or(&json["models"][base]);
    let state = |index: &Json| {
        let state = json["outcomes"][index.as_u64().expect("index") as usize].clone();
        serde_json::from_value(state).expect("ints")
    };
    let finals = column["outcomes"].as_array().expect("outcomes").iter().map(state).collect();
    (finals, column["allowed"] == true)
}

/// What differs between what was found and what the oracle says, for people.
fn difference(name: &str, found: &Found, expected: &Found) -> Option<String> {
    let extra: Vec<_> = found.0.difference(&expected.0).collect();
    let missing: Vec<_> = expected.0.difference(&found.0).collect();
    (found != expected).then(|| format!("{name}: extra {extra:?} missing {missing:?}"))
}

fn compare(file: &str, columns: &[(MemoryModel, Column)], exceptions: &[&str]) {
    let mut wrong = Vec::new();
    let tests = tests(file);
    for (test, json) in tests.iter().filter(|(test, _)| !exceptions.contains(&test.name.as_str())) {
        for (memory, column) in columns {
            let got = litmus::run(test, memory).expect("runs");
            let found = (got.finals.into_iter().collect(), got.allowed);
            let name = format!("{} {}", test.name, memory.name);
            wrong.extend(difference(&name, &found, &expected(json, *column)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), tests.len() * columns.len(), wrong.join("\n"));
}

#[test]
fn every_test_agrees_with_the_oracle_under_every_memory_model() {
    compare("litmus-visible.jsonl", &columns(), &[]);
}

#[test]
fn every_test_agrees_with_the_oracle_under_armv8() {
    compare("litmus-visible.jsonl", &armv8_columns(), &SWAP_DATA);
}

#[test]
fn every_test_of_seq_cst_agrees_with_the_oracle_under_armv8() {
    compare("litmus-visible-seqcst.jsonl", &armv8_columns()[..1], &[]);
}

#[test]
fn the_axioms_of_armv8_agree_with_the_oracle() {
    let mut wrong = Vec::new();
    let loads = [(AcquireLoad::Ldapr, None), (AcquireLoad::Ldar, Some("armv8_ldar"))];
    for (file, loads) in [("litmus-visible.jsonl", &loads[..]), ("litmus-visible-seqcst.jsonl", &loads[..1])] {
        for (test, json) in tests(file).iter().filter(|(test, _)| !SWAP_DATA.contains(&test.name.as_str())) {
            for (acquire, variant) in loads {
                let consistent = |c: &candidates::Candidate| allows(c, *acquire, ReadModifyWrite::Lse);
                let expected = expected(json, ("armv8", *variant));
                let found = (candidates::finals(test, &consistent), expected.1);
                wrong.extend(difference(&test.name, &found, &expected));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
