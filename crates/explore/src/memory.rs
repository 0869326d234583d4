//! The store in memory: the seen set in shards, and the level in chunks.

use crate::frontier::{CHUNK, Level, Segment};
use crate::seen::{SeenSet, Shard, mark};
use crate::store::{Put, Store};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, RwLock};
use system::{Budget, Limit, Successors, hash};

/// A store in memory.
pub struct InMemory<'a> {
    pub(crate) seen: SeenSet,
    pub(crate) state_len: usize,
    pub(crate) budget: Option<&'a Budget>,
    pub(crate) level: RwLock<Level>,
    next_chunk: AtomicUsize,
    /// What the workers found on this level.
    pub(crate) found: Mutex<Vec<Segment>>,
    /// Bytes of the states that are to be expanded.
    pub(crate) waiting_bytes: AtomicU64,
}

/// What one worker has gathered, in order: words, hashes, marks of their parents, and whether they are new.
pub struct Batch {
    words: Vec<u32>,
    hashes: Vec<u64>,
    parents: Vec<u8>,
    are_new: Vec<bool>,
    /// For each shard, which of them belong there.
    by_shard: Vec<Vec<u32>>,
    /// Shards that somebody else had.
    busy: Vec<usize>,
    /// What is new on this level.
    found: Segment,
}

impl<'a> InMemory<'a> {
    /// An empty store for states of so many words; what takes much memory looks at the budget first.
    pub fn new(state_len: usize, workers: usize, budget: Option<&'a Budget>) -> Self {
        // Several shards for each worker, so that two seldom want the same.
        let shard_bits = if workers > 1 { (workers * 8).ilog2().min(8) } else { 0 };
        InMemory::with_shards(state_len, 1 << shard_bits, budget)
    }

    /// An empty store in so many shards: a power of two.
    pub(crate) fn with_shards(state_len: usize, n_shards: usize, budget: Option<&'a Budget>) -> Self {
        InMemory {
            seen: SeenSet::new(state_len, n_shards.next_power_of_two()),
            state_len,
            budget,
            level: RwLock::default(),
            next_chunk: AtomicUsize::new(0),
            found: Mutex::default(),
            waiting_bytes: AtomicU64::new(0),
        }
    }

    /// For each shard, the position that its next state gets.
    pub(crate) fn ends(&self) -> Vec<usize> {
        (0..self.seen.n_shards()).map(|shard| self.seen.lock(shard).end()).collect()
    }

    /// For each shard, where each level begins.
    pub(crate) fn levels(&self) -> Vec<Vec<usize>> {
        (0..self.seen.n_shards()).map(|shard| self.seen.lock(shard).levels().to_vec()).collect()
    }

    /// Calls `piece` with the states of a shard from a position on; gives where they end.
    pub(crate) fn write_rows<E>(
        &self,
        shard: usize,
        from: usize,
        piece: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<usize, E> {
        let mut shard = self.seen.lock(shard);
        shard.states().write_rows(from, piece)?;
        Ok(shard.end())
    }

    /// The chunk of the level that is taken next.
    pub(crate) fn next_chunk(&self) -> usize {
        self.next_chunk.load(Relaxed).min(self.level.read().unwrap_or_else(|e| e.into_inner()).len())
    }

    /// The chunks of the level that nobody has taken.
    pub(crate) fn waiting_chunks(&self) -> Vec<Vec<u32>> {
        let first = self.next_chunk();
        self.level.read().unwrap_or_else(|e| e.into_inner()).rest(first).collect()
    }

    /// Puts the gathered states of one shard into the seen set.
    fn insert_into(&self, mut shard: MutexGuard<'_, Shard>, index: usize, batch: &mut Batch) -> Option<Limit> {
        let Batch { words, hashes, parents, are_new, by_shard, .. } = batch;
        let indices = &mut by_shard[index];
        let mut hit = None;
        let seen = shard.states();
        seen.touch(indices.iter().map(|i| hashes[*i as usize]));
        for i in indices.drain(..).map(|i| i as usize) {
            let state = &words[i * self.state_len..(i + 1) * self.state_len];
            match seen.insert(state, hashes[i], parents[i], self.budget) {
                Ok(found) => are_new[i] = found.is_new,
                Err(limit) => hit = hit.or(Some(limit)),
            }
        }
        hit
    }

    /// Puts the gathered states into the seen set, shard by shard.
    fn insert(&self, batch: &mut Batch) -> Option<Limit> {
        let mut hit = None;
        batch.are_new.resize(batch.hashes.len(), false);
        for shard in 0..batch.by_shard.len() {
            // A worker that holds the lock may have lost its core: rather continue than wait.
            match self.seen.try_lock(shard) {
                Some(guard) => hit = hit.or(self.insert_into(guard, shard, batch)),
                None => batch.busy.push(shard),
            }
        }
        while let Some(shard) = batch.busy.pop() {
            hit = hit.or(self.insert_into(self.seen.lock(shard), shard, batch));
        }
        hit
    }
}

impl Store for InMemory<'_> {
    type Batch = Batch;

