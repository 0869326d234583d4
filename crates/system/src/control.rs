//! How a search and its surroundings talk to one another, and where it stops.

use crate::{Budget, Limit, Limits, Statistics};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(200);

/// How a search and its surroundings talk to one another.
pub struct Control<'a> {
    /// Set by others to stop the search.
    pub stop: &'a AtomicBool,
    /// Called now and then with what has been done so far.
    pub progress: &'a (dyn Fn(&Statistics) + Sync),
    /// Called with every quiescent or stuck state, that is, with every state without steps. Only by searches of all states.
    pub ended: &'a (dyn Fn(&[u32]) + Sync),
}

impl Control<'static> {
    /// Nobody stops the search, and nobody hears of it.
    pub fn quiet() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Control { stop: &NEVER, progress: &|_| {}, ended: &|_| {} }
    }
}

/// The clock and the limits of one search, which begins now.
pub struct Watch<'a> {
    limits: &'a Limits,
    control: &'a Control<'a>,
    budget: Option<&'a Budget>,
    started: Instant,
}

impl<'a> Watch<'a> {
    /// For a search with these limits, of a system with this budget.
    pub fn new(limits: &'a Limits, control: &'a Control<'a>, budget: Option<&'a Budget>) -> Self {
        Watch { limits, control, budget, started: Instant::now() }
    }

    /// Wall time since the search began.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Whether a search that has come to so many states may continue to another.
    pub fn has_room(&self, n_states: u64) -> bool {
        self.limits.max_states.is_none_or(|most| n_states < most)
    }

    /// The limit that is hit by a search that has come to so many states, and to so many bytes at most.
    pub fn limit(&self, n_states: u64, peak_bytes: u64) -> Option<Limit> {
        if self.control.stop.load(Relaxed) {
            Some(Limit::Interrupted)
        } else if !self.has_room(n_states) {
            Some(Limit::States)
        } else if self.limits.max_bytes.is_some_and(|most| peak_bytes >= most) {
            Some(Limit::Memory)
        } else if self.limits.timeout.is_some_and(|timeout| self.started.elapsed() >= timeout) {
            Some(Limit::Time)
        } else {
            self.budget?.look()
        }
    }
}

/// Tells progress now and then.
pub struct Ticker {
    last: Instant,
}

impl Ticker {
    /// The last report is just now.
    #[expect(clippy::new_without_default, reason = "it looks at the clock")]
    pub fn new() -> Self {
        Ticker { last: Instant::now() }
    }

    /// Whether it is time to tell it again.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.last.elapsed() >= TICK;
        if is_due {
            self.last = Instant::now();
        }
        is_due
    }
}
