//! Evacuation by whoever comes first: copy, then say so in the original's forwarding word by compare-and-swap.
//!
//! Sound only if no thread writes to the original any more: Brooks' write barrier and the read barriers see to it.

use crate::access::Access;
use crate::collector::Collector;
use crate::method::Method;
use crate::mutator::Mutator;
use crate::options::Omission;
use crate::world::{Order, World, barrier};
use heap::{Addr, Heap, Ref, RegionId, forwarding_addr};
use std::sync::atomic::Ordering;

/// Where the forwarding word says the object is.
#[inline(always)]
pub(crate) fn by_word(world: &World, object: Ref) -> Ref {
    Ref(world.heap.words.load(forwarding_addr(object)))
}

/// Makes `replica` the replica of an object; the winner, if another thread was faster.
fn install<M: Method>(heap: &Heap, object: Ref, replica: Ref) -> Result<(), Ref> {
    let words = &heap.words;
    M::Access::point();
    for field in (0..heap.shape(object).words()).filter(|field| *field != 1) {
        words.store(replica.header().plus(field), words.load(object.header().plus(field)));
    }
    words.store(forwarding_addr(replica), replica.0);
    M::Access::point();
    words.compare_exchange(forwarding_addr(object), object.0, replica.0).map_err(Ref)
}

impl<M: Method> Mutator<'_, M> {
    /// Whether an object is in the region under evacuation.
    #[inline(always)]
    pub(crate) fn is_moving(&self, object: Ref) -> bool {
        let length = self.control.length.load(Ordering::Acquire);
        object.0.wrapping_sub(self.control.low.load(Ordering::Relaxed)) < length
    }

    /// The replica of an object in that region: made now, if there is none.
    #[cold]
    pub(crate) fn evacuate(&mut self, object: Ref) -> Ref {
        let moved = by_word(self.world, object);
        if moved != object {
            return moved;
        }
        let heap = &self.world.heap;
        let words = heap.shape(object).words();
        if self.local.top + words > self.local.limit {
            assert!(self.take_region(0), "regions are kept for evacuation");
        }
        let replica = Ref(self.local.top);
        match install::<M>(heap, object, replica) {
            Ok(()) => {
                self.local.top += words;
                self.ask_for_room();
                replica
            }
            Err(winner) => winner,
        }
    }
}

impl<M: Method> Collector<'_, M> {
    /// The region that moves, to all mutators; `None` for none. Only while they are stopped, or hold no reference to it.
    pub(crate) fn announce(&self, region: Option<RegionId>) {
        let regions = &self.world.heap.regions;
        for control in &self.world.controls {
            // The low end before the length, and never taken back: whoever reads a length other than 0 sees its low end.
            // With both 0 for a moment, null would seem to move.
            if let Some(region) = region {
                control.low.store(regions.start(region).word(), Ordering::Release);
            }
            M::Access::point();
            control.length.store(region.map_or(0, |_| regions.words()), Ordering::Release);
            control.bad.store(if region.is_some() { u64::MAX } else { 0 }, Ordering::Release);
        }
    }

    fn evacuate(&mut self, object: Ref) -> Ref {
        let moved = by_word(self.world, object);
        if moved != object {
            return moved;
        }
        let words = self.world.heap.shape(object).words();
        let at = self.reserve(words).word();
        match install::<M>(&self.world.heap, object, Ref(at)) {
            Ok(()) => Ref(at),
            Err(winner) => {
                self.top -= words;
                winner
            }
        }
    }

    /// The flip: mutators stop, learn which region moves, and get replicas for the objects that their roots name.
    pub(crate) fn flip(&mut self, region: RegionId) {
        let order = Order::barrier(barrier::RECORD | barrier::EVACUATE);
        self.rendezvous(order, |collector| {
            collector.announce(Some(region));
            for mutator in 0..collector.world.controls.len() {
                for idx in 0..heap::N_ROOTS {
                    collector.evacuate_root(region, heap::root(mutator, idx));
                }
            }
        });
    }

    fn evacuate_root(&mut self, region: RegionId, at: Addr) {
        let object = Ref(self.world.heap.words.load(at));
        if !object.is_null() && self.world.heap.regions.of_object(object) == region {
            let replica = self.evacuate(object);
            self.world.heap.words.store(at, replica.0);
        }
    }

    /// Moves a region while a read barrier keeps originals from the mutators: no handshake between the steps.
    pub(crate) fn move_behind_barrier(&mut self, region: RegionId, live: &[Ref]) {
        self.flip(region);
        let replicas = self.evacuate_all(live);
        self.update_all(region, &replicas);
        self.end_flip();
    }

    /// Makes the replicas that are still missing.
    pub(crate) fn evacuate_all(&mut self, live: &[Ref]) -> Vec<Ref> {
        live.iter().map(|object| self.evacuate(*object)).collect()
    }

    /// Updates every slot that refers to the region: the remembered ones, the logged ones, and those of the replicas.
    pub(crate) fn update_all(&mut self, region: RegionId, replicas: &[Ref]) {
        self.take_logs();
        self.update_remembered(region);
        for replica in replicas {
            self.world.heap.slots(*replica).for_each(|slot| self.update(slot));
        }
        self.adopt(replicas.iter().copied());
    }

    /// The end of a move by read barrier: no slot refers to the region. The handshake comes first: a mutator that has read
    /// a slot before it was updated has not tested the reference yet, and must still find that the region moves.
    pub(crate) fn end_flip(&mut self) {
        if self.world.options.omission == Omission::Flip {
            self.announce(None);
        }
        self.handshake(Self::recording());
        self.announce(None);
    }
}

/// Reads a slot without a barrier.
#[inline(always)]
pub(crate) fn load_raw<M: Method>(mutator: &mut Mutator<'_, M>, at: Addr) -> Result<Ref, M::Abort> {
    mutator.access.load(at).map(Ref)
}