    fn batch(&self) -> Batch {
        Batch {
            words: Vec::new(),
            hashes: Vec::new(),
            parents: Vec::new(),
            are_new: Vec::new(),
            by_shard: vec![Vec::new(); self.seen.n_shards()],
            busy: Vec::new(),
            found: Segment::default(),
        }
    }

    fn gather(&self, parent: Option<&[u32]>, states: &Successors, batch: &mut Batch) {
        let parent = parent.map_or(0, |parent| mark(hash(parent)));
        for (state, _) in states.iter() {
            let hash = hash(state);
            batch.by_shard[self.seen.shard_of(hash)].push(batch.hashes.len() as u32);
            batch.words.extend_from_slice(state);
            batch.hashes.push(hash);
            batch.parents.push(parent);
        }
    }

    fn n_gathered(batch: &Batch) -> usize {
        batch.hashes.len()
    }

    fn put(&self, batch: &mut Batch, mut visit: impl FnMut(&[u32])) -> Put {
        let mut limit = self.insert(batch);
        let Batch { words, are_new, found, .. } = batch;
        let mut n_new = 0;
        let states = words.chunks_exact(self.state_len.max(1));
        for (state, _) in states.zip(&*are_new).filter(|(_, is_new)| **is_new) {
            n_new += 1;
            if !found.push(state) {
                limit = limit.or(Some(Limit::Memory));
            }
            visit(state);
        }
        self.waiting_bytes.fetch_add(n_new * 4 * self.state_len as u64, Relaxed);
        batch.words.clear();
        batch.hashes.clear();
        batch.parents.clear();
        batch.are_new.clear();
        Put { n_new, limit }
    }

    fn hand_in(&self, batch: &mut Batch) {
        self.found.lock().unwrap_or_else(|e| e.into_inner()).push(std::mem::take(&mut batch.found));
    }

    fn next_level(&self) -> bool {
        let found = std::mem::take(&mut *self.found.lock().unwrap_or_else(|e| e.into_inner()));
        let level = Level::new(found);
        let has_some = level.len() > 0;
        if has_some {
            *self.level.write().unwrap_or_else(|e| e.into_inner()) = level;
            self.next_chunk.store(0, Relaxed);
            self.seen.begin_level();
        }
        has_some
    }

    fn take(&self) -> Option<Vec<u32>> {
        let level = self.level.read().unwrap_or_else(|e| e.into_inner());
        let chunk = level.take(self.next_chunk.fetch_add(1, Relaxed))?;
        self.waiting_bytes.fetch_sub(chunk.len() as u64 * 4, Relaxed);
        Some(chunk)
    }

    fn n_waiting(&self) -> u64 {
        let n_chunks = self.level.read().unwrap_or_else(|e| e.into_inner()).len();
        (n_chunks.saturating_sub(self.next_chunk.load(Relaxed)) * CHUNK) as u64
    }

    fn parent(&self, state: &[u32], level: usize, is_it: impl FnMut(&[u32]) -> bool) -> Option<Vec<u32>> {
        let mark = self.seen.parent_mark(state).expect("every state of a path is stored");
        self.seen.find_in_level(level, mark, is_it)
    }

    fn bytes(&self) -> u64 {
        self.seen.bytes() + self.waiting_bytes.load(Relaxed)
    }
}
