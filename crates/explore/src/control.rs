//! What a search is asked for, how it is talked to, and what it says.

use std::sync::atomic::AtomicBool;
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

/// How a search and its surroundings talk to one another.
pub struct Control<'a> {
    /// Set by others to stop the search.
    pub stop: &'a AtomicBool,
    /// Called now and then with what has been done so far.
    pub progress: &'a (dyn Fn(&Statistics) + Sync),
    /// Called with every quiescent or stuck state, that is, with every state without steps.
    pub ended: &'a (dyn Fn(&[u32]) + Sync),
}

impl Control<'static> {
    /// Nobody stops the search, and nobody is told of it.
    pub fn quiet() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Control { stop: &NEVER, progress: &|_| {}, ended: &|_| {} }
    }
}

/// What a search has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}

/// What a search of everything has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct EveryOutcome {
    /// Each property that is violated, with a shortest path that shows it.
    pub violated: Vec<(PropertyIndex, Vec<Vec<u32>>)>,
    /// The limit that stopped the search before it had seen everything.
    pub limit: Option<Limit>,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}
