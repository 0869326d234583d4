//! The slots that refer to a region while it moves, in the order of what they refer to.
//!
//! Each slot is looked at once, not once for every batch: a look takes its line from the mutator that wrote it. That is enough,
//! because a mutator that gives a slot another reference logs it, and it is remembered again, at the end.

use crate::access::Access;
use crate::collector::Collector;
use crate::method::Method;
use crate::mutator::plain;
use heap::{Addr, RegionId};
use std::ops::Range;

/// The slots of one region that moves.
pub(super) struct Slots {
    pub(super) region: RegionId,
    /// How many of the remembered ones are in `by_target`.
    n_seen: usize,
    /// What each referred to when it was looked at, and the slot; ascending.
    by_target: Vec<(u64, Addr)>,
}

impl Slots {
    /// Of a region of which no object has moved.
    pub(super) fn of(region: RegionId) -> Slots {
        Slots { region, n_seen: 0, by_target: Vec::new() }
    }

    /// Those that refer to an object in this range now, each once, by their addresses. Not those of originals in front of its
    /// end: they have moved, or move with it.
    pub(super) fn into<M: Method>(&mut self, collector: &mut Collector<'_, M>, targets: &Range<u64>) -> Vec<Addr> {
        self.look(collector);
        let gone = collector.world.heap.regions.start(self.region).word()..targets.end;
        let [from, to] = [targets.start, targets.end].map(|end| self.by_target.partition_point(|(at, _)| *at < end));
        let known = self.by_target[from..to].iter().map(|(_, slot)| *slot);
        let mut slots: Vec<Addr> = known.filter(|slot| !gone.contains(&slot.word())).collect();
        slots.sort_unstable();
        slots.dedup();
        slots.retain(|slot| targets.contains(&plain(collector.access.load(*slot))));
        slots
    }

    /// Looks at the slots that were remembered since.
    fn look<M: Method>(&mut self, collector: &mut Collector<'_, M>) {
        let slots = collector.slots_since(self.region, self.n_seen);
        self.n_seen = collector.remembered[self.region.0 as usize].len();
        if slots.is_empty() {
            return;
        }
        self.by_target.extend(slots.into_iter().map(|slot| (plain(collector.access.load(slot)), slot)));
        // Mostly in order: the stable sort takes advantage of that.
        self.by_target.sort();
    }
}
