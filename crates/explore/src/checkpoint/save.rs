//! Writes checkpoints of a search whose store is in memory.

use super::journal::{FOUND, Journal, NOTES, WAITING};
use super::manifest::Manifest;
use super::{Checkpoint, journal_path, rows};
use crate::breadth::Search;
use crate::frontier::Chunk;
use crate::memory::InMemory;
use crate::store::Store;
use std::fs;
use std::io;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use system::TransitionSystem;

/// Knows what the journal has, and appends the rest.
pub(crate) struct Saver<'a> {
    store: &'a InMemory<'a>,
    checkpoint: &'a Checkpoint,
    journal: Journal,
    last: Instant,
    /// The journal has all states of earlier epochs.
    epoch: u32,
    /// A level, and how many of the states that it has found the journal has.
    found: (usize, usize),
    noted: Vec<usize>,
    /// The level whose states the journal has, and the chunk of it that was the first in memory.
    waiting: Option<(usize, i64)>,
}

impl<'a> Saver<'a> {
    /// Begins a journal; what the folder has of an earlier phase counts until the first checkpoint is written.
    pub(crate) fn new(store: &'a InMemory<'a>, checkpoint: &'a Checkpoint) -> io::Result<Self> {
        Self::open(store, checkpoint, &Manifest::default())
    }

    /// Continues the journal that the store was restored from.
    pub(crate) fn continued(
        store: &'a InMemory<'a>,
        checkpoint: &'a Checkpoint,
        manifest: &Manifest,
    ) -> io::Result<Self> {
        let level = (manifest.depth as usize).saturating_sub(1);
        let (waiting, found) = (Some((level, manifest.n_taken as i64)), (level, store.n_found()));
        Ok(Saver { epoch: manifest.epoch as u32, waiting, found, ..Self::open(store, checkpoint, manifest)? })
    }

    fn open(store: &'a InMemory<'a>, checkpoint: &'a Checkpoint, from: &Manifest) -> io::Result<Self> {
        let journal = Journal::open(&journal_path(&checkpoint.folder, checkpoint.phase), from.extent)?;
        let noted = from.noted.clone();
        Ok(Saver { store, checkpoint, journal, last: Instant::now(), epoch: 0, found: (0, 0), noted, waiting: None })
    }

    /// Whether it is time for the next checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.checkpoint.every
    }

    /// Writes a checkpoint while no worker works.
    pub(crate) fn save<S, K>(&mut self, search: &Search<'_, S, K>) -> io::Result<()>
    where
        S: TransitionSystem + ?Sized,
        K: Store,
    {
        rows::write(&self.store.seen, self.epoch, &mut self.journal)?;
        self.epoch = self.store.seen.next_epoch();
        self.append_found(search.level())?;
        let n_taken = self.append_waiting(search.level())?;
        let mut notes = Vec::new();
        self.noted = search.system.write_notes(&self.noted, &mut notes);
        self.journal.append(NOTES, None, &notes)?;
        self.journal.sync()?;
        let statistics = search.statistics(0);
        let manifest = Manifest {
            identity: self.checkpoint.identity,
            phase: self.checkpoint.phase,
            extent: self.journal.extent,
            states: statistics.states,
            transitions: statistics.transitions,
            depth: search.depth.load(Relaxed),
            peak_bytes: statistics.peak_bytes,
            seconds: statistics.seconds,
            n_taken,
            reached: search.reached.get(),
            violations: search.violations().clone(),
            levels: self.store.levels(),
            epoch: u64::from(self.epoch),
            noted: self.noted.clone(),
        };
        manifest.write(&self.checkpoint.folder)?;
        for phase in 0..self.checkpoint.phase {
            // An earlier phase is of no more use; it may not have left anything.
            let _ = fs::remove_file(journal_path(&self.checkpoint.folder, phase));
        }
        self.last = Instant::now();
        Ok(())
    }

    /// Appends what this level has found since.
    fn append_found(&mut self, level: usize) -> io::Result<()> {
        let first = if self.found.0 == level { self.found.1 } else { 0 };
        let (mut words, mut bytes) = (Vec::new(), Vec::new());
        let found = self.store.found.lock().unwrap_or_else(PoisonError::into_inner);
        for (format, tokens) in found.from(first) {
            self.store.read(format, tokens, &mut words);
            append_words(&mut self.journal, FOUND, level, &words, &mut bytes)?;
        }
        self.found = (level, found.len());
        Ok(())
    }

    /// Appends what waits on this level, unless the journal has it; how many of these chunks are expanded.
    fn append_waiting(&mut self, level: usize) -> io::Result<u64> {
        let next = self.store.next_chunk();
        if let Some((_, first)) = self.waiting.filter(|(of, _)| *of == level) {
            return Ok((next as i64 + first).max(0) as u64);
        }
        let mut bytes = Vec::new();
        for words in self.store.waiting_chunks() {
            append_words(&mut self.journal, WAITING, level, &words, &mut bytes)?;
        }
        self.waiting = Some((level, -(next as i64)));
        Ok(0)
    }
}

/// Appends words of states of a level; `bytes` is room for them.
fn append_words(journal: &mut Journal, kind: u8, level: usize, words: &[u32], bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    journal.append(kind, Some(level as u32), bytes)
}

impl InMemory<'_> {
    /// How many states this level has found.
    fn n_found(&self) -> usize {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// For each level, its first epoch.
    fn levels(&self) -> Vec<usize> {
        let levels = self.seen.levels.lock().unwrap_or_else(PoisonError::into_inner);
        levels.iter().map(|epoch| *epoch as usize).collect()
    }

    /// The words of the chunks of the level that nobody has taken.
    fn waiting_chunks(&self) -> Vec<Vec<u32>> {
        let first = self.next_chunk();
        let words = |chunk: Chunk| {
            let mut words = Vec::new();
            self.read(&chunk.format, &chunk.tokens, &mut words);
            words
        };
        self.level.read().unwrap_or_else(PoisonError::into_inner).rest(first).map(words).collect()
    }
}
