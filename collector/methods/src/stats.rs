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
    /// Objects of all heaps that sanity checked.
    pub n_checked: u64,
    /// Its transactions.
    pub tally: Tally,
    /// Attempts that each committed batch took.
    pub attempts: Vec<u32>,
    /// Objects of each committed batch.
    pub batches: Vec<u32>,
    /// Batches that the fallback path moved: the world stopped.
    pub n_fallbacks: u64,
    /// Time of those.
    pub fallback: Duration,
    /// Time in cycles.
    pub collecting: Duration,
    /// Time in which regions moved.
    pub moving: Duration,
}

/// The value below which so many percent of the values lie; 0 of none. Sorts.
pub fn percentile(values: &mut [u64], percent: f64) -> u64 {
    values.sort_unstable();
    let last = values.len().saturating_sub(1);
    values.get((last as f64 * percent / 100.0).round() as usize).copied().unwrap_or(0)
}
