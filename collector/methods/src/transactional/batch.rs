//! A batch of objects and the transaction that moves it (thesis, algorithm 2 and sections 8.6 and 8.7).

use crate::access::{Access, Code, attempt};
use crate::collector::Collector;
use crate::method::Method;
use crate::mutator::plain;
use crate::options::{Compare, Copying, Omission};
use crate::stop_the_world::by_table;
use crate::world::World;
use heap::{Addr, COMMITS, COUNTER, LogKind, Ref, RegionId, log_entry, log_written, veto};

/// Slots logged since the collector looked that a transaction still takes in.
const MAX_TAIL: u64 = 32;
const LINE_WORDS: u64 = 8;

/// All that a collector transaction needs, prepared outside.
pub(super) struct Batch {
    copying: Copying,
    objects: Vec<Moving>,
    /// Slots that refer to an original, with what they hold and what they shall hold.
    slots: Vec<(Addr, u64, u64)>,
    /// Optimistic copying: the originals' words as they were copied, one object after the other.
    shadow: Vec<u64>,
    /// The number of the next entry of each mutator's log.
    seen: Vec<u64>,
}

/// An object on its way.
#[derive(Clone, Copy)]
struct Moving {
    original: Ref,
    replica: Ref,
    n_words: u64,
    n_slots: u64,
    hash: u64,
}

impl Batch {
    /// Does everything that can be done in the even phase: slots are found, objects copied, pages touched, lines warmed.
    pub(super) fn prepare<M: Method>(
        collector: &mut Collector<'_, M>,
        region: RegionId,
        moves: &[(Ref, Ref)],
    ) -> Batch {
        let world = collector.world;
        collector.take_logs();
        let slots = slots_of(collector, region);
        let mut batch = Batch {
            copying: world.options.copying,
            objects: moves.iter().map(|(original, replica)| Moving::new(world, *original, *replica)).collect(),
            slots,
            shadow: Vec::new(),
            seen: collector.seen.clone(),
        };
        if let Copying::Optimistic(_) = batch.copying {
            batch.copy_outside(collector);
        }
        batch.touch(world);
        batch
    }

    /// Copies by way of the shadow: what a mutator writes meanwhile is found by the comparison.
    fn copy_outside<M: Method>(&mut self, collector: &mut Collector<'_, M>) {
        let world = collector.world;
        for object in &mut self.objects {
            let from = self.shadow.len();
            for field in 0..object.n_words {
                let value = plain(collector.access.load(object.original.header().plus(field)));
                self.shadow.push(value);
                let translated = object.translate(world, field, value);
                plain(collector.access.store(object.replica.header().plus(field), translated));
            }
            object.hash = self.shadow[from..].iter().fold(0, |hash, value| mix(hash, *value));
        }
    }

    /// A page without a translation aborts every transaction that meets it: so pages are touched right before. Then
    /// what will be read is read, to have it in the cache.
    fn touch(&self, world: &World) {
        let words = &world.heap.words;
        for object in &self.objects {
            htm::area::touch_writes(words.area(object.replica.header(), object.n_words));
            htm::area::touch_reads(words.area(object.original.header(), object.n_words));
        }
        for (slot, ..) in &self.slots {
            htm::area::touch_writes(words.area(*slot, 1));
        }
        htm::area::touch_writes(words.area(COUNTER, LINE_WORDS));
        for object in &self.objects {
            htm::area::warm(words.area(object.original.header(), object.n_words), world.options.warm_passes);
        }
    }

