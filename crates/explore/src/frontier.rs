//! The states of one level, in the order in which they were found.
//!
//! The order matters for speed: states found together are alike, and their successors lie close
//! together in the tables of the system.

use crate::compact::format::Format;
use std::sync::{Arc, Mutex, PoisonError};
use system::Limit;

/// States per chunk.
pub(crate) const CHUNK: usize = 512;

/// The tokens of at most `CHUNK` states, and what they mean.
#[derive(Clone)]
pub(crate) struct Chunk {
    pub(crate) format: Arc<Format>,
    pub(crate) tokens: Vec<u64>,
}

/// States that were found on one level, in chunks, so that a chunk can be freed when it has been expanded.
#[derive(Default)]
pub(crate) struct Found {
    chunks: Vec<Chunk>,
    len: usize,
    /// The last chunk has all its states.
    is_ended: bool,
}

impl Found {
    /// Adds a state.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn push(&mut self, format: &Arc<Format>, token: u64) -> Result<(), Limit> {
        let has_room = |chunk: &Chunk| chunk.tokens.len() < CHUNK && Arc::ptr_eq(&chunk.format, format);
        if std::mem::take(&mut self.is_ended) || !self.chunks.last().is_some_and(has_room) {
            self.chunks.push(Chunk { format: format.clone(), tokens: Vec::new() });
        }
        let Some(chunk) = self.chunks.last_mut() else { return Ok(()) };
        chunk.tokens.try_reserve(1).map_err(|_| Limit::Memory)?;
        chunk.tokens.push(token);
        self.len += 1;
        Ok(())
    }

    /// The next state is in another chunk.
    pub(crate) fn end_chunk(&mut self) {
        self.is_ended = true;
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The states from `first` on, chunk by chunk.
    pub(crate) fn from(&self, first: usize) -> impl Iterator<Item = (&Format, &[u64])> {
        let mut before = 0;
        self.chunks.iter().filter_map(move |chunk| {
            let skipped = first.saturating_sub(before).min(chunk.tokens.len());
            before += chunk.tokens.len();
            (skipped < chunk.tokens.len()).then(|| (&*chunk.format, &chunk.tokens[skipped..]))
        })
    }
}

/// One level: what was found on the one before.
#[derive(Default)]
pub(crate) struct Level {
    chunks: Vec<Mutex<Option<Chunk>>>,
}

impl Level {
    pub(crate) fn new(found: Found) -> Self {
        Level { chunks: found.chunks.into_iter().map(|chunk| Mutex::new(Some(chunk))).collect() }
    }

    /// The chunks from `first` on.
    pub(crate) fn rest(&self, first: usize) -> impl Iterator<Item = Chunk> {
        self.chunks.iter().skip(first).filter_map(|chunk| chunk.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The number of chunks.
    pub(crate) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Takes a chunk out of the level; none if there are not so many.
    pub(crate) fn take(&self, index: usize) -> Option<Chunk> {
        self.chunks.get(index)?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
