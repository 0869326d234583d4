//! Tests of the tests: a protocol from which a part is left out must be found out by what the other tests run.
//!
//! By schedules: the first that shows it is the same everywhere.

use crate::scheduled::scheduled;
use methods::{Baker, LoadValue, Method, Omission, Software, Transactional};

/// Whether one of the first schedules shows that something is wrong.
fn is_found_out<M: Method>(omission: Omission) -> bool {
    is_found_out_from::<M>(0, omission)
}

/// As above, where it is known that those before `first` do not show it; `./test --full` looks at them too.
fn is_found_out_from<M: Method>(first: u64, omission: Omission) -> bool {
    let first = if std::env::var_os("LACUNA_FULL").is_some() { 0 } else { first };
    let found = (first..6000).find_map(|seed| scheduled::<M>(seed, omission).err());
    println!("{omission:?}: {found:?}");
    found.is_some()
}

#[test]
fn the_counter_must_be_looked_at() {
    assert!(is_found_out::<Transactional<Software>>(Omission::Counter));
}

#[test]
fn roots_must_be_fixed() {
    assert!(is_found_out::<Transactional<Software>>(Omission::Roots));
}

#[test]
fn slots_logged_late_must_be_updated() {
    assert!(is_found_out::<Transactional<Software>>(Omission::Tail));
}

#[test]
fn slots_must_be_logged_before_the_first_is_looked_at() {
    assert!(is_found_out::<Transactional<Software>>(Omission::Recording));
}

#[test]
fn mutators_must_run_in_transactions_before_objects_move() {
    assert!(is_found_out::<Transactional<Software>>(Omission::Handshake));
}

#[test]
fn roots_must_be_fixed_before_forwarding_is_used_again() {
    assert!(is_found_out::<Transactional<Software>>(Omission::Reuse));
}

#[test]
fn vetoes_must_be_heeded() {
    assert!(is_found_out_from::<Transactional<Software>>(500, Omission::Veto));
}

#[test]
fn the_last_look_must_be_in_a_transaction() {
    assert!(is_found_out_from::<Transactional<Software>>(1_800, Omission::Phase));
}

#[test]
fn baker_must_test_references_until_no_step_can_hold_an_original() {
    assert!(is_found_out::<Baker<Software>>(Omission::Flip));
}

#[test]
fn load_value_must_test_references_until_no_step_can_hold_an_original() {
    assert!(is_found_out::<LoadValue<Software>>(Omission::Flip));
}
