//! The states of one level, in the order in which they were found.
//!
//! The order matters for speed: states found together are alike, and their successors lie close
//! together in the tables of the system.

use std::sync::{Mutex, PoisonError};

/// States per chunk.
pub(crate) const CHUNK: usize = 512;

/// The words of at most `CHUNK` states.
pub(crate) type Chunk = Vec<u32>;

/// States that one worker found on one level, in chunks, so that a chunk can be freed when it has been expanded.
#[derive(Default)]
pub(crate) struct Segment {
    chunks: Vec<Chunk>,
}

impl Segment {
    /// Adds a state; false if there is no memory.
    pub(crate) fn push(&mut self, state: &[u32]) -> bool {
        let is_full = |chunk: &Chunk| chunk.len() >= CHUNK * state.len().max(1);
        if self.chunks.last().is_none_or(is_full) {
            self.chunks.push(Chunk::new());
        }
        let Some(chunk) = self.chunks.last_mut() else { return false };
        let has_room = chunk.try_reserve(state.len()).is_ok();
        if has_room {
            chunk.extend_from_slice(state);
        }
        has_room
    }
}

/// One level: what all workers found.
#[derive(Default)]
pub(crate) struct Level {
    chunks: Vec<Mutex<Chunk>>,
}

impl Level {
    /// The chunks of all segments.
    pub(crate) fn new(segments: Vec<Segment>) -> Self {
        let chunks = segments.into_iter().flat_map(|segment| segment.chunks);
        Level { chunks: chunks.map(Mutex::new).collect() }
    }

    /// These chunks.
    pub(crate) fn of(chunks: Vec<Chunk>) -> Self {
        Level { chunks: chunks.into_iter().map(Mutex::new).collect() }
    }

    /// The chunks from `first` on.
    pub(crate) fn rest(&self, first: usize) -> impl Iterator<Item = Chunk> {
        self.chunks.iter().skip(first).map(|chunk| chunk.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The number of chunks.
    pub(crate) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Takes a chunk out of the level; none if there are not so many.
    pub(crate) fn take(&self, index: usize) -> Option<Chunk> {
        let chunk = self.chunks.get(index)?;
        Some(std::mem::take(&mut *chunk.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}
