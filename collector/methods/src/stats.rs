//! What threads counted. Counted outside transactions: an abort takes back what was counted inside.

use htm::Tally;
use std::time::Duration;

/// What one mutator counted.
#[derive(Clone, Debug, Default)]
pub struct MutatorStats {
    /// Steps: what lies between two yieldpoints.
    pub n_steps: u64,
    /// Steps that a transaction committed.
    pub n_transactional_steps: u64,
    /// Steps outside transactions in the odd phase, under a veto.
    pub n_vetoed_steps: u64,
    /// Its transactions.
    pub tally: Tally,
    /// How long each handshake or stop held it, in nanoseconds.
    pub waits_ns: Vec<u64>,
    /// Words that it allocated.
    pub allocated_words: u64,
    /// What it did while regions moved: between two handshakes of that phase.
    pub moving: Pace,
    /// How long others had its processor.
    pub delay: Duration,
}

/// Steps, and the time that they took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// Steps.
    pub n_steps: u64,
    /// Time that passed.
    pub time: Duration,
}

impl Pace {
    /// Steps per second.
    pub fn rate(self) -> f64 {
        self.n_steps as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// What moved a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovedBy {
    /// A transaction that committed.
    Commit,
    /// The fallback path: transactions were tried in vain, or there are none.
    Fallback,
    /// A short stop that was cheaper.
    Stop,
}

/// A batch that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// Its objects.
    pub n_objects: usize,
    /// Transactions that it took, those of batches included that were too large and of which this is a part.
    pub n_attempts: u32,
    /// What moved it.
    pub by: MovedBy,
}

impl Moved {
    /// Whether a transaction moved it.
    pub fn is_committed(&self) -> bool {
        self.by == MovedBy::Commit
    }
}

/// What the collector counted.
#[derive(Clone, Debug, Default)]
pub struct CollectorStats {
    /// Cycles that ended.
    pub n_cycles: u64,
    /// Regions whose live objects moved.
    pub n_regions: u64,
    /// Objects that moved.
    pub n_objects: u64,
    /// Words that were copied.
    pub copied_words: u64,
    /// Slots of other objects that batches of the transactional method updated.
    pub n_slots: u64,
    /// Objects of all heaps that sanity checked.
    pub n_checked: u64,
    /// Its transactions.
    pub tally: Tally,
    /// What each batch of the transactional method took.
    pub batches: Vec<Moved>,
    /// Time in which the fallback path and short stops moved batches: the world stopped.
    pub stopped: Duration,
    /// Time in cycles.
    pub collecting: Duration,
    /// Time in which regions moved.
    pub moving: Duration,
    /// How long others had its processor.
    pub delay: Duration,
}

impl CollectorStats {
    /// Batches that took the fallback path.
    pub fn n_fallbacks(&self) -> usize {
        self.n_moved(MovedBy::Fallback)
    }

    /// Batches that were moved so.
    pub fn n_moved(&self, by: MovedBy) -> usize {
        self.batches.iter().filter(|moved| moved.by == by).count()
    }
}

/// The value below which so many percent of the values lie; 0 of none. Sorts.
pub fn percentile(values: &mut [u64], percent: f64) -> u64 {
    values.sort_unstable();
    let last = values.len().saturating_sub(1);
    values.get((last as f64 * percent / 100.0).round() as usize).copied().unwrap_or(0)
}
