//! Handshakes and stops, as the collector sees them.

use crate::access::Access;
use crate::collector::Collector;
use crate::method::Method;
use crate::transactional::Pulse;
use crate::world::{Order, Patience};
use std::sync::atomic::Ordering;

impl<M: Method> Collector<'_, M> {
    /// Asks every mutator, and waits *until* each has acknowledged (thesis, algorithm 4, waits while it has).
    ///
    /// Mutators acknowledge one by one: for a while some have changed and some have not.
    pub(crate) fn handshake(&mut self, order: Order) {
        self.request += 1;
        for control in &self.world.controls {
            control.order.store(order.0, Ordering::Relaxed);
            // Taken over, not stored: whoever overwrites a poke sees that the run is over.
            control.request.swap(self.request, Ordering::AcqRel);
            M::Access::point();
        }
        for control in &self.world.controls {
            let mut patience = Patience::default();
            let has_answered = || {
                control.said.0.acknowledged.load(Ordering::Acquire) == self.request
                    || control.is_detached.load(Ordering::Acquire)
            };
            while !has_answered() {
                patience.wait();
            }
        }
        if self.world.is_over() {
            // A request overwrites a poke.
            self.world.end();
        }
    }

    /// The moment right after a handshake, and the steps that mutators had taken when they acknowledged it.
    pub(crate) fn pulse(&self) -> Pulse {
        let steps =
            self.world.controls.iter().map(|control| control.said.0.n_steps.load(Ordering::Relaxed)).sum::<u64>();
        Pulse { ns: self.began.elapsed().as_nanos() as f64, steps: steps as f64 }
    }

    /// Runs `work` while every mutator is stopped at a yieldpoint, its references in its shadow stack.
    pub(crate) fn rendezvous<T>(&mut self, order: Order, work: impl FnOnce(&mut Self) -> T) -> T {
        self.handshake(order.and(Order::STOP));
        let result = work(self);
        self.world.resumed.0.store(self.request, Ordering::Release);
        result
    }
}
