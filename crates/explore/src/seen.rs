//! The set of states seen so far, each stored once, in shards.
//!
//! Each shard is behind its own lock, so that workers seldom meet, and grows alone, so that nobody waits long. Beside a state are three bits
//! of the hash of its parent, and its epoch. An epoch is a part of a level: so the level of a state is known, and which states
//! are newer than a checkpoint.

use crate::compact::format::{Format, Misfit, SHARD_BITS};
use crate::compact::table::{Entry, MARK_BITS, Table};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use system::{Budget, Limit};

/// How many shards there are.
pub(crate) const N_SHARDS: usize = 1 << SHARD_BITS;

pub(crate) struct SeenSet {
    shards: Box<[Locked]>,
    /// The format of new tokens. Shards follow it when they are needed.
    format: RwLock<Arc<Format>>,
    /// The epoch of what is found now.
    pub(crate) epoch: AtomicU32,
    /// For each level, its first epoch.
    pub(crate) levels: Mutex<Vec<u32>>,
    bytes: AtomicU64,
}

/// A shard and its lock, on cache lines of their own: what one worker writes in its shard must not
/// slow another down in the next.
#[repr(align(128))]
struct Locked(Mutex<Shard>);

pub(crate) struct Shard {
    pub(crate) format: Arc<Format>,
    pub(crate) table: Table,
}

/// The shard of a token.
pub(crate) fn shard_of(token: u64) -> usize {
    token as usize & (N_SHARDS - 1)
}

/// The token of a number in a shard.
pub(crate) fn token_of(shard: usize, number: u64) -> u64 {
    number << SHARD_BITS | shard as u64
}

impl SeenSet {
    /// An empty set.
    pub(crate) fn new(state_len: usize) -> Self {
        let format = Arc::new(Format::new(state_len));
        let shard = |_| Locked(Mutex::new(Shard { format: format.clone(), table: Table::new(format.width) }));
        SeenSet {
            shards: (0..N_SHARDS).map(shard).collect(),
            format: RwLock::new(format.clone()),
            epoch: AtomicU32::new(0),
            levels: Mutex::new(vec![0]),
            bytes: AtomicU64::new(0),
        }
    }

    pub(crate) fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shard, unless somebody else has it.
    pub(crate) fn try_lock(&self, shard: usize) -> Option<MutexGuard<'_, Shard>> {
        match self.shards[shard].0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(e)) => Some(e.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The format of new tokens.
    pub(crate) fn format(&self) -> Arc<Format> {
        self.format.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Goes on from a format that something does not fit to one that it fits better, unless somebody has.
    ///
    /// # Errors
    /// The limit, if that is why it does not fit.
    pub(crate) fn widen(&self, from: &Format, misfit: Misfit) -> Result<Arc<Format>, Limit> {
        let (column, needed) = match misfit {
            Misfit::Narrow { column, needed } => (column, needed),
            Misfit::Limit(limit) => return Err(limit),
        };
        let mut format = self.format.write().unwrap_or_else(PoisonError::into_inner);
        if format.version == from.version {
            *format = Arc::new(from.widened(column, needed));
        }
        Ok(format.clone())
    }

    /// What is found from now on is one level further.
    pub(crate) fn begin_level(&self) {
        let epoch = self.next_epoch();
        self.levels.lock().unwrap_or_else(PoisonError::into_inner).push(epoch);
    }

    /// What is found from now on is of another epoch, this one.
    pub(crate) fn next_epoch(&self) -> u32 {
        self.epoch.fetch_add(1, Relaxed) + 1
    }

    /// Brings a shard to this format.
    ///
    /// # Errors
    /// If a state of it does not fit, or a limit is hit; then the shard stays as it is.
    pub(crate) fn bring(
        &self,
        shard: &mut Shard,
        index: usize,
        to: &Arc<Format>,
        budget: Option<&Budget>,
    ) -> Result<(), Misfit> {
        let (from, epoch) = (shard.format.clone(), self.epoch.load(Relaxed));
        let mut change = from.change_to(to);
        let mut renumber = |number| Ok::<_, Misfit>(change.token(token_of(index, number))? >> SHARD_BITS);
        let table = match shard.table.len() {
            0 => Table::new(to.width),
            _ => shard.table.rebuilt(to.width, epoch, budget, &mut renumber)?,
        };
        self.count(shard.table.bytes(), table.bytes());
        *shard = Shard { format: to.clone(), table };
        Ok(())
    }

    /// Lets a shard grow.
    ///
    /// # Errors
    /// The limit that is hit.
    pub(crate) fn grow(&self, shard: &mut Shard, budget: Option<&Budget>) -> Result<(), Limit> {
        let before = shard.table.bytes();
        shard.table.grow(self.epoch.load(Relaxed), budget)?;
        self.count(before, shard.table.bytes());
        Ok(())
    }

    fn count(&self, before: u64, after: u64) {
        self.bytes.fetch_add(after, Relaxed);
        self.bytes.fetch_sub(before, Relaxed);
    }

    /// Calls `visit` with every state of these epochs and what is stored beside it, shard by shard; ends as soon as it says so.
    pub(crate) fn each(&self, epochs: Range<u32>, mut visit: impl FnMut(&[u32], Entry) -> bool) {
        for index in 0..N_SHARDS {
            let shard = self.lock(index);
            let reader = shard.format.reader();
            let mut state = vec![0; shard.format.state_len()];
            for entry in shard.table.iter().filter(|entry| epochs.contains(&entry.epoch)) {
                reader.read(token_of(index, entry.number), &mut state);
                if !visit(&state, entry) {
                    return;
                }
            }
        }
    }

    /// Bytes held, room to grow included.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed) + self.format().bytes()
    }
}

/// The bits of a parent's hash that its children keep.
pub(crate) fn mark(hash: u64) -> u8 {
    (hash >> 12) as u8 & ((1 << MARK_BITS) - 1)
}
