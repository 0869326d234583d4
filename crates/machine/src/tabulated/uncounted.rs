//! What a step has reached that is not counted yet.
//!
//! A way through a region is a step only if it leaves the region: an `assume` behind a `cover` may be false (semantics 3.3).
//! So what is reached inside is carried to where the region is left, and counts there.

use crate::tabulated::info::MoveResult;
use crate::tabulated::locals::Locals;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use system::Reached;

/// What a move reaches, way by way. It counts only if the step exists.
pub(crate) struct ReachedOnWays {
    pub(crate) ways: Box<[Reached]>,
    /// On ways that the program discards, if there are any.
    pub(crate) cut: Option<Reached>,
    /// Whether all of it is known to be counted: then no one asks again.
    pub(crate) is_counted: AtomicBool,
}

/// What a step has reached that is not counted yet; mostly nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uncounted(Option<Box<Reached>>);

impl Uncounted {
    /// What it is, if it is anything.
    pub(crate) fn get(&self) -> Option<&Reached> {
        self.0.as_deref()
    }

    /// Whether it is nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// This and `more`.
    pub(crate) fn and(&self, more: Option<&Reached>) -> Self {
        let mut both = self.clone();
        more.into_iter().for_each(|more| both.0.get_or_insert_default().add_all(more));
        both
    }

    /// Adds all of `other`; whether that is more than there was.
    pub(crate) fn take_in(&mut self, other: &Uncounted) -> bool {
        let Some(other) = other.get() else { return false };
        let own = self.0.get_or_insert_default();
        let is_more = !own.has_all(other);
        own.add_all(other);
        is_more
    }
}

impl Locals {
    /// Counts what a step has reached.
    pub(crate) fn count(&self, reached: &Uncounted) {
        reached.get().into_iter().for_each(|reached| self.counted.add_all(reached));
    }

    /// What a step has reached that is not counted yet: `before`, and on the way at `index` of a move.
    pub(crate) fn uncounted(&self, before: &Uncounted, result: &MoveResult, index: usize) -> Uncounted {
        before.and(result.reached.as_ref().map(|reached| &reached.ways[index]).filter(|new| !self.counted.has_all(new)))
    }

    /// As `uncounted`, on the ways of a move that the program discards: they are no steps, but what they have reached counts.
    pub(crate) fn uncounted_cut(&self, before: &Uncounted, result: &MoveResult) -> Uncounted {
        match result.reached.as_ref().and_then(|reached| reached.cut.as_ref()) {
            Some(cut) => before.and(Some(cut).filter(|new| !self.counted.has_all(new))),
            None => Uncounted::default(),
        }
    }

    /// Whether a move has no more to count: all that it reaches is counted, and no way is discarded.
    pub(crate) fn is_counted(&self, result: &MoveResult) -> bool {
        let look = |reached: &ReachedOnWays| {
            let is_counted = reached.cut.is_none() && reached.ways.iter().all(|way| self.counted.has_all(way));
            reached.is_counted.store(is_counted, Relaxed);
            is_counted
        };
        result.reached.as_deref().is_none_or(|reached| reached.is_counted.load(Relaxed) || look(reached))
    }

    /// What was reached by steps so far.
    pub(crate) fn reached(&self) -> Reached {
        self.counted.get()
    }
}
