//! How a question is answered: scope and reductions of the machine, workers and limits of the search.

use explore::{Control, SearchOptions};
use machine::{LateReads, Options};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use system::Limit;

/// How a question is answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Scope and reductions.
    pub machine: Options,
    /// Workers and limits.
    pub search: SearchOptions,
}

impl RunOptions {
    /// The same, with no step put off.
    pub(crate) fn putting_nothing_off(&self) -> Self {
        self.with_late_reads(LateReads::Never)
    }

    pub(crate) fn with_late_reads(&self, late_reads: LateReads) -> Self {
        let mut options = self.clone();
        options.machine.reductions.late_reads = late_reads;
        options
    }

    /// The same, ending at so many states.
    pub(crate) fn up_to(&self, max_states: u64) -> Self {
        let mut options = self.clone();
        options.search.limits.max_states = Some(max_states);
        options
    }

    /// The same, from now on: long computations outside the searches keep to the time that these have.
    pub(crate) fn begun(&self) -> Self {
        let mut options = self.clone();
        options.machine.budget = self.machine.budget.part(self.search.limits.timeout);
        options
    }

    /// The limit that cut what was done so far.
    pub(crate) fn cut(&self) -> Option<Limit> {
        self.machine.budget.hit()
    }

    /// The same, with `elapsed` of the time used up.
    pub fn after(&self, elapsed: Duration) -> Self {
        let mut options = self.clone();
        let timeout = &mut options.search.limits.timeout;
        *timeout = timeout.map(|timeout| timeout.saturating_sub(elapsed));
        options
    }

    /// The limit that stops whatever has run since `begun`, other than by states.
    pub fn limit_since(&self, begun: Instant, control: &Control<'_>) -> Option<Limit> {
        let is_over = |timeout: Duration| begun.elapsed() >= timeout;
        match control.stop.load(Ordering::Relaxed) {
            true => Some(Limit::Interrupted),
            false if self.search.limits.timeout.is_some_and(is_over) => Some(Limit::Time),
            false => self.machine.budget.look(),
        }
    }
}
