//! Limits and progress of one check.

use crate::outcome::{Control, Statistics};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use system::{Budget, Limit, Limits};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(200);
/// How many new pairs between two looks at clock and limits.
pub(crate) const LOOK_EVERY: usize = 128;

pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    control: &'a Control<'a>,
    budget: Option<&'a Budget>,
    started: Instant,
    told: Instant,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits, control: &'a Control<'a>, budget: Option<&'a Budget>) -> Self {
        let now = Instant::now();
        Watch { limits, control, budget, started: now, told: now }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Whether so many pairs are one too many.
    pub(crate) fn has_room(&self, n_pairs: usize) -> bool {
        self.limits.max_states.is_none_or(|most| (n_pairs as u64) < most)
    }

    /// The limit that is reached, if any. Tells progress now and then.
    pub(crate) fn look(&mut self, statistics: &Statistics) -> Option<Limit> {
        if self.control.stop.load(Relaxed) {
            return Some(Limit::Interrupted);
        }
        if self.limits.timeout.is_some_and(|timeout| self.started.elapsed() >= timeout) {
            return Some(Limit::Time);
        }
        if self.limits.max_bytes.is_some_and(|most| statistics.peak_bytes > most) {
            return Some(Limit::Memory);
        }
        if let Some(limit) = self.budget.and_then(Budget::look) {
            return Some(limit);
        }
        if self.told.elapsed() >= TICK {
            self.told = Instant::now();
            (self.control.progress)(statistics);
        }
        None
    }
}
