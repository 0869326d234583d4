//! A mutator's stores of references: what marking must not miss, and which slots now refer to what.

use crate::access::Access;
use crate::method::{Method, Step};
use crate::mutator::{ATTENTION, Mutator};
use crate::world::barrier;
use heap::{Addr, LOG_WORDS, LogKind, Ref, log_entry, log_written};

/// Entries that a step may log. With them a log is never overwritten before it is drained.
const STEP_LOGS: u64 = 512;

/// Entries after which a mutator in the odd phase commits and attends: what it logs shows at once, and the collector's transaction takes in
/// few.
const ODD_LOGS: u64 = 16;

impl<M: Method> Mutator<'_, M> {
    /// Writes a slot; greys and logs as the phase demands.
    #[inline(always)]
    pub(crate) fn store_recorded(&mut self, at: Addr, value: Ref) -> Step<(), M> {
        if self.local.barrier != 0 { self.store_slowly(at, value) } else { self.access.store(at, value.0) }
    }

    #[cold]
    fn store_slowly(&mut self, at: Addr, value: Ref) -> Step<(), M> {
        if self.local.barrier & barrier::MARK != 0 {
            // Deletion and insertion: roots are scanned one mutator after the other, and a reference may pass from
            // one that is not scanned yet to one that is.
            let old = Ref(self.access.load(at)?);
            self.grey(old)?;
            self.grey(value)?;
        }
        self.access.store(at, value.0)?;
        self.record(at, value)
    }

    /// Logs a slot that has been given a reference. After the store: whoever sees the entry sees the reference.
    pub(crate) fn record(&mut self, at: Addr, value: Ref) -> Step<(), M> {
        let records = self.local.barrier & barrier::RECORD != 0 && !value.is_null();
        if records { self.append(LogKind::Slots, at.word()) } else { Ok(()) }
    }

    pub(crate) fn grey(&mut self, object: Ref) -> Step<(), M> {
        let is_white = !object.is_null() && !self.world.heap.marks.contains(object);
        if is_white { self.append(LogKind::Greys, object.0) } else { Ok(()) }
    }

    fn append(&mut self, kind: LogKind, entry: u64) -> Step<(), M> {
        let number = self.local.written[kind as usize];
        let pending = number - self.local.drained[kind as usize];
        assert!(pending < LOG_WORDS, "a step logs at most {STEP_LOGS} references");
        let is_many = self.is_in_odd_phase() && pending >= ODD_LOGS;
        if is_many || pending > LOG_WORDS - 2 * STEP_LOGS {
            self.local.acked = ATTENTION;
        }
        self.access.store(log_entry(self.id, kind, number), entry)?;
        self.local.written[kind as usize] = number + 1;
        self.access.store(log_written(self.id, kind), number + 1)
    }
}
