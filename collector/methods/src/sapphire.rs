//! Sapphire (Hudson and Moss): replicas are filled while mutators write to both, then mutators change over one by one.
//!
//! No read barrier, no stop. For programs in which no two mutators race for one word: originals and replicas may for a
//! moment hold different values (see the decision on two mutators). An original and its replica name each other in their
//! forwarding words while the region moves.

use crate::access::Access;
use crate::collector::Collector;
use crate::memory::{Hardware, Memory};
use crate::method::{Method, Step};
use crate::mutator::Mutator;
use crate::world::{Order, World, barrier};
use heap::{Addr, Ref, RegionId, data_addr, forwarding_addr, slot_addr};
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

/// Replication with write barriers.
pub struct Sapphire<T: Memory = Hardware>(PhantomData<T>);

impl<T: Memory> Method for Sapphire<T> {
    type Abort = T::Abort;
    type Access<'h> = T::Access<'h>;
    const NAME: &'static str = "sapphire";

    #[inline(always)]
    fn store_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8, value: Ref) -> Step<(), Self> {
        if mutator.local.barrier & barrier::MIRROR == 0 {
            return mutator.store_recorded(slot_addr(object, slot), value);
        }
        let translates = mutator.local.barrier & barrier::TRANSLATE != 0;
        let value = if translates { replica_of(mutator, value)? } else { value };
        mutator.store_recorded(slot_addr(object, slot), value)?;
        let partner = partner_of(mutator, object)?;
        if partner != object {
            // A replica holds references to replicas only.
            let mirrored = if mutator.is_moving(object) { replica_of(mutator, value)? } else { value };
            mutator.store_recorded(slot_addr(partner, slot), mirrored)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn store_data(mutator: &mut Mutator<'_, Self>, object: Ref, n_slots: u8, idx: u8, value: u64) -> Step<(), Self> {
        mutator.access.store(data_addr(object, n_slots, idx), value)?;
        if mutator.local.barrier & barrier::MIRROR == 0 {
            return Ok(());
        }
        let partner = partner_of(mutator, object)?;
        if partner == object { Ok(()) } else { mutator.access.store(data_addr(partner, n_slots, idx), value) }
    }

    fn is_same(mutator: &mut Mutator<'_, Self>, one: Ref, other: Ref) -> Step<bool, Self> {
        Ok(one == other || replica_of(mutator, one)? == replica_of(mutator, other)?)
    }

    /// An original's replica. Forwarding words of replicas name originals, so the region is looked at.
    fn forward(world: &World, object: Ref) -> Ref {
        // Every mutator gets the same region.
        let control = &world.controls[0];
        let length = control.length.load(Ordering::Acquire);
        let is_original = object.0.wrapping_sub(control.low.load(Ordering::Acquire)) < length;
        if is_original { Ref(world.heap.words.load(forwarding_addr(object))) } else { object }
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        let replicas = collector.shells(live);
        collector.announce(Some(region));
        // From here on every store goes to both.
        let mirroring = barrier::RECORD | barrier::MIRROR;
        collector.handshake(Order::barrier(mirroring));
        live.iter().zip(&replicas).for_each(|(original, replica)| collector.fill(*original, *replica));
        // Replicas are complete: references to originals are not written any more, then not held.
        let flipping = Order::barrier(mirroring | barrier::TRANSLATE);
        collector.handshake(flipping);
        collector.update_all(region, &replicas);
        collector.handshake(flipping.and(Order::FIX));
        collector.handshake(Collector::<Self>::recording());
        collector.announce(None);
        collector.part(&replicas);
    }
}

/// The other copy of an object, or itself.
#[inline(always)]
fn partner_of<T: Memory>(mutator: &mut Mutator<'_, Sapphire<T>>, object: Ref) -> Step<Ref, Sapphire<T>> {
    mutator.access.load(forwarding_addr(object)).map(Ref)
}

/// The replica of an original of the region that moves; any other reference itself.
fn replica_of<T: Memory>(mutator: &mut Mutator<'_, Sapphire<T>>, object: Ref) -> Step<Ref, Sapphire<T>> {
    if mutator.is_moving(object) { partner_of(mutator, object) } else { Ok(object) }
}

impl<T: Memory> Collector<'_, Sapphire<T>> {
    /// Empty replicas, each known to its original and the other way round.
    fn shells(&mut self, live: &[Ref]) -> Vec<Ref> {
        let mut replicas = Vec::with_capacity(live.len());
        for original in live {
            let header = self.world.heap.header(*original);
            let at = self.reserve(header.shape().words());
            let replica = self.world.heap.create(at, header.shape(), header.id());
            self.world.heap.words.store(forwarding_addr(replica), original.0);
            self.world.heap.words.store(forwarding_addr(*original), replica.0);
            replicas.push(replica);
        }
        replicas
    }

    fn fill(&self, original: Ref, replica: Ref) {
        let shape = self.world.heap.shape(original);
        for field in 2..shape.words() {
            let is_slot = field < 2 + u64::from(shape.n_slots);
            self.copy_word(original.header().plus(field), replica.header().plus(field), is_slot);
        }
    }

    /// Copies a word that a mutator may be writing to both places.
    ///
    /// The compare-and-swap is also the fence between the store to the replica and the second look at the original: with
    /// a plain store, which may wait in the buffer, a mutator's later value would be overwritten.
    fn copy_word(&self, from: Addr, to: Addr, is_slot: bool) {
        let words = &self.world.heap.words;
        loop {
            let before = words.load(to);
            T::Access::point();
            let value = words.load(from);
            T::Access::point();
            let translated =
                if is_slot && value != 0 { Sapphire::<T>::forward(self.world, Ref(value)).0 } else { value };
            if words.compare_exchange(to, before, translated).is_ok() && words.load(from) == value {
                return;
            }
        }
    }

    /// Replicas are objects like any other.
    fn part(&self, replicas: &[Ref]) {
        for replica in replicas {
            self.world.heap.words.store(forwarding_addr(*replica), replica.0);
        }
    }
}
