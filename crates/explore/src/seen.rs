//! The set of states seen so far, each stored once, whole.
//!
//! Split by hash into shards, each behind its own lock, so that workers seldom meet. A shard has the states in the order in which
//! they were found, level by level, and a table to find them. A state's parent is not stored, only eight bits of its hash: enough to
//! find it again among the states of the level before.

use crate::rows::Rows;
use crate::slots::Slots;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, TryLockError};
use system::{Budget, Limit, hash};

/// A table of so many bytes is not made before the budget is looked at.
const LARGE: u64 = 1 << 16;

pub(crate) struct SeenSet {
    shards: Vec<Locked>,
    state_len: usize,
}

/// A shard and its lock, on cache lines of their own: what one worker writes in its shard must not
/// slow another down in the next.
#[repr(align(128))]
struct Locked(Mutex<Shard>);

pub(crate) struct Shard {
    rows: Rows,
    slots: Slots,
    /// For each level, where its states begin.
    levels: Vec<usize>,
    state_len: usize,
}

impl SeenSet {
    /// An empty set in `1 << shard_bits` shards.
    pub(crate) fn new(state_len: usize, shard_bits: u32) -> Self {
        let shard = || Shard { rows: Rows::new(state_len), slots: Slots::new(), levels: vec![0], state_len };
        let locked = || Locked(Mutex::new(shard()));
        SeenSet { shards: (0..1usize << shard_bits).map(|_| locked()).collect(), state_len }
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
            let end = shard.rows.end();
            shard.levels.push(end);
        }
    }

    /// What is stored of the parent of `state`.
    pub(crate) fn parent_mark(&self, state: &[u32]) -> Option<u8> {
        let hash = hash(state);
        self.lock(self.shard_of(hash)).parent_of(state, hash)
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
            for position in shard.rows.positions(shard.level(level)) {
                shard.rows.read(position, &mut state);
                if self::mark(hash(&state)) == mark && is_it(&state) {
                    return Some(state);
                }
            }
        }
        None
    }

    /// Bytes held, room to grow included.
    pub(crate) fn bytes(&self) -> u64 {
        (0..self.shards.len()).map(|shard| self.lock(shard).bytes()).sum()
    }
}

impl Shard {
    /// Positions that a shard can have.
    const CAPACITY: usize = u32::MAX as usize - (1 << 20);

    fn bytes(&self) -> u64 {
        self.rows.bytes() + self.slots.bytes()
    }

    fn level(&self, level: usize) -> Range<usize> {
        let end = self.levels.get(level + 1).copied().unwrap_or(self.rows.end());
        self.levels.get(level).copied().unwrap_or(end)..end
    }

    /// Makes the part of the table for states with this hash larger, unless a limit is hit, of memory or another.
    fn grow(&mut self, hash_of_state: u64, budget: Option<&Budget>) -> Result<(), Limit> {
        let part = self.slots.part_mut(hash_of_state);
        let bytes = part.larger_bytes();
        if bytes >= LARGE
            && let Some(limit) = budget.and_then(|budget| budget.look_for(bytes))
        {
            return Err(limit);
        }
        let (mut larger, positions) = part.larger().zip(part.positions()).ok_or(Limit::Memory)?;
        let mut state = vec![0; self.state_len];
        for position in positions.into_iter().map(|position| position as usize) {
            self.rows.read(position, &mut state);
            let hash = hash(&state);
            if let Err(place) = larger.find(hash, |_| false) {
                larger.put(place, hash, position);
            }
        }
        *part = larger;
        Ok(())
    }

    /// Reads what `insert` will read for these hashes, without waiting in between: the processor
    /// then waits for many places of memory at a time.
    pub(crate) fn touch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let buckets = hashes.clone().fold(0, |sum, hash| sum ^ self.slots.part(hash).touch(hash));
        let guesses = hashes.filter_map(|hash| self.slots.part(hash).guess(hash));
        let rows = guesses.fold(buckets, |sum, position| sum ^ self.rows.mark(position));
        std::hint::black_box(rows);
    }

    /// Adds a state unless it is there; its position if it is new. The limit that is hit if there is no room for it.
    pub(crate) fn insert(
        &mut self,
        state: &[u32],
        hash: u64,
        parent: u8,
        budget: Option<&Budget>,
    ) -> Result<Option<usize>, Limit> {
        let is_it = |rows: &Rows, position| rows.is_at(position, state);
        let Err(mut place) = self.slots.part(hash).find(hash, |position| is_it(&self.rows, position)) else {
            return Ok(None);
        };
        if self.slots.part(hash).is_full() {
            self.grow(hash, budget)?;
            place = self.slots.part(hash).find(hash, |_| false).err().ok_or(Limit::Memory)?;
        }
        let position = self.rows.push(state, parent).ok_or(Limit::Memory)?;
        self.slots.part_mut(hash).put(place, hash, position);
        if position >= Shard::CAPACITY { Err(Limit::Memory) } else { Ok(Some(position)) }
    }

    /// What is stored of the parent of a state that is there.
    fn parent_of(&self, state: &[u32], hash: u64) -> Option<u8> {
        let position = self.slots.part(hash).find(hash, |position| self.rows.is_at(position, state)).ok()?;
        Some(self.rows.mark(position))
    }
}

/// The eight bits of a parent's hash that its children keep.
pub(crate) fn mark(hash: u64) -> u8 {
    (hash >> 12) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// A table that does not grow names the limit that was hit, not memory.
    #[test]
    fn a_table_that_does_not_grow_names_the_limit() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let full = |budget: Budget| {
            let seen = SeenSet::new(1, 0);
            let mut shard = seen.lock(0);
            (0..1 << 20).find_map(|i| shard.insert(&[i], hash(&[i]), 0, Some(&budget)).err())
        };
        assert_eq!(full(Budget::new(Some(Duration::ZERO), None, &STOP)), Some(Limit::Time));
        assert_eq!(full(Budget::new(None, Some(1), &STOP)), Some(Limit::Memory));
        assert_eq!(full(Budget::default()), None);
    }
}
