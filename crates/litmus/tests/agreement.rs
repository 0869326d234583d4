//! The machine and the axioms of ARMv8 give the same final states for random programs.

use crate::axioms::armv8::{AcquireLoad, ReadModifyWrite, allows};
use crate::axioms::candidates;
use crate::axioms::random::{Accesses, Random, test};
use std::collections::BTreeSet;

/// How many programs are compared: a few, or as many as `LACUNA_PROGRAMS` says, from seed `LACUNA_SEED` on.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let first: u64 = number("LACUNA_SEED", 1);
    first..first + number("LACUNA_PROGRAMS", 300)
}

#[test]
fn the_machine_agrees_with_the_axioms_of_armv8_on_random_programs() {
    agrees(Accesses::Named, 0);
}

#[test]
fn the_machine_agrees_with_the_axioms_of_armv8_on_random_programs_with_computed_addresses() {
    agrees(Accesses::Computed, 0);
}

#[test]
fn the_machine_agrees_with_the_axioms_of_armv8_on_random_programs_with_linked_accesses() {
    agrees(Accesses::Linked, 3);
}

#[test]
fn two_loads_of_one_cell_may_read_the_same_write_although_the_older_one_computes_its_address() {
    // The second load of x goes first and takes that of z with it; then y tells the older load that it is of x, too.
    let text = r#"{"name": "RSW", "init": {"x": 0, "y": 0, "z": 0}, "exists": [["1:r0", 2], ["1:r3", 0]], "threads": [
        [{"op": "store", "loc": "z", "val": 1}, {"op": "fence", "kind": "full"}, {"op": "store", "loc": "y", "val": 2}],
        [{"op": "load", "loc": "y", "reg": "r0"}, {"op": "load", "loc": "x[r0]", "reg": "r1"},
         {"op": "load", "loc": "x", "reg": "r2"}, {"op": "load", "loc": "z", "reg": "r3", "addr_dep": "r2"}]]}"#;
    let test = litmus::read(&text.replace('\n', " ")).expect("a test").remove(0);
    for (name, is_allowed) in [("sc", false), ("rmo-no", false), ("rmo-full", true), ("armv8", true)] {
        let memory = memory::builtin::find(name).expect("built in");
        assert_eq!(litmus::run(&test, &memory).expect("runs").allowed, is_allowed, "{name}");
    }
}

/// From a seed so far beyond the first.
fn agrees(accesses: Accesses, offset: u64) {
    let readings = [
        ("armv8", AcquireLoad::Ldapr, ReadModifyWrite::Lse),
        ("armv8-ldar", AcquireLoad::Ldar, ReadModifyWrite::Lse),
        ("armv8-exclusives", AcquireLoad::Ldar, ReadModifyWrite::Exclusives),
    ];
    let (mut n_finals, mut wrong) = (0, Vec::new());
    let (mut n_programs, mut random) = (0, Random::new(seeds().start + offset));
    while n_programs < seeds().count() {
        let test = test(&mut random, accesses);
        if candidates::n_choices(&test) > 2_000 {
            continue;
        }
        n_programs += 1;
        for (name, acquire, rmw) in readings {
            let memory = memory::builtin::find(name).expect("built in");
            let axioms = candidates::finals(&test, &|candidate| allows(candidate, acquire, rmw));
            let machine: BTreeSet<Vec<i32>> = litmus::run(&test, &memory).expect("runs").finals.into_iter().collect();
            n_finals += machine.len();
            if machine != axioms {
                let extra: Vec<_> = machine.difference(&axioms).collect();
                let missing: Vec<_> = axioms.difference(&machine).collect();
                let threads: Vec<String> = test.threads.iter().map(|thread| format!("  {thread:?}")).collect();
                let threads = threads.join("\n");
                wrong.push(format!(
                    "program {n_programs} {name}: extra {extra:?} missing {missing:?} of {:?}\n{threads}",
                    test.observed
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    println!("{} programs, {n_finals} final states", seeds().count());
}
