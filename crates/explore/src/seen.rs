//! The set of states seen so far, each stored once, whole, with the number of its parent.
//!
//! Split by hash into shards, each behind its own lock, so that workers seldom meet.

use std::sync::{Mutex, MutexGuard, TryLockError};

/// A state's number: its shard in the low bits, its position there above.
pub(crate) type StateNumber = u32;

/// The parent of initial states.
pub(crate) const NO_PARENT: StateNumber = u32::MAX;

pub(crate) struct SeenSet {
    shards: Vec<Locked>,
    shard_bits: u32,
    state_len: usize,
}

/// A shard and its lock, on cache lines of their own: what one worker writes in its shard must not
/// slow another down in the next.
#[repr(align(128))]
struct Locked(Mutex<Shard>);

pub(crate) struct Shard {
    /// Open addressing: the hash's upper half above, the position plus one below; 0 is free. The
    /// upper half chooses the slot too, so that the table grows without looking at the states.
    slots: Vec<u64>,
    states: Vec<u32>,
    parents: Vec<StateNumber>,
    state_len: usize,
}

impl SeenSet {
    /// An empty set in `1 << shard_bits` shards.
    pub(crate) fn new(state_len: usize, shard_bits: u32) -> Self {
        let shard = || Shard { slots: vec![0; 64], states: Vec::new(), parents: Vec::new(), state_len };
        let locked = || Locked(Mutex::new(shard()));
        SeenSet { shards: (0..1usize << shard_bits).map(|_| locked()).collect(), shard_bits, state_len }
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

    /// The number of the state at `position` of `shard`.
    pub(crate) fn number(&self, shard: usize, position: usize) -> StateNumber {
        (position as u32) << self.shard_bits | shard as u32
    }

    /// The most states a shard can number.
    pub(crate) fn shard_capacity(&self) -> usize {
        ((u32::MAX >> self.shard_bits) - 1) as usize
    }

    /// A state and its parent.
    pub(crate) fn get(&self, number: StateNumber) -> (Vec<u32>, StateNumber) {
        let shard = self.lock(number as usize & (self.shards.len() - 1));
        let position = (number >> self.shard_bits) as usize;
        let start = position * self.state_len;
        (shard.states[start..start + self.state_len].to_vec(), shard.parents[position])
    }

    /// Bytes held, room to grow included.
    pub(crate) fn bytes(&self) -> u64 {
        (0..self.shards.len()).map(|shard| self.lock(shard).bytes()).sum()
    }
}

impl Shard {
    fn bytes(&self) -> u64 {
        (self.slots.capacity() * 8 + self.states.capacity() * 4 + self.parents.capacity() * 4) as u64
    }

    /// Makes room for `n` more states.
    pub(crate) fn reserve(&mut self, n: usize) {
        while (self.parents.len() + n) * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        // By a quarter, not by doubling: memory is what large searches run out of.
        if self.parents.len() + n > self.parents.capacity() {
            let more = n.max(self.parents.len() / 4);
            self.parents.reserve_exact(more);
            self.states.reserve_exact(more * self.state_len);
        }
    }

    /// Reads what `insert` will read for these hashes, without waiting in between: the processor
    /// then waits for many places of memory at a time.
    pub(crate) fn touch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let mask = self.slots.len() - 1;
        let mut sum = 0;
        for hash in hashes.clone() {
            sum ^= self.slots[(hash >> 32) as usize & mask];
        }
        for hash in hashes {
            let slot = self.slots[(hash >> 32) as usize & mask];
            if slot != 0 && slot >> 32 == hash >> 32 {
                sum ^= u64::from(self.states[(slot as u32 - 1) as usize * self.state_len]);
            }
        }
        std::hint::black_box(sum);
    }

    /// Adds a state unless it is there; its position if it is new. There must be room.
    pub(crate) fn insert(&mut self, state: &[u32], hash: u64, parent: StateNumber) -> Option<usize> {
        let tag = hash >> 32;
        let mask = self.slots.len() - 1;
        let mut at = tag as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if slot >> 32 == tag {
                let position = (slot as u32 - 1) as usize;
                let start = position * self.state_len;
                if self.states[start..start + self.state_len] == *state {
                    return None;
                }
            }
            at = (at + 1) & mask;
        }
        let position = self.parents.len();
        self.slots[at] = tag << 32 | (position as u64 + 1);
        self.states.extend_from_slice(state);
        self.parents.push(parent);
        Some(position)
    }

    fn grow(&mut self) {
        let mut slots = vec![0u64; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for slot in self.slots.iter().filter(|slot| **slot != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = *slot;
        }
        self.slots = slots;
    }
}

/// A hash whose every bit depends on every word; the same on every machine.
pub(crate) fn hash(state: &[u32]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut h: u64 = state.len() as u64;
    for pair in state.chunks(2) {
        let word = u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32;
        let product = u128::from(h ^ word ^ K).wrapping_mul(0xD6E8_FEB8_6659_FD93_u128 | 1 << 64);
        h = (product as u64) ^ (product >> 64) as u64;
        h = h.rotate_left(23).wrapping_mul(K);
    }
    h ^= h >> 32;
    h = h.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h ^ h >> 29
}
