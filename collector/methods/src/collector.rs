//! The collector thread: cycles of marking, choosing, moving, releasing.
//!
//! A cycle moves regions one by one, each with the slots that refer to it: its *remembered set*, which marking fills and
//! mutators' logs complete. Originals stay where they are until the cycle's last handshake.

use crate::access::Access;
use crate::method::Method;
use crate::mutator::plain;
use crate::options::{Selection, Trigger};
use crate::schedule;
use crate::stats::CollectorStats;
use crate::transactional::Choice;
use crate::world::{Order, World, barrier};
use heap::{Addr, LogKind, Ref, RegionId, RegionStatus, forwarding_addr, root};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The collector thread.
pub struct Collector<'h, M: Method> {
    pub(crate) world: &'h World,
    pub(crate) access: M::Access<'h>,
    pub(crate) request: u64,
    pub(crate) cycle: u64,
    pub(crate) greys: Vec<Ref>,
    /// By region: slots that held a reference into it when they were looked at.
    pub(crate) remembered: Vec<Vec<Addr>>,
    /// By mutator: the number of the next entry of its log of slots.
    pub(crate) seen: Vec<u64>,
    /// Where replicas go.
    pub(crate) top: u64,
    limit: u64,
    pub(crate) stats: CollectorStats,
    pub(crate) began: Instant,
    /// When the last move of a region began.
    last_moved: Option<Instant>,
    /// How batches of the transactional method move: adapts.
    pub(crate) choice: Choice,
}

impl<'h, M: Method> Collector<'h, M> {
    pub(crate) fn new(world: &'h World) -> Self {
        Collector {
            world,
            access: M::Access::open(&world.heap, &world.engine, world.options.seed),
            request: 0,
            cycle: 0,
            greys: Vec::new(),
            remembered: vec![Vec::new(); world.heap.regions.count()],
            seen: vec![0; world.controls.len()],
            top: 0,
            limit: 0,
            stats: CollectorStats::default(),
            began: Instant::now(),
            last_moved: None,
            choice: Choice::new(&world.options),
        }
    }

    /// Collects until every mutator has ended.
    pub(crate) fn run(&mut self) {
        while !self.world.is_deserted() && self.world.failure().is_none() {
            match self.is_due() {
                true => self.cycle(),
                false if schedule::pass() => {}
                false => std::thread::sleep(Duration::from_micros(50)),
            }
        }
    }

    fn is_due(&self) -> bool {
        let regions = &self.world.heap.regions;
        match self.world.options.trigger {
            Trigger::Never => false,
            Trigger::Continuous => true,
            Trigger::HalfFull => self.world.is_wanted.load(Ordering::Acquire) || regions.n_free() < regions.count() / 2,
        }
    }

    fn cycle(&mut self) {
        let started = Instant::now();
        self.mark();
        let mut evacuated = Vec::new();
        for (region, live) in self.choose() {
            if !live.is_empty() && !self.may_move() {
                break;
            }
            self.move_region(region, &live);
            evacuated.push((region, live));
        }
        // The last handshake: no mutator holds a reference to an original any more.
        self.handshake(Order::barrier(0).and(Order::FIX));
        self.choice.end_cycle(self.pulse());
        self.discard_logs();
        for (region, live) in evacuated {
            live.iter().for_each(|original| self.world.heap.forwarding.set(*original, None));
            self.release(region);
        }
        self.world.is_wanted.store(false, Ordering::Release);
        self.stats.collecting += started.elapsed();
        self.stats.n_cycles += 1;
        if self.world.options.sanity {
            self.rendezvous(Order::barrier(0), |collector| collector.check_sanity());
        }
    }

    /// Regions to move, the emptiest first, each with its live objects.
    ///
    /// Those without any come along, and are released with the rest: an object that died between the first two handshakes
    /// may have a slot in the logs.
    fn choose(&self) -> Vec<(RegionId, Vec<Ref>)> {
        let heap = &self.world.heap;
        let mut chosen = Vec::new();
        for region in heap.regions.ids().filter(|region| self.world.is_old(*region)) {
            let live = heap.live(region);
            let live_words: u64 = live.iter().map(|object| heap.shape(*object).words()).sum();
            let is_chosen = match self.world.options.selection {
                Selection::All => true,
                Selection::Sparse { max_live } => live_words * 100 <= max_live * heap.regions.words(),
            };
            if is_chosen {
                chosen.push((live_words, region, live));
            }
        }
        chosen.sort_by_key(|(live_words, region, _)| (*live_words, *region));
        chosen.into_iter().map(|(_, region, live)| (region, live)).collect()
    }

    /// Whether there is room for the replicas, and somebody to move them for.
    fn may_move(&self) -> bool {
        self.world.heap.regions.n_free() > self.world.controls.len() + 2
            && !self.world.is_deserted()
            && self.world.failure().is_none()
    }

