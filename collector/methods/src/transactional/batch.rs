//! A batch of objects and the transaction that moves it (thesis, algorithm 2 and sections 8.6 and 8.7).

use super::runs::Runs;
use super::slots::Slots;
use crate::access::{Access, Code, attempt};
use crate::collector::Collector;
use crate::method::Method;
use crate::mutator::plain;
use crate::options::{Compare, Copying, Omission};
use crate::world::World;
use heap::{Addr, COMMITS, COUNTER, LogKind, Ref, RegionId, log_entry, log_written, veto};

/// Slots logged since the collector looked that a transaction still takes in.
const MAX_TAIL: u64 = 32;
/// So many are left to it; more are looked at before.
const FEW: u64 = 8;
const LINE_WORDS: u64 = 8;

/// All that a collector transaction needs, prepared outside.
pub(super) struct Batch {
    copying: Copying,
    runs: Runs,
    /// Slots that referred to an original when the collector looked.
    slots: Vec<Addr>,
    /// Optimistic copying: the originals' words as they were copied, one run after the other.
    shadow: Vec<u64>,
    /// The number of the next entry of each mutator's log.
    seen: Vec<u64>,
    /// Slots of the region's remembered set when the collector looked.
    n_remembered: usize,
}

impl Batch {
    /// Does everything that can be done in the even phase: slots are found, objects copied, pages touched, lines warmed.
    pub(super) fn prepare<M: Method>(
        collector: &mut Collector<'_, M>,
        slots: &mut Slots,
        moves: &[(Ref, Ref)],
    ) -> Batch {
        let world = collector.world;
        collector.take_logs();
        let runs = Runs::new(world, moves);
        let mut batch = Batch {
            copying: world.options.copying,
            slots: slots.into(collector, &runs.range),
            runs,
            shadow: Vec::new(),
            seen: collector.seen.clone(),
            n_remembered: collector.remembered[slots.region.0 as usize].len(),
        };
        if let Copying::Optimistic(compare) = batch.copying {
            batch.copy_outside(collector, compare);
        }
        batch.touch(world);
        batch
    }

    /// Copies by way of the shadow: what a mutator writes meanwhile is found by the comparison.
    fn copy_outside<M: Method>(&mut self, collector: &mut Collector<'_, M>, compare: Compare) {
        for idx in 0..self.runs.list.len() {
            let mut hash = 0;
            let note = |value| match compare {
                Compare::Shadow | Compare::Untracked => self.shadow.push(value),
                Compare::Hash => hash = mix(hash, value),
            };
            plain(self.runs.copy(&self.runs.list[idx], &mut collector.access, note));
            self.runs.list[idx].hash = hash;
        }
    }

    /// A page without a translation aborts every transaction that meets it: so pages are touched right before. Then
    /// what will be read is read, to have it in the cache.
    fn touch(&self, world: &World) {
        let words = &world.heap.words;
        for run in &self.runs.list {
            htm::area::touch_writes(words.area(run.replica, run.n_words));
            htm::area::touch_reads(words.area(run.original, run.n_words));
        }
        htm::area::touch_writes(words.area(COUNTER, LINE_WORDS));
        for run in &self.runs.list {
            htm::area::warm(words.area(run.original, run.n_words), world.options.warm_passes);
        }
        // Slots last, because they are written last: a line that is at hand displaces none.
        for slot in &self.slots {
            htm::area::warm(words.area(*slot, 1), world.options.warm_passes);
        }
    }

    /// Takes in the slots that were logged while the batch was prepared, in the odd phase: few are left to the transaction.
    ///
    /// The ends of the logs are looked at only here and inside. Where nothing is logged, no mutator's line is taken.
    pub(super) fn catch_up<M: Method>(&mut self, collector: &mut Collector<'_, M>, slots: &mut Slots) {
        let mut n_late = 0;
        for (mutator, seen) in self.seen.iter().enumerate() {
            n_late += plain(collector.access.load(log_written(mutator, LogKind::Slots))) - seen;
        }
        if n_late > FEW {
            collector.take_logs();
            self.slots = slots.into(collector, &self.runs.range);
            self.seen.clone_from(&collector.seen);
            self.n_remembered = collector.remembered[slots.region.0 as usize].len();
        }
    }

    /// Rewrites every slot, so that its page has a translation for writing.
    ///
    /// Not before the first round: that would take each slot's line from the mutators twice for every batch.
    pub(super) fn touch_slots(&self, world: &World) {
        self.slots.iter().for_each(|slot| htm::area::touch_writes(world.heap.words.area(*slot, 1)));
    }

    /// The slots that are updated with the objects.
    pub(super) fn n_slots(&self) -> u64 {
        self.slots.len() as u64
    }

