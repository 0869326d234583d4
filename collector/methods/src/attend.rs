//! A mutator at a yieldpoint at which something is requested: handshakes, stops, fresh memory.

use crate::access::Access;
use crate::method::Method;
use crate::mutator::{Mutator, STEP_WORDS, plain};
use crate::options::Trigger;
use crate::world::{Order, POKE, Patience, barrier};
use heap::{LogKind, N_REGISTERS, Ref, root};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Cycles after each of which there was no free region, until memory is said to be exhausted.
const MAX_CYCLES: u32 = 200;

impl<M: Method> Mutator<'_, M> {
    /// Serves whoever asked, and gets what the next step needs. References are in the shadow stack meanwhile.
    #[cold]
    pub(crate) fn attend(&mut self) {
        let started = Instant::now();
        let barrier = self.local.barrier;
        self.spill();
        if self.serve() {
            self.stats.waits_ns.push(started.elapsed().as_nanos() as u64);
            self.count_pace(started, barrier);
        }
        self.drain();
        self.refill();
        M::observe(self);
        self.reload();
        self.local.acked = self.local.served;
    }

    /// Counts what was done since the last handshake, if regions moved meanwhile.
    fn count_pace(&mut self, now: Instant, set: u8) {
        let (since, n_steps) = std::mem::replace(&mut self.last_served, (now, self.local.n_steps));
        if set & (barrier::MARK | barrier::RECORD) == barrier::RECORD {
            self.stats.moving.n_steps += self.local.n_steps - n_steps;
            self.stats.moving.time += now - since;
        }
    }

    /// Acknowledges a handshake, after doing what it asks.
    fn serve(&mut self) -> bool {
        let request = self.control.request.load(Ordering::Acquire) & !POKE;
        if request == self.local.served {
            self.unpoke(request);
            return false;
        }
        let order = Order(self.control.order.load(Ordering::Relaxed));
        self.local.barrier = order.barrier_set();
        if order.asks(Order::RETIRE) {
            (self.local.top, self.local.limit) = (0, 0);
        }
        if order.asks(Order::SCAN) {
            self.scan();
        }
        if order.asks(Order::FIX) {
            self.fix();
        }
        M::observe(self);
        self.drain();
        self.local.served = request;
        let said = &self.control.said.0;
        said.n_steps.store(self.local.n_steps, Ordering::Relaxed);
        said.acknowledged.store(request, Ordering::Release);
        if order.asks(Order::STOP) {
            let mut patience = Patience::default();
            while self.world.resumed.0.load(Ordering::Acquire) < request {
                patience.wait();
            }
        }
        true
    }

    /// Takes a poke back, unless a handshake has come.
    fn unpoke(&self, request: u64) {
        let poked = request | POKE;
        let _ = self.control.request.compare_exchange(poked, request, Ordering::AcqRel, Ordering::Acquire);
    }

    fn scan(&mut self) {
        for idx in 0..self.local.n_roots {
            let object = Ref(plain(self.access.load(root(self.id, idx))));
            plain(self.grey(object));
        }
    }

    /// Replaces references to originals by references to replicas (the thesis' `fixStack`).
    pub(crate) fn fix(&mut self) {
        for idx in 0..self.local.n_roots {
            let object = Ref(plain(self.access.load(root(self.id, idx))));
            if !object.is_null() {
                let moved = M::forward(self.world, object);
                if moved != object {
                    plain(self.access.store(root(self.id, idx), moved.0));
                }
            }
        }
    }

    fn spill(&mut self) {
        for idx in 0..N_REGISTERS {
            plain(self.access.store(root(self.id, idx), self.local.registers[idx].0));
        }
    }

    fn reload(&mut self) {
        for idx in 0..N_REGISTERS {
            self.local.registers[idx] = Ref(plain(self.access.load(root(self.id, idx))));
        }
    }

    fn drain(&mut self) {
        for kind in [LogKind::Greys, LogKind::Slots] {
            if self.local.written[kind as usize] != self.local.drained[kind as usize] {
                self.control.drain(&mut self.access, self.id, kind);
                self.local.drained[kind as usize] = self.local.written[kind as usize];
            }
        }
    }

    /// Takes a region, if a step might need it; waits for one if there is none.
    fn refill(&mut self) {
        let mut patience = Patience::default();
        let (mut last_cycle, mut n_cycles) = (0, 0);
        while self.local.limit - self.local.top < STEP_WORDS {
            let cycle = self.world.cycle.load(Ordering::Acquire);
            if self.take_region(self.reserve()) {
                return;
            }
            n_cycles += u32::from(cycle != last_cycle);
            last_cycle = cycle;
            if n_cycles > MAX_CYCLES || self.world.options.trigger == Trigger::Never {
                self.world.fail("out of memory: the live objects do not fit the heap".to_string());
            }
            if self.world.failure().is_some() {
                // The run is lost; one more region lets this thread reach its end.
                assert!(self.take_region(0), "out of memory");
                return;
            }
            self.world.is_wanted.store(true, Ordering::Release);
            self.serve();
            patience.wait();
        }
    }

    /// Regions that only evacuation may take.
    fn reserve(&self) -> usize {
        self.world.heap.regions.count() / 4
    }

    /// Makes a free region the place of new objects. Whether there was one.
    pub(crate) fn take_region(&mut self, reserve: usize) -> bool {
        let regions = &self.world.heap.regions;
        let Some(region) = regions.take(self.world.cycle.load(Ordering::Acquire), reserve) else { return false };
        let start = regions.start(region);
        if M::IS_TRANSACTIONAL {
            // A page that nobody has used for a while aborts the transaction that allocates there.
            htm::area::touch_writes(self.world.heap.words.area(start, regions.words()));
        }
        self.stats.allocated_words += regions.words();
        self.local.top = start.word();
        self.local.limit = self.local.top + regions.words();
        true
    }

    /// Leaves the world: no roots, nothing in the logs that is not drained.
    pub(crate) fn detach(&mut self) {
        (0..heap::N_ROOTS).for_each(|idx| plain(self.access.store(root(self.id, idx), 0)));
        self.drain();
        self.control.is_detached.store(true, Ordering::Release);
    }
}
