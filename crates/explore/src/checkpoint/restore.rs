//! Reads a checkpoint back into a store in memory.

use super::journal::{Frames, NOTES, ROWS, WAITING};
use super::manifest::Manifest;
use super::{Checkpoint, Unusable, journal_path};
use crate::frontier::{Chunk, Segment};
use crate::memory::InMemory;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
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
    let mut store = InMemory::with_shards(system.state_len(), manifest.levels.len(), budget);
    let level = (manifest.depth as u32).saturating_sub(1);
    let mut chunks = Vec::new();
    let mut frames = Frames::open(&journal_path(&checkpoint.folder, checkpoint.phase), manifest.extent)?;
    let (mut n_chunks, mut is_foreign) = (0, false);
    while let Some(frame) = frames.next()? {
        let taken_over = match frame.kind {
            ROWS => store.read_rows(frame.head as usize, frame.bytes),
            NOTES => system.read_notes(&mut &*frame.bytes),
            WAITING => {
                n_chunks += u64::from(frame.head == level);
                if frame.head == level && n_chunks > manifest.n_taken {
                    chunks.push(words(frame.bytes));
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
    if is_foreign || n_states != manifest.states || store.begin_at(&manifest.levels, chunks).is_none() {
        return Err(match budget.and_then(Budget::look) {
            Some(limit) => Unusable(format!("the checkpoint cannot be read within the limits: {}", limit.name())),
            None => frames.damaged("its content does not fit together"),
        });
    }
    Ok(Some((store, manifest)))
}

fn words(bytes: &[u8]) -> Chunk {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

impl<'a> InMemory<'a> {
    fn n_states(&self) -> u64 {
        (0..self.seen.n_shards()).map(|shard| self.seen.lock(shard).states().len() as u64).sum()
    }

    /// Appends some states to a shard.
    fn read_rows(&self, shard: usize, piece: &[u8]) -> Option<()> {
        if shard >= self.seen.n_shards() {
            return None;
        }
        self.seen.lock(shard).states().read_rows(piece, self.budget)
    }

    /// Goes to where a search was: these states wait, and the states found last wait for the next level.
    fn begin_at(&mut self, levels: &[Vec<usize>], chunks: Vec<Chunk>) -> Option<()> {
        let mut found = Segment::default();
        let n_waiting: usize = chunks.iter().map(Vec::len).sum();
        for (shard, levels) in levels.iter().enumerate() {
            let last = *levels.last()?;
            let mut shard = self.seen.lock(shard);
            let mut state = vec![0; self.state_len];
            let end = shard.end();
            let states = shard.states();
            for position in states.positions(last..end) {
                states.read(position, &mut state);
                found.push(&state).then_some(())?;
                self.waiting_bytes.fetch_add(4 * self.state_len as u64, Relaxed);
            }
            shard.set_levels(levels.clone());
        }
        self.waiting_bytes.fetch_add(4 * n_waiting as u64, Relaxed);
        *self.level.write().unwrap_or_else(PoisonError::into_inner) = crate::frontier::Level::of(chunks);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(found);
        Some(())
    }
}
