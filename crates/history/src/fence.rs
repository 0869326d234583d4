//! Fences.

use crate::clock::{join, widen};
use crate::profile::Profile;
use crate::state::{Histories, Knowledge};
use memory::Fence;

impl Histories {
    /// The state after a fence of `thread`. A store-store fence is a release fence: C++ has none that is weaker.
    pub fn fence(&self, profile: &Profile, thread: usize, fence: Fence) -> Histories {
        let mut next = self.clone();
        let knowledge = &mut next.threads[thread];
        if matches!(fence, Fence::Acquire | Fence::Full) {
            knowledge.current = knowledge.acquired.clone();
        }
        knowledge.run = None;
        if profile.has_sc_accesses {
            knowledge.pass(profile);
        }
        if fence == Fence::Full {
            next.full_fence(profile, thread);
        }
        if fence != Fence::Acquire {
            let Knowledge { current, released, sequences, .. } = &mut next.threads[thread];
            *released = current.clone();
            sequences.clear();
        }
        next.prune(profile);
        next
    }

    /// A seq_cst fence, as far as other seq_cst events are concerned.
    fn full_fence(&mut self, profile: &Profile, thread: usize) {
        let shape = profile.shape();
        let node = self.order_fence(profile, thread);
        let Knowledge { current, acquired, own, .. } = &mut self.threads[thread];
        join(own, &node.sources);
        join(current.part_mut(shape.fences()), &node.sources);
        join(acquired.part_mut(shape.fences()), &node.sources);
        for (cell, history) in self.cells.iter_mut().enumerate() {
            for gap in &mut history.gaps[..=current.written(shape, cell)] {
                widen(&mut gap.targets, &node.targets);
            }
            for gap in &mut history.gaps[..=current.seen(cell)] {
                widen(&mut gap.fence_targets, &node.targets);
            }
        }
    }
}
