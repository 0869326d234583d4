//! No collector: yieldpoints are polled, nothing moves. What every method is compared with.

use crate::access::Access;
use crate::collector::Collector;
use crate::direct::Direct;
use crate::method::{Method, Step};
use crate::mutator::Mutator;
use crate::world::World;
use heap::{Ref, RegionId, slot_addr};
use std::convert::Infallible;

/// The method that has no barrier at all. It is never collected.
pub struct PollOnly;

impl Method for PollOnly {
    type Abort = Infallible;
    type Access<'h> = Direct<'h>;
    const NAME: &'static str = "poll only";

    #[inline(always)]
    fn store_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8, value: Ref) -> Step<(), Self> {
        mutator.access.store(slot_addr(object, slot), value.0)
    }

    fn forward(_world: &World, object: Ref) -> Ref {
        object
    }

    fn move_region(_collector: &mut Collector<'_, Self>, _region: RegionId, _live: &[Ref]) {
        unreachable!("nothing moves without a collector")
    }
}
