//! The options of a search, and its result.

use system::{Limit, Limits, PropertyIndex, Reached, Statistics, Verdict};

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many workers; 1 gives the same numbers on every machine.
    pub workers: usize,
    /// Where to stop.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { workers: 1, limits: Limits::default() }
    }
}

/// What a search has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The verdict.
    pub verdict: Verdict,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}

/// What a search of everything has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct EveryResult {
    /// Each property that is violated, with a shortest path that shows it.
    pub violated: Vec<(PropertyIndex, Vec<Vec<u32>>)>,
    /// The limit that stopped the search before it had seen everything.
    pub limit: Option<Limit>,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}
