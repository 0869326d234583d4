//! The states of some levels, level by level, read off the shards.
//!
//! States are stored by hash, so to find those of one level all are read. A path goes through all levels; so as many levels as have few
//! states are read at once.

use crate::frontier::Found;
use crate::seen::{N_SHARDS, SeenSet, token_of};
use std::ops::Range;
use std::sync::PoisonError;
use system::Limit;

/// States that are read at once, at least: and one in so many of all.
const FEW: u64 = 1 << 20;
const PART: u64 = 16;

/// The states of some levels.
#[derive(Default)]
pub(crate) struct ByLevel {
    pub(crate) levels: Range<usize>,
    states: Vec<Found>,
}

impl ByLevel {
    /// Those of a level and of as many before it as have few states.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn up_to(seen: &SeenSet, last: usize) -> Result<Self, Limit> {
        let starts = seen.levels.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let level_of = |epoch: u32| starts.partition_point(|start| *start <= epoch) - 1;
        let mut n_states = vec![0u64; starts.len()];
        each_epoch(seen, |epoch| n_states[level_of(epoch)] += 1);
        let most = FEW.max(n_states.iter().sum::<u64>() / PART);
        let (mut first, mut n) = (last, n_states[last]);
        while first > 0 && n + n_states[first - 1] <= most {
            first -= 1;
            n += n_states[first];
        }
        let mut states: Vec<Found> = (first..=last).map(|_| Found::default()).collect();
        for index in 0..N_SHARDS {
            let shard = seen.lock(index);
            for entry in shard.table.iter() {
                let level = level_of(entry.epoch);
                if (first..=last).contains(&level) {
                    states[level - first].push(&shard.format, token_of(index, entry.number))?;
                }
            }
        }
        Ok(ByLevel { levels: first..last + 1, states })
    }

    /// The states of one of the levels.
    pub(crate) fn of(&self, level: usize) -> &Found {
        &self.states[level - self.levels.start]
    }
}

/// Calls `visit` with the epoch of every state.
fn each_epoch(seen: &SeenSet, mut visit: impl FnMut(u32)) {
    for index in 0..N_SHARDS {
        seen.lock(index).table.iter().for_each(|entry| visit(entry.epoch));
    }
}
