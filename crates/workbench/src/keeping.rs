//! Where the searches of one question keep their states.

use explore::{
    Checkpoint, Control, Disk, EveryResult, SearchOptions, SearchResult, Unusable, phase_in, search, search_every,
    search_every_in, search_every_saving, search_in, search_saving,
};
use machine::{Compiled, LateReads};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use system::{TransitionSystem, Verdict};

/// Bytes that a store on disk has in memory for what a level finds.
const LEAST_TABLE: u64 = 1 << 20;
const LARGEST_TABLE: u64 = 1 << 28;

/// Others who search, in place of this process alone.
pub trait Elsewhere: Send + Sync {
    /// The search that they have a checkpoint of; none if there is no checkpoint.
    ///
    /// # Errors
    /// If a checkpoint that is there cannot be continued.
    fn begun(&self) -> Result<Option<LateReads>, Unusable>;

    /// Searches up to the first violation, or for the violations of every property.
    ///
    /// # Errors
    /// If a checkpoint that is there cannot be continued.
    fn search(
        &self,
        system: &Compiled<'_>,
        late_reads: LateReads,
        is_every: bool,
        options: &SearchOptions,
        control: &Control<'_>,
    ) -> Result<EveryResult, Unusable>;
}

/// Where the searches of one question keep their states.
#[derive(Clone, Default)]
pub enum Keeping {
    /// In memory.
    #[default]
    Memory,
    /// In memory, with checkpoints in a folder of its own. What the folder has is continued.
    Saved {
        /// The folder, which exists.
        folder: PathBuf,
        /// The time between two checkpoints.
        every: Duration,
        /// What is asked: a checkpoint of another question is refused.
        identity: u64,
    },
    /// On disk, below a folder.
    Disk(PathBuf),
    /// With others.
    Elsewhere(Arc<dyn Elsewhere>),
}

/// The searches that may answer one question, in the order in which one gives way to the next.
fn phase(late_reads: LateReads) -> u32 {
    match late_reads {
        LateReads::WhenLarge => 0,
        LateReads::Always => 1,
        LateReads::Never => 2,
    }
}

impl Keeping {
    /// The search that a checkpoint is of; none if there is no checkpoint.
    pub(crate) fn begun(&self) -> Result<Option<LateReads>, Unusable> {
        if let Keeping::Elsewhere(others) = self {
            return others.begun();
        }
        let Keeping::Saved { folder, identity, .. } = self else { return Ok(None) };
        let number = phase_in(folder, *identity)?;
        let all = [LateReads::WhenLarge, LateReads::Always, LateReads::Never];
        Ok(all.into_iter().find(|late_reads| Some(phase(*late_reads)) == number))
    }

    fn checkpoint(&self, late_reads: LateReads) -> Option<Checkpoint> {
        let Keeping::Saved { folder, every, identity } = self else { return None };
        Some(Checkpoint { folder: folder.clone(), every: *every, identity: *identity, phase: phase(late_reads) })
    }

    /// Searches up to the first violation.
    pub(crate) fn search(
        &self,
        system: &Compiled<'_>,
        late_reads: LateReads,
        options: &SearchOptions,
        control: &Control<'_>,
    ) -> Result<SearchResult, Unusable> {
        match (self, self.checkpoint(late_reads)) {
            (_, Some(checkpoint)) => search_saving(system, options, control, &checkpoint),
            (Keeping::Disk(folder), _) => Ok(search_in(&disk(folder, system, options)?, system, options, control)),
            (Keeping::Elsewhere(others), _) => {
                Ok(first_of(others.search(system, late_reads, false, options, control)?))
            }
            _ => Ok(search(system, options, control)),
        }
    }

    /// Searches for the violations of every property.
    pub(crate) fn search_every(
        &self,
        system: &Compiled<'_>,
        options: &SearchOptions,
        control: &Control<'_>,
    ) -> Result<EveryResult, Unusable> {
        match (self, self.checkpoint(LateReads::Never)) {
            (_, Some(checkpoint)) => search_every_saving(system, options, control, &checkpoint),
            (Keeping::Disk(folder), _) => {
                Ok(search_every_in(&disk(folder, system, options)?, system, options, control))
            }
            (Keeping::Elsewhere(others), _) => others.search(system, LateReads::Never, true, options, control),
            _ => Ok(search_every(system, options, control)),
        }
    }
}

/// The result up to the first violation.
fn first_of(found: EveryResult) -> SearchResult {
    let EveryResult { violated, limit, statistics, reached } = found;
    let verdict = match (violated.into_iter().next(), limit) {
        (Some((property, path)), _) => Verdict::Violated { property, path },
        (None, Some(limit)) => Verdict::Inconclusive(limit),
        (None, None) => Verdict::Holds,
    };
    SearchResult { verdict, statistics, reached }
}

/// A store on disk whose table takes a part of the memory that there is.
fn disk<'s>(folder: &Path, system: &'s Compiled<'_>, options: &SearchOptions) -> Result<Disk<'s>, Unusable> {
    let table_bytes = options.limits.max_bytes.map_or(LARGEST_TABLE, |max| (max / 4).clamp(LEAST_TABLE, LARGEST_TABLE));
    let disk = Disk::new(folder, system.state_len(), table_bytes, system.budget());
    disk.map_err(|error| Unusable(format!("cannot write to `{}`: {error}", folder.display())))
}
