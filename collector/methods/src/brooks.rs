//! Brooks: every object is reached through its forwarding word, which names itself until it is moved.
//!
//! With the write fix: an original of the region that moves is not written, it is evacuated first. Otherwise a store
//! between the copying of its field and the change of the forwarding word is lost.

use crate::access::Access;
use crate::collector::Collector;
use crate::evacuate::by_word;
use crate::memory::{Hardware, Memory};
use crate::method::{Method, Step};
use crate::mutator::Mutator;
use crate::world::{Order, World, barrier};
use heap::{Ref, RegionId, data_addr, forwarding_addr, slot_addr};
use std::marker::PhantomData;

/// Indirection on every access.
pub struct Brooks<T: Memory = Hardware>(PhantomData<T>);

impl<T: Memory> Method for Brooks<T> {
    type Abort = T::Abort;
    type Access<'h> = T::Access<'h>;
    const NAME: &'static str = "brooks";

    #[inline(always)]
    fn load_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8) -> Step<Ref, Self> {
        let object = resolve(mutator, object)?;
        mutator.access.load(slot_addr(object, slot)).map(Ref)
    }

    #[inline(always)]
    fn store_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8, value: Ref) -> Step<(), Self> {
        let object = resolve_to_write(mutator, object)?;
        let evacuates = mutator.local.barrier & barrier::EVACUATE != 0;
        let value = if evacuates && !value.is_null() { resolve(mutator, value)? } else { value };
        mutator.store_recorded(slot_addr(object, slot), value)
    }

    #[inline(always)]
    fn load_data(mutator: &mut Mutator<'_, Self>, object: Ref, n_slots: u8, idx: u8) -> Step<u64, Self> {
        let object = resolve(mutator, object)?;
        mutator.access.load(data_addr(object, n_slots, idx))
    }

    #[inline(always)]
    fn store_data(mutator: &mut Mutator<'_, Self>, object: Ref, n_slots: u8, idx: u8, value: u64) -> Step<(), Self> {
        let object = resolve_to_write(mutator, object)?;
        mutator.access.store(data_addr(object, n_slots, idx), value)
    }

    fn is_same(mutator: &mut Mutator<'_, Self>, one: Ref, other: Ref) -> Step<bool, Self> {
        if one == other || one.is_null() || other.is_null() {
            return Ok(one == other);
        }
        let first = resolve(mutator, one)?;
        let second = resolve(mutator, other)?;
        // Resolved again: it may have moved between the two.
        Ok(first == second || resolve(mutator, one)? == second)
    }

    fn forward(world: &World, object: Ref) -> Ref {
        by_word(world, object)
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        collector.flip(region);
        let replicas = collector.evacuate_all(live);
        // All have replicas; after this handshake no mutator stores a reference to an original.
        let evacuating = Order::barrier(barrier::RECORD | barrier::EVACUATE);
        collector.handshake(evacuating);
        collector.update_all(region, &replicas);
        // No slot names an original; after this one no root does either.
        collector.handshake(evacuating.and(Order::FIX));
        collector.end_flip();
    }
}

#[inline(always)]
fn resolve<T: Memory>(mutator: &mut Mutator<'_, Brooks<T>>, object: Ref) -> Step<Ref, Brooks<T>> {
    mutator.access.load(forwarding_addr(object)).map(Ref)
}

/// The write fix.
#[inline(always)]
fn resolve_to_write<T: Memory>(mutator: &mut Mutator<'_, Brooks<T>>, object: Ref) -> Step<Ref, Brooks<T>> {
    let object = resolve(mutator, object)?;
    let must_move = mutator.local.barrier & barrier::EVACUATE != 0 && mutator.is_moving(object);
    Ok(if must_move { mutator.evacuate(object) } else { object })
}
