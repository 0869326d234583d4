//! The set of states seen so far, each stored once, whole, with the number of its parent.
//!
//! Split by hash into shards, each behind its own lock, so that workers seldom meet. Within a shard
//! the states lie in the order in which they were found; a level of the search is therefore a range
//! of each shard, and the frontier costs nothing.

use std::sync::Mutex;

/// A state's number: its shard in the low bits, its position there above.
pub(crate) type StateNumber = u32;

/// The parent of initial states.
pub(crate) const NO_PARENT: StateNumber = u32::MAX;

pub(crate) struct SeenSet {
    shards: Vec<Mutex<Shard>>,
    shard_bits: u32,
    state_len: usize,
}

pub(crate) struct Shard {
    /// Open addressing: the hash's upper half above, the position plus one below; 0 is free.
    slots: Vec<u64>,
    states: Vec<u32>,
    parents: Vec<StateNumber>,
    state_len: usize,
}

impl SeenSet {
    /// An empty set in `1 << shard_bits` shards.
    pub(crate) fn new(state_len: usize, shard_bits: u32) -> Self {
        let shard = || Mutex::new(Shard { slots: vec![0; 64], states: Vec::new(), parents: Vec::new(), state_len });
        SeenSet { shards: (0..1usize << shard_bits).map(|_| shard()).collect(), shard_bits, state_len }
    }

    pub(crate) fn n_shards(&self) -> usize {
        self.shards.len()
    }

    /// The shard that a state with this hash belongs to.
    pub(crate) fn shard_of(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.shards.len() - 1)
    }

    pub(crate) fn lock(&self, shard: usize) -> std::sync::MutexGuard<'_, Shard> {
        self.shards[shard].lock().unwrap_or_else(|e| e.into_inner())
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

    /// The number of states in each shard.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        (0..self.shards.len()).map(|shard| self.lock(shard).len()).collect()
    }

    /// Bytes held, room to grow included.
    pub(crate) fn bytes(&self) -> u64 {
        (0..self.shards.len()).map(|shard| self.lock(shard).bytes()).sum()
    }
}

/// States found and not yet put into their shard. Putting many at once takes one lock, and lets the
/// processor wait for many places of memory at a time instead of one after the other.
#[derive(Default)]
pub(crate) struct Batch {
    words: Vec<u32>,
    hashes: Vec<u64>,
    parents: Vec<StateNumber>,
}

impl Batch {
    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Adds a state.
    pub(crate) fn push(&mut self, state: &[u32], hash: u64, parent: StateNumber) {
        self.words.extend_from_slice(state);
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    fn clear(&mut self) {
        self.words.clear();
        self.hashes.clear();
        self.parents.clear();
    }
}

impl Shard {
    /// Puts all states of `batch`, calling `new` with each that was not there and its position.
    pub(crate) fn insert_all(&mut self, batch: &mut Batch, mut new: impl FnMut(&[u32], usize)) {
        while (self.parents.len() + batch.len()) * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        self.touch(batch);
        let states = batch.words.chunks_exact(self.state_len.max(1));
        for ((state, hash), parent) in states.zip(&batch.hashes).zip(&batch.parents) {
            if let Some(position) = self.insert(state, *hash, *parent) {
                new(state, position);
            }
        }
        batch.clear();
    }

    /// Reads what `insert` will read, without waiting in between.
    fn touch(&self, batch: &Batch) {
        let mask = self.slots.len() - 1;
        let mut sum = 0;
        for hash in &batch.hashes {
            sum ^= self.slots[*hash as usize & mask];
        }
        for hash in &batch.hashes {
            let slot = self.slots[*hash as usize & mask];
            if slot != 0 && slot >> 32 == hash >> 32 {
                sum ^= u64::from(self.states[(slot as u32 - 1) as usize * self.state_len]);
            }
        }
        std::hint::black_box(sum);
    }

    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    fn bytes(&self) -> u64 {
        (self.slots.capacity() * 8 + self.states.capacity() * 4 + self.parents.capacity() * 4) as u64
    }

    /// The words of the states in `range`.
    pub(crate) fn words(&self, range: std::ops::Range<usize>) -> &[u32] {
        &self.states[range.start * self.state_len..range.end * self.state_len]
    }

    /// Adds a state unless it is there; its position if it is new.
    fn insert(&mut self, state: &[u32], hash: u64, parent: StateNumber) -> Option<usize> {
        let tag = hash >> 32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
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
        self.reserve();
        self.states.extend_from_slice(state);
        self.parents.push(parent);
        Some(position)
    }

    /// Grows the arrays by a quarter, not by doubling: memory is what large searches run out of.
    fn reserve(&mut self) {
        if self.parents.len() == self.parents.capacity() {
            let more = (self.parents.len() / 4).max(64);
            self.parents.reserve_exact(more);
            self.states.reserve_exact(more * self.state_len);
        }
    }

    fn grow(&mut self) {
        let mut slots = vec![0u64; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for position in 0..self.parents.len() {
            let hash = hash(self.words(position..position + 1));
            let mut at = hash as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = hash >> 32 << 32 | (position as u64 + 1);
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