    /// The collector transaction, once.
    #[inline(never)]
    pub(super) fn attempt<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), htm::Abort> {
        attempt(access, |access| {
            match self.copying {
                Copying::Direct => self.copy_inside(access, world)?,
                Copying::Optimistic(Compare::Shadow) => self.compare_and_repair(access, world)?,
                Copying::Optimistic(Compare::Hash) => self.compare_hashes(access, world)?,
            }
            // Slots last, the counter last of all: whoever reads them meanwhile aborts us.
            self.update_slots(access)?;
            if world.options.omission != Omission::Tail {
                self.update_tail(access, world)?;
            }
            if world.options.omission != Omission::Veto {
                self.heed_vetoes(access)?;
            }
            increment(access, COMMITS)?;
            increment(access, COUNTER)
        })
    }

    fn heed_vetoes<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        for mutator in 0..self.seen.len() {
            if access.load(veto(mutator))? != 0 {
                return Err(access.give_up(Code::Veto));
            }
        }
        Ok(())
    }

    fn copy_inside<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), A::Abort> {
        self.objects.iter().try_for_each(|object| object.copy(access, world))
    }

    fn compare_and_repair<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), A::Abort> {
        let mut shadow = self.shadow.iter();
        for object in &self.objects {
            for (field, copied) in (0..object.n_words).zip(&mut shadow) {
                let value = access.load(object.original.header().plus(field))?;
                if value != *copied {
                    let translated = object.translate(world, field, value);
                    access.store(object.replica.header().plus(field), translated)?;
                }
            }
        }
        Ok(())
    }

    fn compare_hashes<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), A::Abort> {
        for object in &self.objects {
            let mut hash = 0;
            for field in 0..object.n_words {
                hash = mix(hash, access.load(object.original.header().plus(field))?);
            }
            if hash != object.hash {
                object.copy(access, world)?;
            }
        }
        Ok(())
    }

    fn update_slots<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        for (slot, original, replica) in &self.slots {
            // If it holds something else by now, it was logged.
            if access.load(*slot)? == *original {
                access.store(*slot, *replica)?;
            }
        }
        Ok(())
    }

    /// Slots that mutators have logged since: reading the logs' ends here makes later entries conflict.
    fn update_tail<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), A::Abort> {
        for (mutator, seen) in self.seen.iter().enumerate() {
            let written = access.load(log_written(mutator, LogKind::Slots))?;
            if written - seen > MAX_TAIL {
                return Err(access.give_up(Code::Tail));
            }
            for number in *seen..written {
                let slot = Addr(access.load(log_entry(mutator, LogKind::Slots, number))?);
                let value = access.load(slot)?;
                if value != 0
                    && let Some(replica) = world.heap.forwarding.get(Ref(value))
                {
                    access.store(slot, replica.0)?;
                }
            }
        }
        Ok(())
    }
}

impl Moving {
    fn new(world: &World, original: Ref, replica: Ref) -> Moving {
        let shape = world.heap.shape(original);
        Moving { original, replica, n_words: shape.words(), n_slots: u64::from(shape.n_slots), hash: 0 }
    }

    /// What the replica holds for a word of the original: itself as its replica, replicas for references.
    fn translate(&self, world: &World, field: u64, value: u64) -> u64 {
        match field {
            1 => self.replica.0,
            _ if (2..2 + self.n_slots).contains(&field) && value != 0 => by_table(world, Ref(value)).0,
            _ => value,
        }
    }

    fn copy<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), A::Abort> {
        for field in 0..self.n_words {
            let value = access.load(self.original.header().plus(field))?;
            access.store(self.replica.header().plus(field), self.translate(world, field, value))?;
        }
        Ok(())
    }
}

/// The remembered slots that refer to an object of the batch now.
fn slots_of<M: Method>(collector: &mut Collector<'_, M>, region: RegionId) -> Vec<(Addr, u64, u64)> {
    let mut slots = Vec::new();
    for idx in 0..collector.remembered[region.0 as usize].len() {
        let slot = collector.remembered[region.0 as usize][idx];
        let value = plain(collector.access.load(slot));
        let replica = if value == 0 { None } else { collector.world.heap.forwarding.get(Ref(value)) };
        slots.extend(replica.map(|replica| (slot, value, replica.0)));
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

fn increment<'h, A: Access<'h>>(access: &mut A, at: Addr) -> Result<(), A::Abort> {
    let value = access.load(at)?;
    access.store(at, value + 1)
}

/// One round of a multiplicative hash.
fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
