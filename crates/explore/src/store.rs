//! Where a search keeps its states: those that were met, and those that wait to be expanded.
//!
//! A search goes level by level. Its workers take states of the level, expand them, gather what they come to, and put that away; what is new
//! waits for the next level. All that a search knows of where this happens is the trait here: memory (`memory`), or a disk, or other machines.

use system::{Limit, Successors};

/// Where the states of one search are.
///
/// What it promises: a state is in it once, and is new once; the states that wait on a level are those that were new on the level before,
/// and each is taken once. Given one worker, the order in which they are taken depends on nothing but the calls.
pub trait Store: Sync {
    /// What one worker has gathered and found.
    type Batch;

    /// What a worker begins with.
    fn batch(&self) -> Self::Batch;

    /// Gathers states that steps lead to from `parent`; initial states have none.
    fn gather(&self, parent: Option<&[u32]>, states: &Successors, batch: &mut Self::Batch);

    /// How many states are gathered.
    fn n_gathered(batch: &Self::Batch) -> usize;

    /// Puts away what is gathered. Calls `visit` with each state that is new, in the order of gathering.
    fn put(&self, batch: &mut Self::Batch, visit: impl FnMut(&[u32])) -> Put;

    /// All workers are done with the level: decides what of it is new if that was put off, and calls `visit` with it.
    fn settle(&self, visit: impl FnMut(&[u32])) -> Put {
        let _ = visit;
        Put::default()
    }

    /// The worker is done with the level: what it has found waits for the next one.
    fn hand_in(&self, batch: &mut Self::Batch);

    /// Goes on to the level of what was handed in; false if that is nothing.
    fn next_level(&self) -> bool;

    /// The words of some states of the level, for one worker; none if all are taken.
    fn take(&self) -> Option<Vec<u32>>;

    /// How many states of the level nobody has taken, about.
    fn n_waiting(&self) -> u64;

    /// A state of the level, of which `is_it` is true, that was the parent of `state` when that was new.
    fn parent(&self, state: &[u32], level: usize, is_it: impl FnMut(&[u32]) -> bool) -> Option<Vec<u32>>;

    /// The limit that names why the store cannot be relied on any more, if so.
    fn failed(&self) -> Option<Limit> {
        None
    }

    /// Bytes held, room to grow included.
    fn bytes(&self) -> u64;
}

/// The result of putting states away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Put {
    /// How many were new.
    pub n_new: u64,
    /// The limit that is hit if there was no room for all.
    pub limit: Option<Limit>,
}
