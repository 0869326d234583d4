//! Tests of the tests: a protocol from which a part is left out must be found out by what the other tests run.

use heap::Size;
use methods::{Omission, Options, Selection, Software, Transactional, Trigger, run};
use programs::{Kind, Workload};
use std::time::Duration;

/// Runs until something is wrong; whether anything was.
fn is_found_out(omission: Omission) -> bool {
    (1..200).any(|seed| {
        let kind = [Kind::WriteFromStack, Kind::List, Kind::Map, Kind::Graph][seed as usize % 4];
        let options = Options {
            size: Size { n_regions: 96, region_shift: 9 },
            trigger: Trigger::Continuous,
            selection: Selection::All,
            sanity: true,
            limit: Some(Duration::from_millis(40)),
            omission,
            seed,
            ..Options::default()
        };
        let programs = (0..3).map(|id| Workload::new(kind, u64::MAX, seed * 8 + id)).collect();
        run::<Transactional<Software>, Workload>(options, programs).is_err()
    })
}

#[test]
fn the_counter_must_be_looked_at() {
    assert!(is_found_out(Omission::Counter));
}

#[test]
fn roots_must_be_fixed() {
    assert!(is_found_out(Omission::Roots));
}

#[test]
fn slots_logged_late_must_be_updated() {
    assert!(is_found_out(Omission::Tail));
}
