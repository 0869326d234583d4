//! What the second opinion accepts, and each fault that it refuses.

use crate::toy::{Toy, formula, mask};
use liveness::{Lasso, LassoFault, Step, check_lasso};

/// Reads `0a 1b` as steps; `-` stays.
fn steps(text: &str) -> Vec<Step> {
    let step = |word: &str| {
        let (state, label) = word.split_at(1);
        let label = label.bytes().next().filter(|label| *label != b'-').map(|label| label - b'a');
        Step { state: vec![state.parse().expect("a state")], label }
    };
    text.split_whitespace().map(step).collect()
}

fn judge(system: &str, atoms: &str, text: &str, fair: &str, stem: &str, cycle: &str) -> Result<(), LassoFault> {
    let lasso = Lasso { stem: steps(stem), cycle: steps(cycle) };
    check_lasso(&Toy::read(system, atoms), &formula(text), mask(fair), &lasso)
}

#[test]
fn true_counterexamples_are_confirmed() {
    assert_eq!(judge("0a1 1b0", "", "eventually p", "ab", "", "0a 1b"), Ok(()));
    assert_eq!(judge("0a1", "", "eventually p", "ab", "0a", "1-"), Ok(()));
    assert_eq!(judge("0a0 0b0", "", "eventually p", "ab", "0a", "0b 0a"), Ok(()));
}

#[test]
fn each_fault_is_refused() {
    let system = "0a1 1b0 1b2 2a2";
    let check = |stem, cycle| judge(system, "", "eventually p", "", stem, cycle);
    assert_eq!(check("0a", ""), Err(LassoFault::NoCycle));
    assert_eq!(check("", "1b 0a"), Err(LassoFault::NotInitial));
    // The cycle does not close: 2 does not lead to 1.
    assert_eq!(check("0a", "1b 2a"), Err(LassoFault::NoSuchStep { position: 2 }));
    // The step exists, but by another thread.
    assert_eq!(check("", "0b 1b"), Err(LassoFault::NoSuchStep { position: 0 }));
    // Staying where there are steps, and leaving without one.
    assert_eq!(check("", "0-"), Err(LassoFault::NoStutter { position: 0 }));
    assert_eq!(judge("0a1", "", "eventually p", "", "0a", "1- 0a"), Err(LassoFault::NoStutter { position: 1 }));
    // A discarded path is no end.
    assert_eq!(judge("0x", "", "eventually p", "", "", "0-"), Err(LassoFault::NoStutter { position: 0 }));
    // Fair on the stem is not fair on the cycle.
    let unfair = judge("0b0 0a0", "", "eventually p", "b", "0b", "0a");
    assert_eq!(unfair, Err(LassoFault::Unfair { component: 1 }));
    assert_eq!(judge("0a1 1a1", "p:1", "eventually p", "", "0a", "1a"), Err(LassoFault::FormulaTrue));
}
