//! Abstract state and stopped worlds, as far as they order memory.

use crate::access::{Access, Next};
use crate::profile::Profile;
use crate::state::{Histories, Knowledge};

/// In place of a cell: the hidden one that ordered regions read and write.
const HIDDEN: usize = u16::MAX as usize;

impl Histories {
    /// The state after `thread` has begun an ordered region: it acquires from the last one and releases to the next.
    pub fn region(&self, profile: &Profile, thread: usize) -> Histories {
        let mut next = self.clone();
        let knowledge = &mut next.threads[thread];
        knowledge.change_cell(profile, HIDDEN);
        knowledge.current.join(&next.region);
        knowledge.acquired.join(&next.region);
        next.region = knowledge.current.clone();
        next.prune(profile);
        next
    }

    /// The state after `access`, which its ordered region releases to the next one; none if RC11 forbids it.
    pub fn access_inside(&self, profile: &Profile, access: Access) -> Option<Next> {
        let mut next = self.access(profile, access)?;
        next.state.region.join(&next.state.threads[access.thread].current);
        next.state.prune(profile);
        Some(next)
    }

    /// The state in which `thread` has ended: what it knows no longer matters.
    pub fn end(&self, profile: &Profile, thread: usize) -> Histories {
        let mut next = self.clone();
        next.threads[thread] = Knowledge::ended(profile.shape());
        next.prune(profile);
        next
    }

    /// The state in which the world has stopped: all threads know all that any knows.
    pub fn stop_the_world(&self, profile: &Profile) -> Histories {
        let mut next = self.clone();
        let mut all = next.region.clone();
        for knowledge in next.threads.iter_mut().filter(|knowledge| !knowledge.has_ended) {
            knowledge.change_cell(profile, HIDDEN);
            all.join(&knowledge.current);
        }
        all.part_mut(profile.shape().marks()).fill(1);
        for (cell, history) in next.cells.iter().enumerate() {
            all.see(cell, history.messages.len() - 1);
        }
        for knowledge in next.threads.iter_mut().filter(|knowledge| !knowledge.has_ended) {
            knowledge.current = all.clone();
            knowledge.acquired.join(&all);
        }
        next.region = all;
        next.prune(profile);
        next
    }

    /// The state in which the last write to `cell` has written `value` instead: where all threads know it, that is as good as another write.
    pub fn overwrite(&self, cell: usize, value: i32) -> Histories {
        let mut next = self.clone();
        next.cells[cell].messages.iter_mut().next_back().into_iter().for_each(|message| message.value = value);
        next
    }
}
