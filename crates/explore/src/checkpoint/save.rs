//! Writes checkpoints of a search whose store is in memory.

use super::journal::{Journal, NOTES, ROWS, WAITING};
use super::manifest::Manifest;
use super::{Checkpoint, journal_path};
use crate::breadth::Search;
use crate::memory::InMemory;
use crate::store::Store;
use std::fs;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use system::TransitionSystem;

/// Knows what the journal has, and appends the rest.
pub(crate) struct Saver<'a> {
    store: &'a InMemory<'a>,
    checkpoint: &'a Checkpoint,
    journal: Journal,
    last: Instant,
    /// For each shard, how many of its states the journal has.
    ends: Vec<usize>,
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
        let waiting = Some((level, manifest.n_taken as i64));
        Ok(Saver { ends: store.ends(), waiting, ..Self::open(store, checkpoint, manifest)? })
    }

    fn open(store: &'a InMemory<'a>, checkpoint: &'a Checkpoint, from: &Manifest) -> io::Result<Self> {
        let journal = Journal::open(&journal_path(&checkpoint.folder, checkpoint.phase), from.extent)?;
        let (ends, noted) = (vec![0; store.ends().len()], from.noted.clone());
        Ok(Saver { store, checkpoint, journal, last: Instant::now(), ends, noted, waiting: None })
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
        self.append_states()?;
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

    fn append_states(&mut self) -> io::Result<()> {
        for (shard, end) in self.ends.iter_mut().enumerate() {
            let journal = &mut self.journal;
            *end = self.store.write_rows(shard, *end, |piece| journal.append(ROWS, Some(shard as u32), piece))?;
        }
        Ok(())
    }

    /// Appends what waits on this level, unless the journal has it; how many of these chunks are expanded.
    fn append_waiting(&mut self, level: usize) -> io::Result<u64> {
        let next = self.store.next_chunk();
        if let Some((_, first)) = self.waiting.filter(|(of, _)| *of == level) {
            return Ok((next as i64 + first).max(0) as u64);
        }
        let mut bytes = Vec::new();
        for chunk in self.store.waiting_chunks() {
            bytes.clear();
            chunk.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
            self.journal.append(WAITING, Some(level as u32), &bytes)?;
        }
        self.waiting = Some((level, -(next as i64)));
        Ok(0)
    }
}
