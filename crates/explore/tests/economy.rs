//! What a search holds, how often it asks the system, and what limits do not change.

use explore::{Control, SearchOptions, SearchResult, search};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use system::{Limits, PropertyIndex, Reached, Successors, TransitionSystem, Verdict};

/// A fan: the first state leads to `width` others, and each of these continues alone, `length` steps in all. The last state of the last one is bad.
struct Fan {
    width: u32,
    length: u32,
    asked: AtomicU64,
    pause: Duration,
}

impl Fan {
    fn new(width: u32, length: u32) -> Self {
        Fan { width, length, asked: AtomicU64::new(0), pause: Duration::ZERO }
    }
}

impl TransitionSystem for Fan {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        2
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&[0, 0], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        self.asked.fetch_add(1, Relaxed);
        std::thread::sleep(self.pause);
        if from[1] == 0 {
            for i in 0..self.width {
                out.push(&[i, 1], 0);
            }
        } else if from[1] < self.length {
            out.push(&[from[0], from[1] + 1], 0);
        }
    }
    fn inspect(&self, state: &[u32], _: &mut (), _: &mut Reached) -> Option<PropertyIndex> {
        (state == [self.width - 1, self.length]).then_some(0)
    }
}

fn searched(fan: &Fan, limits: Limits) -> SearchResult {
    let stop = AtomicBool::new(false);
    search(fan, &SearchOptions { workers: 1, limits }, &Control { stop: &stop, progress: &|_| {}, ended: &|_| {} })
}

#[test]
fn a_path_is_found_without_asking_every_state_of_a_level_again() {
    let fan = Fan::new(10_000, 3);
    let outcome = searched(&fan, Limits::default());
    assert!(matches!(&outcome.verdict, Verdict::Violated { path, .. } if path.len() == 4));
    let (asked, states) = (fan.asked.load(Relaxed), outcome.statistics.states);
    assert!(asked < states, "asked {asked} times about {states} states");
}

#[test]
fn a_state_costs_few_bytes_and_more_than_none() {
    let outcome = searched(&Fan::new(10, 20_000), Limits::default());
    let each = outcome.statistics.peak_bytes / outcome.statistics.states;
    assert!((3..=10).contains(&each), "{each} bytes for a state of two words");
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let far =
        Limits { max_states: Some(1 << 40), max_bytes: Some(1 << 40), timeout: Some(Duration::from_secs(1 << 20)) };
    let outcome = searched(&Fan::new(10, 10), far);
    assert!(matches!(outcome.verdict, Verdict::Violated { .. }), "{:?}", outcome.verdict);
}

#[test]
fn a_slow_path_to_a_violation_is_found_though_the_limit_of_states_is_reached() {
    let fan = Fan { pause: Duration::from_millis(60), ..Fan::new(1, 8) };
    let outcome = searched(&fan, Limits { max_states: Some(9), ..Limits::default() });
    assert!(matches!(outcome.verdict, Verdict::Violated { .. }), "{:?}", outcome.verdict);
}
