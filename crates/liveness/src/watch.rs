//! Limits and progress of one check.

use system::{Budget, Control, Limit, Limits, Statistics, Ticker};

/// How many new pairs between two looks at clock and limits.
pub(crate) const LOOK_EVERY: usize = 128;

/// The limits, and whom to tell.
pub(crate) struct Watch<'a> {
    limits: system::Watch<'a>,
    control: &'a Control<'a>,
    ticker: Ticker,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits, control: &'a Control<'a>, budget: Option<&'a Budget>) -> Self {
        Watch { limits: system::Watch::new(limits, control, budget), control, ticker: Ticker::new() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.limits.seconds()
    }

    /// Whether there may be another pair.
    pub(crate) fn has_room(&self, n_pairs: usize) -> bool {
        self.limits.has_room(n_pairs as u64)
    }

    /// The limit that is reached, if any. Tells progress now and then.
    pub(crate) fn look(&mut self, statistics: &Statistics) -> Option<Limit> {
        let limit = self.limits.limit(statistics.pairs, statistics.peak_bytes);
        if limit.is_none() && self.ticker.is_due() {
            (self.control.progress)(statistics);
        }
        limit
    }
}
