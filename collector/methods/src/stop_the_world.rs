//! Stop-the-world: no mutator runs while a region's objects move. Also what the transactional method falls back to.

use crate::collector::Collector;
use crate::memory::{Hardware, Memory};
use crate::method::Method;
use crate::world::World;
use heap::{Addr, Ref, RegionId, RegionStatus};
use std::marker::PhantomData;

/// Mutators stop for each region. Correct everywhere; a pause as long as the copying.
pub struct StopTheWorld<T: Memory = Hardware>(PhantomData<T>);

impl<T: Memory> Method for StopTheWorld<T> {
    type Abort = T::Abort;
    type Access<'h> = T::Access<'h>;
    const NAME: &'static str = "stop-the-world";

    fn forward(world: &World, object: Ref) -> Ref {
        by_table(world, object)
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        let moves = collector.place(live);
        collector.publish(&moves);
        collector.rendezvous(Collector::<Self>::recording(), |collector| collector.move_stopped(region, &moves));
        collector.adopt(moves.into_iter().map(|(_, replica)| replica));
    }
}

/// Where the forwarding table says the object is.
pub(crate) fn by_table(world: &World, object: Ref) -> Ref {
    world.heap.forwarding.get(object).unwrap_or(object)
}

impl<M: Method> Collector<'_, M> {
    /// Gives every object a place.
    pub(crate) fn place(&mut self, objects: &[Ref]) -> Vec<(Ref, Ref)> {
        let mut replica = |object: &Ref| Ref(self.reserve(self.world.heap.shape(*object).words()).word());
        objects.iter().map(|object| (*object, replica(object))).collect()
    }

    /// Says in the forwarding table where objects go. Nobody reads that before the move.
    pub(crate) fn publish(&self, moves: &[(Ref, Ref)]) {
        moves.iter().for_each(|(object, replica)| self.world.heap.forwarding.set(*object, Some(*replica)));
    }

    /// Copies, and updates slots and roots, while every mutator stands still.
    pub(crate) fn move_stopped(&mut self, region: RegionId, moves: &[(Ref, Ref)]) {
        let world = self.world;
        for (original, replica) in moves {
            self.copy(*original, *replica, |value| by_table(world, value));
        }
        self.take_logs();
        let end = moves.last().map_or(0, |(original, _)| original.0 + world.heap.shape(*original).words());
        self.slots_into(region, end).into_iter().for_each(|slot| self.update(slot));
        self.fix_all_roots();
    }

    /// The slots that are known to refer to the region. Not those of originals before `end`, which have moved or move now: nobody
    /// will look at them. They stay remembered: some refer to objects of the region that move later.
    pub(crate) fn slots_into(&self, region: RegionId, end: u64) -> Vec<Addr> {
        let gone = self.world.heap.regions.start(region).word()..end;
        let mut slots = self.slots_since(region, 0);
        slots.retain(|slot| !gone.contains(&slot.word()));
        slots
    }

    /// The slots of the region's remembered set after the first `n`. Not those in regions that have been evacuated since they were
    /// remembered: their replicas have slots of their own, which are remembered too.
    pub(crate) fn slots_since(&self, region: RegionId, n: usize) -> Vec<Addr> {
        let regions = &self.world.heap.regions;
        let is_evacuated =
            |slot: Addr| regions.of(slot).is_some_and(|of| regions.status(of) == RegionStatus::Evacuated);
        let remembered = self.remembered[region.0 as usize][n..].iter().copied();
        remembered.filter(|slot| !is_evacuated(*slot)).collect()
    }
}