    /// How many words have changed since they were copied; none if that was not noted. With hashes, how many runs.
    pub(super) fn n_changed<'h, A: Access<'h>>(&self, access: &mut A) -> Option<usize> {
        let mut shadow = self.shadow.iter();
        let mut n_changed = 0;
        for run in &self.runs.list {
            let mut hash = 0;
            for at in 0..run.n_words {
                let value = plain(access.load(run.original.plus(at)));
                match self.copying {
                    Copying::Direct => return None,
                    Copying::Optimistic(Compare::Hash) => hash = mix(hash, value),
                    Copying::Optimistic(_) => n_changed += usize::from(shadow.next() != Some(&value)),
                }
            }
            n_changed += usize::from(hash != run.hash);
        }
        Some(n_changed)
    }

    /// What the transaction does, while every mutator is stopped: no thread can interfere, and roots are fixed right away.
    pub(super) fn move_stopped<M: Method>(&self, collector: &mut Collector<'_, M>, region: RegionId) {
        plain(self.move_objects(&mut collector.access));
        plain(self.update_slots(&mut collector.access));
        collector.take_logs();
        for idx in self.n_remembered..collector.remembered[region.0 as usize].len() {
            let slot = collector.remembered[region.0 as usize][idx];
            plain(self.update(&mut collector.access, slot));
        }
        collector.fix_all_roots();
    }

    /// The collector transaction, once.
    #[inline(never)]
    pub(super) fn attempt<'h, A: Access<'h>>(&self, access: &mut A, world: &World) -> Result<(), htm::Abort> {
        attempt(access, |access| {
            self.move_objects(access)?;
            // Slots last, the counter last of all: whoever reads them meanwhile aborts us.
            self.update_slots(access)?;
            if world.options.omission != Omission::Tail {
                self.update_tail(access)?;
            }
            if world.options.omission != Omission::Veto {
                self.heed_vetoes(access)?;
            }
            increment(access, COMMITS)?;
            increment(access, COUNTER)
        })
    }

    fn move_objects<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        match self.copying {
            Copying::Direct => self.copy_inside(access),
            Copying::Optimistic(Compare::Shadow) => self.compare_and_repair(access),
            Copying::Optimistic(Compare::Untracked) => self.compare_untracked(access),
            Copying::Optimistic(Compare::Hash) => self.compare_hashes(access),
        }
    }

    fn heed_vetoes<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        for mutator in 0..self.seen.len() {
            if access.load(veto(mutator))? != 0 {
                return Err(access.give_up(Code::Veto));
            }
        }
        Ok(())
    }

    fn copy_inside<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        self.runs.list.iter().try_for_each(|run| self.runs.copy(run, access, |_| {}))
    }

    fn compare_and_repair<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        let mut shadow = self.shadow.iter();
        for run in &self.runs.list {
            for (at, copied) in (0..run.n_words).zip(&mut shadow) {
                let value = access.load(run.original.plus(at))?;
                if value != *copied {
                    self.runs.repair(run, access, at, value)?;
                }
            }
        }
        Ok(())
    }

    /// Originals are read line by line, then the shadow of the line, which nobody else can write, without tracking.
    fn compare_untracked<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        let mut shadow = self.shadow.as_slice();
        for run in &self.runs.list {
            for start in (0..run.n_words).step_by(LINE_WORDS as usize) {
                let n = LINE_WORDS.min(run.n_words - start) as usize;
                let mut values = [0; LINE_WORDS as usize];
                for (at, value) in (start..).zip(&mut values[..n]) {
                    *value = access.load(run.original.plus(at))?;
                }
                let (copied, rest) = shadow.split_at(n);
                shadow = rest;
                if !access.untracked(|| copied == &values[..n]) {
                    for (at, value) in (start..).zip(&values[..n]) {
                        self.runs.repair(run, access, at, *value)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn compare_hashes<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        for run in &self.runs.list {
            let mut hash = 0;
            for at in 0..run.n_words {
                hash = mix(hash, access.load(run.original.plus(at))?);
            }
            if hash != run.hash {
                self.runs.copy(run, access, |_| {})?;
            }
        }
        Ok(())
    }

    fn update_slots<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        self.slots.iter().try_for_each(|slot| self.update(access, *slot))
    }

    fn update<'h, A: Access<'h>>(&self, access: &mut A, slot: Addr) -> Result<(), A::Abort> {
        let value = access.load(slot)?;
        let forwarded = self.runs.forward(value);
        if forwarded != value { access.store(slot, forwarded) } else { Ok(()) }
    }

    /// Slots that mutators have logged since: reading the logs' ends here makes later entries conflict.
    fn update_tail<'h, A: Access<'h>>(&self, access: &mut A) -> Result<(), A::Abort> {
        for (mutator, seen) in self.seen.iter().enumerate() {
            let written = access.load(log_written(mutator, LogKind::Slots))?;
            if written - seen > MAX_TAIL {
                return Err(access.give_up(Code::Tail));
            }
            for number in *seen..written {
                let slot = Addr::of_word(access.load(log_entry(mutator, LogKind::Slots, number))?);
                self.update(access, slot)?;
            }
        }
        Ok(())
    }
}

fn increment<'h, A: Access<'h>>(access: &mut A, at: Addr) -> Result<(), A::Abort> {
    let value = access.load(at)?;
    access.store(at, value + 1)
}

/// One round of a multiplicative hash.
fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
