//! The seam: what a copy method is.

use crate::access::Access;
use crate::collector::Collector;
use crate::mutator::Mutator;
use crate::world::World;
use heap::{Ref, RegionId, data_addr, slot_addr};

/// The result of an operation on the heap: inside an emulated transaction it may be over.
pub type Step<T, M> = Result<T, <M as Method>::Abort>;

/// A way to move objects while mutators run: barriers for mutators, one move for the collector.
///
/// The barriers given here are those of a method that needs none for reads: a store greys while the collector marks and
/// is logged while objects may move.
pub trait Method: Sized + 'static {
    /// What ends an operation early.
    type Abort;
    /// How threads access the memory.
    type Access<'h>: Access<'h, Abort = Self::Abort>;
    /// Its name.
    const NAME: &'static str;
    /// Whether mutators run in transactions while objects move.
    const IS_TRANSACTIONAL: bool = false;

    /// Reads a slot.
    #[inline(always)]
    fn load_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8) -> Step<Ref, Self> {
        mutator.access.load(slot_addr(object, slot)).map(Ref)
    }

    /// Writes a slot.
    #[inline(always)]
    fn store_ref(mutator: &mut Mutator<'_, Self>, object: Ref, slot: u8, value: Ref) -> Step<(), Self> {
        mutator.store_recorded(slot_addr(object, slot), value)
    }

    /// Reads a data word of an object of `n_slots` slots.
    #[inline(always)]
    fn load_data(mutator: &mut Mutator<'_, Self>, object: Ref, n_slots: u8, idx: u8) -> Step<u64, Self> {
        mutator.access.load(data_addr(object, n_slots, idx))
    }

    /// Writes a data word.
    #[inline(always)]
    fn store_data(mutator: &mut Mutator<'_, Self>, object: Ref, n_slots: u8, idx: u8, value: u64) -> Step<(), Self> {
        mutator.access.store(data_addr(object, n_slots, idx), value)
    }

    /// Whether two references name the same object.
    #[inline(always)]
    fn is_same(_mutator: &mut Mutator<'_, Self>, one: Ref, other: Ref) -> Step<bool, Self> {
        Ok(one == other)
    }

    /// What a reference becomes when roots are fixed.
    fn forward(world: &World, object: Ref) -> Ref;

    /// What a mutator looks at whenever it attends, and after an abort.
    fn observe(_mutator: &mut Mutator<'_, Self>) {}

    /// Moves the live objects of a region. Afterwards no slot refers to it, and no root once the cycle's last
    /// handshake is over.
    fn move_region(collector: &mut Collector<'_, Self>, region: RegionId, live: &[Ref]);
}
