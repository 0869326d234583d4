//! What a search says.

use crate::PropertyIndex;
use std::time::Duration;

/// Where a search stops before it has seen everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// At most so many distinct states.
    pub max_states: Option<u64>,
    /// At most so many bytes for states and tables.
    pub max_bytes: Option<u64>,
    /// At most so long.
    pub timeout: Option<Duration>,
}

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `--max-states`
    States,
    /// `--max-memory`
    Memory,
    /// `--timeout`
    Time,
    /// The user asked to stop.
    Interrupted,
    /// A file of `--checkpoint` or `--store` could not be written or read.
    Disk,
    /// A process of a cluster was lost.
    Process,
}

impl Limit {
    /// The limit for people.
    pub fn name(self) -> &'static str {
        match self {
            Limit::States => "max-states",
            Limit::Memory => "max-memory",
            Limit::Time => "timeout",
            Limit::Interrupted => "interrupted",
            Limit::Disk => "disk",
            Limit::Process => "process-lost",
        }
    }
}

/// The verdict of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every reachable state was seen, and none violates a property.
    Holds,
    /// A property is violated; the states of a shortest path that shows it.
    Violated {
        /// The property.
        property: PropertyIndex,
        /// From an initial state to the one that violates it.
        path: Vec<Vec<u32>>,
    },
    /// A limit stopped the search before it had seen everything.
    Inconclusive(Limit),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states.
    pub states: u64,
    /// Of a search for a temporal property, distinct pairs of a state and a state of the automaton with what it remembers; else 0. There,
    /// `max_states` speaks of these.
    pub pairs: u64,
    /// Steps taken, including those to states already seen.
    pub transitions: u64,
    /// Steps of pairs, including those to pairs already seen.
    pub moves: u64,
    /// Steps from an initial state to the farthest state; of a search for a temporal property, the longest path that it was on.
    pub depth: u64,
    /// States found and not yet expanded.
    pub frontier: u64,
    /// Wall time.
    pub seconds: f64,
    /// The most bytes held for states and tables.
    pub peak_bytes: u64,
}

impl Statistics {
    /// The most bytes held, for each state.
    pub fn bytes_per_state(&self) -> f64 {
        self.peak_bytes as f64 / self.states.max(1) as f64
    }
}
