//! A search that can be killed and continued: its states and what it knows, in a folder.
//!
//! `journal` is a file to which each checkpoint appends what is new: states, what the system has numbered, states of the level that wait.
//! `manifest` says how much of the journal counts, and has the few numbers that change; it is written beside and renamed. So a
//! process that is killed at any moment leaves the last checkpoint whole. `save` and `restore` go between these and a search.
//! `rows` is the form of stored states.
//! Everything read is held against checksums.

pub(crate) mod journal;
pub(crate) mod manifest;
pub(crate) mod restore;
mod rows;
pub(crate) mod save;

use manifest::Manifest;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a search writes checkpoints, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The folder, which exists. A checkpoint that is there is continued.
    pub folder: PathBuf,
    /// The time between two.
    pub every: Duration,
    /// What is searched: a checkpoint of something else is refused.
    pub identity: u64,
    /// Which search of several that answer one question; each begins a checkpoint of its own.
    pub phase: u32,
}

/// Why a checkpoint cannot be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable(pub String);

impl Unusable {
    pub(crate) fn damaged(path: &Path, what: &str) -> Self {
        Unusable(format!("`{}` is damaged: {what}", path.display()))
    }

    pub(crate) fn unread(path: &Path, error: &std::io::Error) -> Self {
        Unusable(format!("cannot read `{}`: {error}", path.display()))
    }
}

/// The phase of the checkpoint in a folder; none if there is no checkpoint.
///
/// # Errors
/// If what is there is damaged, or of another search.
pub fn phase_in(folder: &Path, identity: u64) -> Result<Option<u32>, Unusable> {
    Ok(Manifest::read(folder, identity)?.map(|manifest| manifest.phase))
}

/// The journal of a phase.
fn journal_path(folder: &Path, phase: u32) -> PathBuf {
    folder.join(format!("journal-{phase}"))
}

/// A number that depends on every bit of `bytes` and on `seed`.
pub fn checksum(seed: u64, bytes: &[u8]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(K).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(step(K, seed), |sum, word| step(sum, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let sum = step(step(sum, u64::from_le_bytes(last)), bytes.len() as u64);
    sum ^ sum >> 32
}
