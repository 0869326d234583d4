//! Races: two accesses to a cell by different threads, one of them a write and one of them plain, of which none happens before the other.
//!
//! A part of a consistent execution that is closed under `sb ∪ rf` has the same happens-before between its events. So every race of an
//! execution is met when the later of its accesses is added last, and then it is enough to know for each kind of access of each
//! thread whether the *last* one
//! happens before: the earlier ones happen before that. This is the idea of FastTrack (Flanagan and Freund, PLDI 2009); one bit in each view
//! is enough here, because a new access resets it in all views but its own thread's.

use crate::profile::{Mark, Profile};
use crate::state::Histories;

impl Histories {
    /// Notes an access, which knows all that happens before it; and what it races with, if there is any.
    pub(crate) fn mark(&mut self, profile: &Profile, mark: Mark) -> Option<Mark> {
        let known = self.threads[mark.thread].current.part(profile.shape().marks());
        let unknown = profile.marks.iter().zip(known).filter(|(_, is_known)| **is_known == 0).map(|(other, _)| *other);
        let race = unknown.into_iter().find(|other| other.conflicts(mark));
        let Ok(index) = profile.marks.binary_search(&mark) else { return race };
        let at = profile.shape().marks().start + index;
        self.views_mut().for_each(|view| view.0[at] = 0);
        let own = &mut self.threads[mark.thread];
        [&mut own.current, &mut own.acquired].into_iter().for_each(|view| view.0[at] = 1);
        race
    }
}
