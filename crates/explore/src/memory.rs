//! The store in memory: the seen set in shards, and the level in chunks.

use crate::compact::format::{Format, Misfit, NearColumns, SHARD_BITS};
use crate::compact::table::Place;
use crate::frontier::{CHUNK, Found, Level};
use crate::levels::ByLevel;
use crate::seen::{SeenSet, Shard, mark, shard_of};
use crate::store::{Put, Store};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use system::{Budget, Limit, Successors, hash};

/// A parent is found among so many candidates at most; more agree only if the search for it is given up.
const MOST_PARENTS: usize = 1 << 10;

/// So many of the states that a worker gathered last are not gathered again. A power of two.
const N_RECENT: usize = 1 << 15;
/// No state has this token: formats leave a bit free.
const NO_TOKEN: u64 = u64::MAX;

/// A store in memory.
pub struct InMemory<'a> {
    pub(crate) seen: SeenSet,
    pub(crate) state_len: usize,
    pub(crate) budget: Option<&'a Budget>,
    pub(crate) level: RwLock<Level>,
    next_chunk: AtomicUsize,
    /// What the workers found on this level.
    pub(crate) found: Mutex<Found>,
    /// How many states are to be expanded.
    pub(crate) n_waiting: AtomicU64,
    /// The states of the levels where parents were looked for last.
    by_level: Mutex<ByLevel>,
    /// How many tokens each worker remembers.
    n_recent: usize,
}

/// What one worker has gathered, in order: tokens, marks of their parents, and whether they are new.
pub struct Batch {
    pub(crate) format: Arc<Format>,
    near: NearColumns,
    tokens: Vec<u64>,
    marks: Vec<u8>,
    are_new: Vec<bool>,
    /// For each shard, which of them belong there; and the shards that any belong to.
    by_shard: Vec<Vec<u32>>,
    shards: Vec<usize>,
    /// Shards that somebody else had.
    busy: Vec<usize>,
    /// Where the states of a shard are looked for.
    places: Vec<Place>,
    /// The words of new states.
    words: Vec<u32>,
    /// Tokens that were gathered not long ago; a new one takes the place of an old one.
    recent: Vec<u64>,
    n_recent: usize,
    /// How many were put away.
    n_put: usize,
    /// The limit that was hit while gathering.
    limit: Option<Limit>,
}

impl<'a> InMemory<'a> {
    /// An empty store for states of so many words; what takes much memory looks at the budget first.
    pub fn new(state_len: usize, budget: Option<&'a Budget>) -> Self {
        InMemory {
            seen: SeenSet::new(state_len),
            state_len,
            budget,
            level: RwLock::default(),
            next_chunk: AtomicUsize::new(0),
            found: Mutex::default(),
            n_waiting: AtomicU64::new(0),
            by_level: Mutex::default(),
            n_recent: N_RECENT,
        }
    }

    /// The same, where each worker remembers so many of the states that it gathered last: none, or a power of two.
    pub fn remembering(self, n_recent: usize) -> Self {
        InMemory { n_recent, ..self }
    }

    /// The chunk of the level that is taken next.
    pub(crate) fn next_chunk(&self) -> usize {
        self.next_chunk.load(Relaxed).min(self.level.read().unwrap_or_else(PoisonError::into_inner).len())
    }

    /// The words of the states with these tokens, one after the other.
    pub(crate) fn read(&self, format: &Format, tokens: &[u64], words: &mut Vec<u32>) {
        let reader = format.reader();
        words.resize(tokens.len() * self.state_len, 0);
        let states = words.chunks_exact_mut(self.state_len.max(1));
        tokens.iter().zip(states).for_each(|(token, state)| reader.read(*token, state));
    }

    /// The token of a state, in the format of the batch; that changes if the state does not fit.
    ///
    /// # Errors
    /// The limit that is hit.
    pub(crate) fn token(&self, state: &[u32], batch: &mut Batch) -> Result<u64, Limit> {
        loop {
            match batch.format.token(state, &mut batch.near) {
                Ok(token) => return Ok(token),
                Err(misfit) => self.follow(self.seen.widen(&batch.format, misfit)?, batch)?,
            }
        }
    }

