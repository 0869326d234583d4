//! What can happen to a memory of histories.

use crate::access::{Access, Next};
use crate::profile::Profile;
use crate::state::Histories;
use memory::Fence;

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// Nothing that concerns memory.
    Nothing,
    /// An access.
    Access(Access),
    /// An access inside an ordered region.
    Inside(Access),
    /// A fence of a thread.
    Fence(usize, Fence),
    /// A thread begins an ordered region.
    Region(usize),
    /// The world has stopped.
    StopTheWorld,
    /// While the world is stopped, a cell gets a value.
    Overwrite(usize, i32),
    /// A thread has ended.
    End(usize),
}

impl Histories {
    /// The state after an event; none if RC11 forbids it.
    pub fn after(&self, profile: &Profile, event: Event) -> Option<Next> {
        let whole = |state: Histories| Some(Next { state, is_cut: false, race: None });
        match event {
            Event::Nothing => whole(self.clone()),
            Event::Access(access) => self.access(profile, access),
            Event::Inside(access) => self.access_inside(profile, access),
            Event::Fence(thread, fence) => whole(self.fence(profile, thread, fence)),
            Event::Region(thread) => whole(self.region(profile, thread)),
            Event::StopTheWorld => whole(self.stop_the_world(profile)),
            Event::Overwrite(cell, value) => whole(self.overwrite(cell, value)),
            Event::End(thread) => whole(self.end(profile, thread)),
        }
    }
}
