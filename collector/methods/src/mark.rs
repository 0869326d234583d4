//! Marking while mutators run: a snapshot at the beginning, kept by a deletion barrier; and the remembered sets.
//!
//! Roots are scanned one mutator after the other, so an insertion barrier is on as well: a reference that passes from a mutator
//! not yet scanned to one that is would be missed. New objects are in regions that this cycle does not move.

use crate::access::Access;
use crate::collector::Collector;
use crate::method::Method;
use crate::mutator::plain;
use crate::options::Omission;
use crate::world::{Order, barrier};
use heap::Ref;
use std::sync::atomic::Ordering;

impl<M: Method> Collector<'_, M> {
    /// Marks every object that was reachable, and remembers every slot that refers to a region which may move.
    pub(crate) fn mark(&mut self) {
        let is_late = self.world.options.omission == Omission::Recording;
        let marking = barrier::MARK | if is_late { 0 } else { barrier::RECORD };
        self.world.heap.marks.clear();
        self.remembered.iter_mut().for_each(Vec::clear);
        self.cycle += 1;
        self.world.cycle.store(self.cycle, Ordering::Release);
        self.retire();
        // The barriers are on everywhere before the first existing slot or root is looked at.
        self.handshake(Order::barrier(marking).and(Order::RETIRE));
        let from = self.pulse();
        self.greys.push(self.world.globals);
        self.handshake(Order::barrier(marking).and(Order::SCAN));
        loop {
            self.take_logs();
            if self.trace() == 0 {
                // Nothing was grey. Whoever acknowledges now with an empty log has greyed nothing since, and all logs
                // empty means that no object was grey when the first one acknowledged.
                self.handshake(Order::barrier(marking));
                self.take_logs();
                if self.greys.iter().all(|object| self.world.heap.marks.contains(*object)) {
                    break;
                }
            }
        }
        self.greys.clear();
        self.handshake(Self::recording());
        self.choice.note_pace(from, self.pulse());
        self.take_logs();
    }

    /// Marks from the grey objects on. Returns how many were marked.
    fn trace(&mut self) -> usize {
        let mut n_marked = 0;
        while let Some(object) = self.greys.pop() {
            if !self.world.heap.marks.insert(object) {
                continue;
            }
            n_marked += 1;
            for slot in self.world.heap.slots(object) {
                let value = Ref(plain(self.access.load(slot)));
                if !value.is_null() {
                    self.remember(slot);
                    self.greys.push(value);
                }
            }
        }
        n_marked
    }
}
