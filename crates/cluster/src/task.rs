//! What is searched, and by whom.

use explore::SearchOptions;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use system::{Control, Limit, PropertyIndex, Reached, Statistics};

/// When a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// After the level that shows a violation.
    FirstViolation,
    /// When every state has been seen.
    EveryProperty,
}

/// Where a search writes checkpoints, and which one it continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The folder of this process, which exists.
    pub folder: PathBuf,
    /// What is searched: a checkpoint of something else is refused.
    pub identity: u64,
    /// The time between two.
    pub every: Duration,
    /// The checkpoint that is continued; 0 if the search begins.
    pub generation: u64,
}

/// What every process of a cluster does.
pub struct Task<'a, S: ?Sized> {
    /// The system.
    pub system: &'a S,
    /// Workers of this process, and limits.
    pub options: &'a SearchOptions,
    /// Who may stop the search, and who hears of it in the first process.
    pub control: &'a Control<'a>,
    /// When it is over.
    pub goal: Goal,
    /// Checkpoints, if they are written.
    pub saved: Option<Saved>,
}

/// What a search has found and done, as the first process knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Each property found violated, with a shortest path; the first found comes first.
    pub violated: Vec<(PropertyIndex, Vec<Vec<u32>>)>,
    /// The limit that stopped the search.
    pub limit: Option<Limit>,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}

/// A state that violates a property. Who found it has it.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    pub(crate) property: PropertyIndex,
    pub(crate) level: usize,
    pub(crate) state: Vec<u32>,
}

/// What the workers of one process share.
pub(crate) struct Process {
    /// Set when one of them has given up, because a process or a connection is lost.
    pub(crate) is_broken: AtomicBool,
    /// Bytes that each of them holds.
    bytes: Vec<AtomicU64>,
    /// The most that they held together.
    peak: AtomicU64,
}

impl Process {
    pub(crate) fn new(n_workers: usize) -> Self {
        let bytes = (0..n_workers).map(|_| AtomicU64::new(0)).collect();
        Process { is_broken: AtomicBool::new(false), bytes, peak: AtomicU64::new(0) }
    }

    /// Notes that a worker holds so many bytes, and the system so many.
    pub(crate) fn hold(&self, worker: usize, bytes: u64, own: u64) {
        self.bytes[worker].store(bytes, Relaxed);
        let all: u64 = self.bytes.iter().map(|bytes| bytes.load(Relaxed)).sum();
        self.peak.fetch_max(all + own, Relaxed);
    }

    /// The most bytes that were held.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }
}