    /// Turns the tokens of a batch into those of another format, or of a later one.
    ///
    /// # Errors
    /// The limit that is hit.
    fn follow(&self, mut format: Arc<Format>, batch: &mut Batch) -> Result<(), Limit> {
        let before = batch.format.clone();
        loop {
            let mut change = before.change_to(&format);
            let tokens: Result<Vec<u64>, Misfit> = batch.tokens.iter().map(|token| change.token(*token)).collect();
            match tokens {
                Ok(tokens) => {
                    (batch.tokens, batch.near, batch.format) = (tokens, format.near(), format);
                    batch.recent.clear();
                    return Ok(());
                }
                Err(misfit) => format = self.seen.widen(&format, misfit)?,
            }
        }
    }

    /// Brings a batch and a shard to one format.
    ///
    /// # Errors
    /// The limit that is hit.
    pub(crate) fn agree(&self, shard: &mut Shard, index: usize, batch: &mut Batch) -> Result<(), Limit> {
        while shard.format.version != batch.format.version {
            if shard.format.version > batch.format.version {
                self.follow(self.seen.format(), batch)?;
            } else if let Err(misfit) = self.seen.bring(shard, index, &batch.format, self.budget) {
                self.follow(self.seen.widen(&batch.format, misfit)?, batch)?;
            }
        }
        Ok(())
    }

    /// Puts the gathered states of one shard into the seen set.
    fn insert_into(&self, mut shard: MutexGuard<'_, Shard>, index: usize, batch: &mut Batch) -> Result<(), Limit> {
        self.agree(&mut shard, index, batch)?;
        let Batch { tokens, marks, are_new, by_shard, places, .. } = batch;
        let (indices, epoch) = (&by_shard[index], self.seen.epoch.load(Relaxed));
        let number = |i: &u32| tokens[*i as usize] >> SHARD_BITS;
        places.clear();
        places.extend(indices.iter().map(|i| shard.table.place(number(i))));
        // The processor waits for many places of memory at a time.
        std::hint::black_box(places.iter().fold(0, |sum, place| sum ^ shard.table.touch(*place)));
        for at in 0..indices.len() {
            let i = indices[at] as usize;
            are_new[i] = loop {
                match shard.table.insert(places[at], marks[i], epoch) {
                    Some(is_new) => break is_new,
                    None => self.seen.grow(&mut shard, self.budget)?,
                }
                for (place, i) in places.iter_mut().zip(indices).skip(at) {
                    *place = shard.table.place(number(i));
                }
            };
        }
        Ok(())
    }

    /// Puts the gathered states into the seen set, shard by shard.
    fn insert(&self, batch: &mut Batch) -> Result<(), Limit> {
        batch.are_new.resize(batch.tokens.len(), false);
        while let Some(shard) = batch.shards.pop() {
            // A worker that holds the lock may have lost its core: rather continue than wait.
            match self.seen.try_lock(shard) {
                Some(guard) => self.insert_into(guard, shard, batch)?,
                None => batch.busy.push(shard),
            }
        }
        while let Some(shard) = batch.busy.pop() {
            self.insert_into(self.seen.lock(shard), shard, batch)?;
        }
        Ok(())
    }

    /// The new states of a batch wait; their words are kept for a look at them.
    fn wait(&self, batch: &mut Batch) -> Result<u64, Limit> {
        let Batch { format, tokens, are_new, words, .. } = batch;
        let mut is_new = are_new.iter();
        tokens.retain(|_| is_new.next().is_some_and(|is_new| *is_new));
        self.read(format, tokens, words);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.iter().try_for_each(|token| found.push(format, *token))?;
        self.n_waiting.fetch_add(tokens.len() as u64, Relaxed);
        Ok(tokens.len() as u64)
    }
}

impl Batch {
    /// Whether a token was gathered not long ago. From now on it was.
    #[inline]
    fn is_recent(&mut self, token: u64) -> bool {
        if self.recent.is_empty() {
            // A short search does not pay for it.
            if self.n_put < self.n_recent || self.n_recent == 0 {
                return false;
            }
            self.recent.resize(self.n_recent, NO_TOKEN);
        }
        let row = (token.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (self.recent.len() - 1);
        std::mem::replace(&mut self.recent[row], token) == token
    }

    /// Forgets what was gathered.
    fn clear(&mut self) {
        self.n_put += self.tokens.len();
        self.tokens.clear();
        self.marks.clear();
        self.are_new.clear();
        self.shards.clear();
        self.busy.clear();
        self.by_shard.iter_mut().for_each(Vec::clear);
    }
}

impl Store for InMemory<'_> {
    type Batch = Batch;

