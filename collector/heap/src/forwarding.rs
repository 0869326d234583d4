//! The forwarding table: where the replica of an original is, for methods that leave originals alone.
//!
//! A header would do (thesis, algorithm 2), but then a collector transaction writes a line of every original.

use crate::object::Ref;
use std::sync::atomic::{AtomicU32, Ordering};

/// One entry per word of the memory; 0 where nothing has moved away.
///
/// Invariant: an entry is set before any mutator can learn that the object may move, and taken back only after every
/// mutator has acknowledged that it holds no reference to the original.
pub struct Forwarding {
    replicas: Box<[AtomicU32]>,
}

impl Forwarding {
    /// An empty table for a memory of this many words.
    ///
    /// # Panics
    /// If an address would not fit an entry.
    pub fn new(n_words: u64) -> Forwarding {
        assert!(n_words <= u64::from(u32::MAX), "a heap of {n_words} words is too large");
        Forwarding { replicas: (0..n_words).map(|_| AtomicU32::new(0)).collect() }
    }

    /// Where the object's replica is.
    #[inline]
    pub fn get(&self, original: Ref) -> Option<Ref> {
        match self.replicas[original.0 as usize].load(Ordering::Acquire) {
            0 => None,
            replica => Some(Ref(u64::from(replica))),
        }
    }

    /// Sets or takes back the entry of an original.
    pub fn set(&self, original: Ref, replica: Option<Ref>) {
        let entry = replica.map_or(0, |replica| replica.0 as u32);
        self.replicas[original.0 as usize].store(entry, Ordering::Release);
    }
}
