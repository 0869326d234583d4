//! The set of states seen so far, each stored once, whole.
//!
//! Split by hash into shards, each behind its own lock, so that workers seldom meet. A shard has the states in the order in which
//! they were found, level by level, and a table to find them. A state's parent is not stored, only eight bits of its hash: enough to
//! find it again among the states of the level before.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, TryLockError};
use system::{StateTable, hash};

pub(crate) struct SeenSet {
    shards: Vec<Locked>,
    state_len: usize,
}

/// A shard and its lock, on cache lines of their own: what one worker writes in its shard must not
/// slow another down in the next.
#[repr(align(128))]
struct Locked(Mutex<Shard>);

pub(crate) struct Shard {
    states: StateTable,
    /// For each level, where its states begin.
    levels: Vec<usize>,
}

impl SeenSet {
    /// An empty set in so many shards: a power of two.
    pub(crate) fn new(state_len: usize, n_shards: usize) -> Self {
        let shard = || Shard { states: StateTable::new(state_len), levels: vec![0] };
        let locked = || Locked(Mutex::new(shard()));
        SeenSet { shards: (0..n_shards).map(|_| locked()).collect(), state_len }
    }

    pub(crate) fn n_shards(&self) -> usize {
        self.shards.len()
    }

    /// The shard that a state with this hash belongs to.
    pub(crate) fn shard_of(&self, hash: u64) -> usize {
        // Not the upper half, which chooses the slot within the shard.
        hash as usize & (self.shards.len() - 1)
    }

    pub(crate) fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The shard, unless somebody else has it.
    pub(crate) fn try_lock(&self, shard: usize) -> Option<MutexGuard<'_, Shard>> {
        match self.shards[shard].0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(e)) => Some(e.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// What is found from now on is one level further.
    pub(crate) fn begin_level(&self) {
        for shard in 0..self.shards.len() {
            let mut shard = self.lock(shard);
            let end = shard.states.end();
            shard.levels.push(end);
        }
    }

    /// What is stored of the parent of `state`.
    pub(crate) fn parent_mark(&self, state: &[u32]) -> Option<u8> {
        let hash = hash(state);
        let shard = self.lock(self.shard_of(hash));
        Some(shard.states.mark(shard.states.find(state, hash)?))
    }

    /// The first state of a level whose mark is `mark` and of which `is_it` is true.
    pub(crate) fn find_in_level(
        &self,
        level: usize,
        mark: u8,
        mut is_it: impl FnMut(&[u32]) -> bool,
    ) -> Option<Vec<u32>> {
        let mut state = vec![0; self.state_len];
        for shard in &self.shards {
            let shard = shard.0.lock().unwrap_or_else(|e| e.into_inner());
            for position in shard.states.positions(shard.level(level)) {
                shard.states.read(position, &mut state);
                if self::mark(hash(&state)) == mark && is_it(&state) {
                    return Some(state);
                }
            }
        }
        None
    }

    /// Bytes held, room to grow included.
    pub(crate) fn bytes(&self) -> u64 {
        (0..self.shards.len()).map(|shard| self.lock(shard).states.bytes()).sum()
    }
}

impl Shard {
    fn level(&self, level: usize) -> Range<usize> {
        let end = self.levels.get(level + 1).copied().unwrap_or(self.states.end());
        self.levels.get(level).copied().unwrap_or(end)..end
    }

    /// The position that the next state gets, at least.
    pub(crate) fn end(&self) -> usize {
        self.states.end()
    }

    /// For each level, where its states begin.
    pub(crate) fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// Says where levels begin.
    pub(crate) fn set_levels(&mut self, levels: Vec<usize>) {
        self.levels = levels;
    }

    /// The states of this shard.
    pub(crate) fn states(&mut self) -> &mut StateTable {
        &mut self.states
    }
}

/// The eight bits of a parent's hash that its children keep.
pub(crate) fn mark(hash: u64) -> u8 {
    (hash >> 12) as u8
}
