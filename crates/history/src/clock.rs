//! Sets of seq_cst events, closed under the order `psc` that RC11 demands among them.
//!
//! The seq_cst events of a thread are ordered by `psc`, so a set that is closed downwards is known by its last event of each thread, and one that is
//! closed upwards by its first. Events are numbered from 1 in each thread; 0 is no event in the former, `NONE` in the latter.
//! A set that is never asked for has length 0.

/// No event.
pub(crate) const NONE: u16 = u16::MAX;

/// A set of events with all that come before them: what a later event comes after.
pub(crate) type Sources = [u16];

/// A set of events with all that come after them: what a later event may come before.
pub(crate) type Targets = [u16];

/// Adds to a set of sources.
pub(crate) fn join(set: &mut Sources, other: &Sources) {
    set.iter_mut().zip(other).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
}

/// Adds to a set of targets.
pub(crate) fn widen(set: &mut Targets, other: &Targets) {
    set.iter_mut().zip(other).for_each(|(mine, theirs)| *mine = (*mine).min(*theirs));
}

/// Whether an event is in both: then an edge from the sources to the targets closes a cycle.
pub(crate) fn meet(sources: &Sources, targets: &Targets) -> bool {
    sources.iter().zip(targets).any(|(last, first)| first <= last)
}