    fn move_region(&mut self, region: RegionId, live: &[Ref]) {
        if live.is_empty() {
            return self.world.heap.regions.evacuated(region);
        }
        let started = self.wait_for_turn();
        M::move_region(self, region, live);
        self.world.heap.regions.evacuated(region);
        self.stats.moving += started.elapsed();
        self.stats.n_regions += 1;
        self.stats.n_objects += live.len() as u64;
        let words = |object: &Ref| self.world.heap.shape(*object).words();
        self.stats.copied_words += live.iter().map(words).sum::<u64>();
    }

    /// Waits until the period of the last move is over, without sleeping longer than that.
    fn wait_for_turn(&mut self) -> Instant {
        let mut now = Instant::now();
        while self.last_moved.is_some_and(|last| now - last < self.world.options.period) {
            std::thread::yield_now();
            now = Instant::now();
        }
        self.last_moved = Some(now);
        now
    }

    fn release(&self, region: RegionId) {
        if self.world.options.sanity {
            self.world.heap.poison(region);
        }
        self.world.heap.regions.release(region);
    }

    /// Room for a replica of so many words.
    ///
    /// # Panics
    /// If no region is free: [`Self::may_move`] has left enough.
    pub(crate) fn reserve(&mut self, words: u64) -> Addr {
        if self.top + words > self.limit {
            let regions = &self.world.heap.regions;
            let region = regions.take(self.cycle, 0).expect("regions are kept for evacuation");
            self.top = regions.start(region).word();
            self.limit = self.top + regions.words();
        }
        self.top += words;
        Addr::of_word(self.top - words)
    }

    pub(crate) fn retire(&mut self) {
        (self.top, self.limit) = (0, 0);
    }

    /// The words of a replica, slots translated by `translate`, written without a barrier: nobody knows it yet.
    pub(crate) fn copy(&self, original: Ref, replica: Ref, translate: impl Fn(Ref) -> Ref) {
        let words = &self.world.heap.words;
        let shape = self.world.heap.shape(original);
        words.store(replica.header(), words.load(original.header()));
        words.store(forwarding_addr(replica), replica.0);
        for field in 2..shape.words() {
            let value = words.load(original.header().plus(field));
            let is_slot = field < 2 + u64::from(shape.n_slots);
            words.store(replica.header().plus(field), if is_slot { translate(Ref(value)).0 } else { value });
        }
    }

    /// Looks at what mutators have logged.
    pub(crate) fn take_logs(&mut self) {
        for (mutator, control) in self.world.controls.iter().enumerate() {
            for kind in [LogKind::Greys, LogKind::Slots] {
                let next = control.drain(&mut self.access, mutator, kind);
                let entries = control.take(kind);
                match kind {
                    LogKind::Greys => self.greys.extend(entries.into_iter().map(Ref)),
                    LogKind::Slots => {
                        self.seen[mutator] = next;
                        entries.into_iter().for_each(|at| self.remember(Addr::of_word(at)));
                    }
                }
            }
        }
    }

    /// Forgets what was logged: barriers are off, and slots of released regions must not be looked at in the next cycle.
    fn discard_logs(&mut self) {
        for (mutator, control) in self.world.controls.iter().enumerate() {
            for kind in [LogKind::Greys, LogKind::Slots] {
                control.drain(&mut self.access, mutator, kind);
                control.take(kind);
            }
        }
    }

    /// Puts a slot into the remembered set of the region that it refers to now.
    pub(crate) fn remember(&mut self, slot: Addr) {
        let regions = &self.world.heap.regions;
        let value = Ref(plain(self.access.load(slot)));
        if value.is_null() || regions.of(slot).is_some_and(|of| regions.status(of) == RegionStatus::Evacuated) {
            return;
        }
        let region = regions.of_object(value);
        if self.world.is_old(region) {
            self.remembered[region.0 as usize].push(slot);
        }
    }

    /// Remembers the slots of replicas: they are new places of references into regions still to be moved.
    pub(crate) fn adopt(&mut self, replicas: impl IntoIterator<Item = Ref>) {
        for replica in replicas {
            self.world.heap.slots(replica).for_each(|slot| self.remember(slot));
        }
    }

    /// Updates a slot by compare-and-swap, so that no mutator's store is lost.
    pub(crate) fn update(&self, slot: Addr) {
        let words = &self.world.heap.words;
        let value = words.load(slot);
        if value != 0 {
            let moved = M::forward(self.world, Ref(value));
            if moved.0 != value {
                M::Access::point();
                // If it fails, a mutator has stored another reference, and logged the slot.
                let _ = words.compare_exchange(slot, value, moved.0);
            }
        }
    }

    /// Updates every slot that is known to refer to a region.
    pub(crate) fn update_remembered(&mut self, region: RegionId) {
        for slot in std::mem::take(&mut self.remembered[region.0 as usize]) {
            self.update(slot);
        }
    }

    /// Fixes the roots of mutators that are stopped.
    pub(crate) fn fix_all_roots(&mut self) {
        for mutator in 0..self.world.controls.len() {
            (0..heap::N_ROOTS).for_each(|idx| self.update(root(mutator, idx)));
        }
    }

    /// The order between moves: slots are logged, nothing else.
    pub(crate) fn recording() -> Order {
        Order::barrier(barrier::RECORD)
    }
}
