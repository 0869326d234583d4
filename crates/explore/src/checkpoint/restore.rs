//! Reads a checkpoint back into a store in memory.

use super::journal::{FOUND, Frames, NOTES, ROWS, WAITING};
use super::manifest::Manifest;
use super::{Checkpoint, Unusable, journal_path, rows};
use crate::compact::format::SHARD_BITS;
use crate::frontier::{Found, Level};
use crate::memory::{Batch, InMemory};
use crate::seen::shard_of;
use crate::store::Store;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use system::{Budget, TransitionSystem};

/// The store and the manifest of the checkpoint that is to be continued; none if there is none of this phase.
///
/// # Errors
/// If the checkpoint is damaged, of another search, or does not fit into memory.
pub(crate) fn restore<'a, S: TransitionSystem + ?Sized>(
    system: &S,
    checkpoint: &Checkpoint,
    budget: Option<&'a Budget>,
) -> Result<Option<(InMemory<'a>, Manifest)>, Unusable> {
    let manifest = Manifest::read(&checkpoint.folder, checkpoint.identity)?;
    let Some(manifest) = manifest.filter(|manifest| manifest.phase == checkpoint.phase) else { return Ok(None) };
    let mut store = InMemory::new(system.state_len(), budget);
    let mut batch = store.batch();
    let level = (manifest.depth as u32).saturating_sub(1);
    let (mut waiting, mut found) = (Vec::new(), Vec::new());
    let mut frames = Frames::open(&journal_path(&checkpoint.folder, checkpoint.phase), manifest.extent)?;
    let (mut n_chunks, mut is_foreign) = (0, false);
    while let Some(frame) = frames.next()? {
        let taken_over = match frame.kind {
            ROWS => store.read_rows(frame.head as usize, frame.bytes, &mut batch),
            NOTES => system.read_notes(&mut &*frame.bytes),
            WAITING => {
                n_chunks += u64::from(frame.head == level);
                if frame.head == level && n_chunks > manifest.n_taken {
                    waiting.push(words(frame.bytes));
                }
                Some(())
            }
            FOUND => {
                if frame.head == level {
                    found.push(words(frame.bytes));
                }
                Some(())
            }
            _ => None,
        };
        is_foreign |= taken_over.is_none();
        if is_foreign {
            break;
        }
    }
    let n_states = store.n_states();
    if is_foreign || n_states != manifest.states || store.begin_at(&manifest, &waiting, &found, &mut batch).is_none() {
        return Err(match budget.and_then(Budget::look) {
            Some(limit) => Unusable(format!("the checkpoint cannot be read within the limits: {}", limit.name())),
            None => frames.damaged("its content does not fit together"),
        });
    }
    Ok(Some((store, manifest)))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

impl InMemory<'_> {
    fn n_states(&self) -> u64 {
        (0..crate::seen::N_SHARDS).map(|shard| self.seen.lock(shard).table.len() as u64).sum()
    }

    /// Takes over some states.
    fn read_rows(&self, n_states: usize, piece: &[u8], batch: &mut Batch) -> Option<()> {
        rows::read(n_states, piece, self.state_len, |state, epoch, mark| {
            let index = shard_of(self.token(state, batch).ok()?);
            let mut shard = self.seen.lock(index);
            self.agree(&mut shard, index, batch).ok()?;
            let number = self.token(state, batch).ok()? >> SHARD_BITS;
            self.seen.epoch.fetch_max(epoch, Relaxed);
            loop {
                let place = shard.table.place(number);
                match shard.table.insert(place, mark, epoch) {
                    Some(is_new) => return is_new.then_some(()),
                    None => self.seen.grow(&mut shard, self.budget).ok()?,
                }
            }
        })
    }

    /// Goes to where a search was: these states wait, and the states found last wait for the next level.
    fn begin_at(
        &mut self,
        manifest: &Manifest,
        waiting: &[Vec<u32>],
        found: &[Vec<u32>],
        batch: &mut Batch,
    ) -> Option<()> {
        let levels: Option<Vec<u32>> = manifest.levels.iter().map(|epoch| u32::try_from(*epoch).ok()).collect();
        *self.seen.levels.lock().unwrap_or_else(PoisonError::into_inner) = levels?;
        self.seen.epoch.store(manifest.epoch.try_into().ok()?, Relaxed);
        let level = Level::new(self.tokens(waiting, batch)?);
        // Chunks are counted, so they must be those that were written.
        if level.len() != waiting.len() {
            return None;
        }
        *self.level.write().unwrap_or_else(PoisonError::into_inner) = level;
        let found = self.tokens(found, batch)?;
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
        Some(())
    }

    /// The states with these words, which wait.
    fn tokens(&self, chunks: &[Vec<u32>], batch: &mut Batch) -> Option<Found> {
        let n_states = chunks.iter().map(|words| words.len() / self.state_len.max(1)).sum::<usize>();
        loop {
            let (format, mut found) = (batch.format.clone(), Found::default());
            for words in chunks {
                for state in words.chunks_exact(self.state_len.max(1)) {
                    let token = self.token(state, batch).ok()?;
                    found.push(&batch.format, token).ok()?;
                }
                found.end_chunk();
            }
            // A chunk has one format.
            if Arc::ptr_eq(&format, &batch.format) {
                self.n_waiting.fetch_add(n_states as u64, Relaxed);
                return Some(found);
            }
        }
    }
}
