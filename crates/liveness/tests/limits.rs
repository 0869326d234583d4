//! Larger systems, the ready-made properties, and where a check stops.

use crate::counters::{Counters, OWN_BYTES};
use crate::toy::{Toy, formula, mask, run};
use liveness::{Property, Verdict, all_components, check, deadlock, never_terminates};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use system::{Control, Limit, Limits};

fn quiet(stop: &AtomicBool) -> Control<'_> {
    Control { stop, ..Control::quiet() }
}

#[test]
fn every_counter_comes_to_its_end_again_and_again_if_all_are_fair() {
    let system = Counters { n: 3, most: 15, round: true };
    let goal = formula("always eventually p and always eventually q and always eventually r");
    let all = all_components(&system);
    let outcome = run(&system, &goal, all, &Limits::default());
    assert_eq!((outcome.verdict, outcome.statistics.states), (Verdict::Holds, 16 * 16 * 16));
    let least = OWN_BYTES + 16 * 16 * 16;
    assert!(outcome.statistics.peak_bytes >= least && outcome.statistics.seconds >= 0.0, "{:?}", outcome.statistics);
    // Whoever is not treated fairly is what the lasso leaves out.
    for left_out in 0..3 {
        let outcome = run(&system, &goal, all & !(1 << left_out), &Limits::default());
        let Verdict::Violated(lasso) = outcome.verdict else { panic!("counter {left_out} may wait") };
        assert!(lasso.cycle.iter().all(|step| step.label != Some(left_out)));
        assert!(lasso.len() <= 33, "{lasso:?}");
    }
}

#[test]
fn a_path_of_a_million_states_needs_no_deep_stack() {
    let system = Counters { n: 1, most: 1_000_000, round: false };
    let outcome = run(&system, &formula("eventually p"), 1, &Limits::default());
    assert_eq!((outcome.verdict, outcome.statistics.depth), (Verdict::Holds, 1_000_001));
    let Verdict::Violated(lasso) = run(&system, &formula("always not p"), 1, &Limits::default()).verdict else {
        panic!("the end is reached");
    };
    assert_eq!((lasso.stem.len(), lasso.cycle.len()), (1_000_000, 1));
}

#[test]
fn limits_are_inconclusive_and_named() {
    let system = Counters { n: 3, most: 40, round: true };
    let goal = formula("always eventually p");
    let few = Limits { max_states: Some(1000), ..Limits::default() };
    let outcome = run(&system, &goal, 7, &few);
    assert_eq!((outcome.verdict, outcome.statistics.pairs), (Verdict::Inconclusive(Limit::States), 1000));
    let small = Limits { max_bytes: Some(OWN_BYTES + 100_000), ..Limits::default() };
    assert_eq!(run(&system, &goal, 7, &small).verdict, Verdict::Inconclusive(Limit::Memory));
    let short = Limits { timeout: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(run(&system, &goal, 7, &short).verdict, Verdict::Inconclusive(Limit::Time));
    let stopped = AtomicBool::new(true);
    let property = Property::new(goal).expect("small");
    let outcome = check(&system, &property, 7, &Limits::default(), &quiet(&stopped));
    assert_eq!(outcome.verdict, Verdict::Inconclusive(Limit::Interrupted));
}

#[test]
fn a_violation_within_the_limit_is_a_violation() {
    let few = Limits { max_states: Some(50), ..Limits::default() };
    let system = Counters { n: 1, most: 9, round: true };
    assert!(matches!(run(&system, &formula("eventually q"), 0, &few).verdict, Verdict::Violated(_)));
}

#[test]
fn a_large_automaton_gives_the_same_answers() {
    // More than eight states: pairs are numbered by a map.
    let goal = formula("eventually (p and next next next (p or next next next next q))");
    let property = Property::new(goal.clone()).expect("small enough");
    assert!(property.negation().states.len() > 8, "{}", property.negation().states.len());
    let system = Counters { n: 2, most: 5, round: true };
    let violated = matches!(run(&system, &goal, 0, &Limits::default()).verdict, Verdict::Violated(_));
    let toy = crate::oracle::violated(&Toy::read("0a0 0b1 1a0", "p:1"), &goal, mask("b"));
    assert!(violated);
    let outcome = run(&Toy::read("0a0 0b1 1a0", "p:1"), &goal, mask("b"), &Limits::default());
    assert_eq!(matches!(outcome.verdict, Verdict::Violated(_)), toy);
}

#[test]
fn ready_made_properties() {
    let stop = AtomicBool::new(false);
    let (limits, control) = (Limits::default(), quiet(&stop));
    let never = |system: &str, atoms: &str, end, fair: &str| {
        let outcome = never_terminates(&Toy::read(system, atoms), end, mask(fair), &limits, &control);
        matches!(outcome.expect("small").verdict, Verdict::Violated(_))
    };
    let stuck = |system: &str, atoms: &str, allowed| {
        let outcome = deadlock(&Toy::read(system, atoms), allowed, &limits, &control);
        matches!(outcome.expect("small").verdict, Verdict::Violated(_))
    };
    // A thread that waits for another ends if the other is treated fairly.
    assert!(never("0a0 0b1 1a2", "", None, ""));
    assert!(!never("0a0 0b1 1a2", "", None, "b"));
    // A loop after the end that an atom names does not count.
    assert!(never("0a1 1a1", "p:1", None, "a"));
    assert!(!never("0a1 1a1", "p:1", Some(0), "a"));
    assert!(stuck("0a1 0a0", "", None));
    assert!(!stuck("0a1 0a0", "p:1", Some(0)));
    assert!(!stuck("0a0 0a1 1x", "", None));
    // Fairness hides no deadlock, whatever is claimed to be enabled there.
    assert!(stuck("0a1 1!b", "", None));
}