    fn batch(&self) -> Batch {
        let format = self.seen.format();
        Batch {
            near: format.near(),
            format,
            tokens: Vec::new(),
            marks: Vec::new(),
            are_new: Vec::new(),
            by_shard: vec![Vec::new(); crate::seen::N_SHARDS],
            shards: Vec::new(),
            busy: Vec::new(),
            places: Vec::new(),
            words: Vec::new(),
            recent: Vec::new(),
            n_recent: self.n_recent,
            n_put: 0,
            limit: None,
        }
    }

    fn gather(&self, parent: Option<&[u32]>, states: &Successors, batch: &mut Batch) {
        let parent = parent.map_or(0, |parent| mark(hash(parent)));
        for (state, _) in states.iter() {
            let token = match self.token(state, batch) {
                Ok(token) => token,
                Err(limit) => {
                    batch.limit = Some(limit);
                    return;
                }
            };
            if batch.is_recent(token) {
                continue;
            }
            let shard = shard_of(token);
            if batch.by_shard[shard].is_empty() {
                batch.shards.push(shard);
            }
            batch.by_shard[shard].push(batch.tokens.len() as u32);
            batch.tokens.push(token);
            batch.marks.push(parent);
        }
    }

    fn n_gathered(batch: &Batch) -> usize {
        batch.tokens.len()
    }

    fn put(&self, batch: &mut Batch, mut visit: impl FnMut(&[u32])) -> Put {
        let mut limit = batch.limit.take();
        limit = limit.or(self.insert(batch).err());
        let n_new = self.wait(batch).unwrap_or_else(|hit| {
            limit = limit.or(Some(hit));
            0
        });
        if n_new > 0 {
            batch.words.chunks_exact(self.state_len.max(1)).for_each(&mut visit);
        }
        batch.clear();
        Put { n_new, limit }
    }

    fn hand_in(&self, _: &mut Batch) {}

    fn next_level(&self) -> bool {
        let found = std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner));
        let level = Level::new(found);
        let has_some = level.len() > 0;
        if has_some {
            *self.level.write().unwrap_or_else(PoisonError::into_inner) = level;
            self.next_chunk.store(0, Relaxed);
            self.seen.begin_level();
        }
        has_some
    }

    fn take(&self) -> Option<Vec<u32>> {
        let level = self.level.read().unwrap_or_else(PoisonError::into_inner);
        let chunk = level.take(self.next_chunk.fetch_add(1, Relaxed))?;
        self.n_waiting.fetch_sub(chunk.tokens.len() as u64, Relaxed);
        let mut words = Vec::new();
        self.read(&chunk.format, &chunk.tokens, &mut words);
        Some(words)
    }

    fn n_waiting(&self) -> u64 {
        let n_chunks = self.level.read().unwrap_or_else(PoisonError::into_inner).len();
        (n_chunks.saturating_sub(self.next_chunk.load(Relaxed)) * CHUNK) as u64
    }

    fn parent(&self, state: &[u32], level: usize, mut is_it: impl FnMut(&[u32]) -> bool) -> Option<Vec<u32>> {
        let mut batch = self.batch();
        let token = self.token(state, &mut batch).ok()?;
        let marked = {
            let mut shard = self.seen.lock(shard_of(token));
            self.agree(&mut shard, shard_of(token), &mut batch).ok()?;
            let token = self.token(state, &mut batch).ok()?;
            shard.table.find(token >> SHARD_BITS).expect("every state of a path is stored").mark
        };
        let mut by_level = self.by_level.lock().unwrap_or_else(PoisonError::into_inner);
        if !by_level.levels.contains(&level) {
            *by_level = ByLevel::up_to(&self.seen, level).ok()?;
        }
        let (mut least, mut n_agree, mut words) = (None::<Vec<u32>>, 0, Vec::new());
        for (format, tokens) in by_level.of(level).from(0) {
            self.read(format, tokens, &mut words);
            for other in words.chunks_exact(self.state_len.max(1)) {
                // The least: so the path does not depend on where states are in their shards.
                if mark(hash(other)) == marked && least.as_deref().is_none_or(|least| other < least) && is_it(other) {
                    least = Some(other.to_vec());
                    n_agree += 1;
                }
                if n_agree == MOST_PARENTS {
                    return least;
                }
            }
        }
        least
    }

    fn bytes(&self) -> u64 {
        self.seen.bytes() + self.n_waiting.load(Relaxed) * size_of::<u64>() as u64
    }
}
