//! Baker's read barrier: a loaded reference to the region that moves is exchanged for its replica's, which is made if need be.
//!
//! To-space invariant: from the flip on no mutator holds a reference to an original, so none is written. The test is a range
//! check on every loaded reference, whether anything moves or not.

use crate::collector::Collector;
use crate::evacuate::{by_word, load_raw};
use crate::memory::{Hardware, Memory};
use crate::method::{Method, Step};
use crate::mutator::Mutator;
use crate::world::World;
use heap::{Ref, RegionId, slot_addr};
use std::marker::PhantomData;

/// Read barrier with a range check; slots are not healed.
pub struct Baker<T: Memory = Hardware>(PhantomData<T>);

impl<T: Memory> Method for Baker<T> {
    type Abort = T::Abort;
    type Access<'h> = T::Access<'h>;
    const NAME: &'static str = "baker";

    #[inline(always)]
    fn load_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8) -> Step<Ref, Self> {
        let value = load_raw(mutator, slot_addr(object, slot))?;
        Ok(if mutator.is_moving(value) { mutator.evacuate(value) } else { value })
    }

    fn forward(world: &World, object: Ref) -> Ref {
        by_word(world, object)
    }

    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]) {
        collector.move_behind_barrier(region, live);
    }
}
