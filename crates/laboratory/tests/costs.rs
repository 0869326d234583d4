//! The list of costs is complete: transactions are in it exactly where there are any. Times are for the reader, not for a test.

use htm::Rtm;
use laboratory::cost::{ROUNDS, costs};

#[test]
fn every_operation_of_this_machine_is_timed() {
    let costs = costs(Rtm::detect().ok(), 3, ROUNDS, &mut || false);
    let has = |name: &str| costs.iter().any(|cost| cost.name == name);
    assert!(["compare-and-swap", "exchange", "full fence"].into_iter().all(has), "{costs:?}");
    assert_eq!(has("empty transaction"), Rtm::detect().is_ok(), "{costs:?}");
    assert!(costs.iter().all(|cost| cost.ns.min <= cost.ns.median && cost.ns.median <= cost.ns.max));
}

#[test]
fn timing_can_be_stopped() {
    assert_eq!(costs(None, 3, ROUNDS, &mut || true), []);
}
