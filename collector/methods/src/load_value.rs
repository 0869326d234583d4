//! A load-value barrier: a loaded reference is tested against a mask, and the slot it came from is healed.
//!
//! As Baker's, but one test against a word of the mutator's own, and each slot takes the slow path at most once for an
//! object that moves. While nothing moves the mask is 0. (Click, Tene and Wolf, VEE 2005; ours has no colours.)

use crate::collector::Collector;
use crate::evacuate::{by_word, load_raw};
use crate::memory::{Hardware, Memory};
use crate::method::{Method, Step};
use crate::mutator::Mutator;
use crate::world::World;
use heap::{Addr, Ref, RegionId, slot_addr};
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

/// Read barrier with a mask; slots are healed.
pub struct LoadValue<T: Memory = Hardware>(PhantomData<T>);

impl<T: Memory> Method for LoadValue<T> {
    type Abort = T::Abort;
    type Access<'h> = T::Access<'h>;
    const NAME: &'static str = "load-value";

    #[inline(always)]
    fn load_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8) -> Step<Ref, Self> {
        let at = slot_addr(object, slot);
        let value = load_raw(mutator, at)?;
        let is_good = value.0 & mutator.control.bad.load(Ordering::Relaxed) == 0;
        Ok(if is_good { value } else { heal(mutator, at, value) })
    }

    fn forward(world: &World, object: Ref) -> Ref {
        by_word(world, object)
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        collector.move_behind_barrier(region, live);
    }
}

/// The replica, if the object moves; the slot names it from now on.
#[cold]
fn heal<T: Memory>(mutator: &mut Mutator<'_, LoadValue<T>>, at: Addr, value: Ref) -> Ref {
    if !mutator.is_moving(value) {
        return value;
    }
    let replica = mutator.evacuate(value);
    // If it fails, another thread has stored another reference.
    let _ = mutator.world.heap.words.compare_exchange(at, value.0, replica.0);
    replica
}
