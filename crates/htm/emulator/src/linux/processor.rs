//! What each instruction does.

use super::context::Context;
use super::gate;
use super::shared::{Shared, Transaction};
use crate::faults::Fate;
use crate::forbidden::Forbidden;
use std::sync::atomic::Ordering;

/// Levels of nesting that commit; measured.
const MAX_DEPTH: u32 = 7;
const NESTED: u32 = 1 << 5;
const EXPLICIT: u32 = 1;
const CODE_SHIFT: u32 = 24;
/// Bytes of `xbegin`, and of each of the others.
const BEGIN_BYTES: i64 = 6;
const OTHER_BYTES: i64 = 3;
/// Bytes of `xsusldtrk` and `xresldtrk`.
const TRACKING_BYTES: i64 = 4;

/// A thread in a handler.
pub(super) struct Processor<'a> {
    shared: &'static Shared,
    context: Context<'a>,
    thread: u32,
}

impl<'a> Processor<'a> {
    pub(super) fn new(context: Context<'a>) -> Processor<'a> {
        Processor { shared: Shared::get(), context, thread: gate::thread() }
    }

    /// The open transaction, if this thread has one.
    fn open(&self) -> Option<&'static mut Transaction> {
        if !self.shared.stop.is_owner(self.thread) {
            return None;
        }
        // SAFETY: the owner, in a handler that no signal interrupts; every caller lets go of it before the next asks.
        let transaction = unsafe { self.shared.transaction() };
        (transaction.depth > 0).then_some(transaction)
    }

    /// Carries the instruction out that has trapped. Whether it was one of RTM's.
    pub(super) fn execute(&mut self) -> bool {
        match [self.context.byte(0), self.context.byte(1)] {
            [0xc7, 0xf8] => self.begin(),
            [0xc6, 0xf8] => self.abort_by_program(),
            [0x0f, 0x01] => match self.context.byte(2) {
                0xd5 => return self.end(),
                0xd6 => self.test(),
                _ => return false,
            },
            [0xf2, 0x0f] => match [self.context.byte(2), self.context.byte(3)] {
                [0x01, 0xe8 | 0xe9] => return self.suspend_or_resume(),
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// `xsusldtrk`, `xresldtrk`: nothing runs beside a transaction, so what is tracked does not matter. Outside one they are faults.
    fn suspend_or_resume(&mut self) -> bool {
        if self.open().is_none() {
            return false;
        }
        self.context.skip(TRACKING_BYTES);
        self.watch();
        true
    }

    /// `xbegin`.
    fn begin(&mut self) {
        let offset = i32::from_le_bytes([2, 3, 4, 5].map(|n| self.context.byte(n)));
        let fallback = self.context.place() + BEGIN_BYTES + i64::from(offset);
        if let Some(transaction) = self.open() {
            if transaction.depth == MAX_DEPTH {
                return self.abort(0);
            }
            transaction.depth += 1;
            self.context.skip(BEGIN_BYTES);
            return self.watch();
        }
        self.shared.counters().begun.fetch_add(1, Ordering::Relaxed);
        let fate = self.shared.fate();
        if let Fate::Aborts { status } = fate {
            self.shared.count_abort(status);
            return self.context.jump(fallback, status);
        }
        self.shared.stop.enter(self.shared, self.thread, self.shared.n_turns());
        self.start(fallback, fate);
        self.context.skip(BEGIN_BYTES);
        self.watch();
    }

    /// Saves everything. All other threads stand still.
    fn start(&mut self, fallback: i64, fate: Fate) {
        let left_out = self.context.handler_stack();
        // SAFETY: this thread has just become the owner.
        let transaction = unsafe { self.shared.transaction() };
        transaction.depth = 1;
        transaction.fallback = fallback;
        (transaction.n_left, transaction.status) = match fate {
            Fate::AbortsAfter { n_instructions, status } => (u64::from(n_instructions), status),
            _ => (u64::MAX, 0),
        };
        transaction.is_stepped = matches!(fate, Fate::AbortsAfter { .. } | Fate::Stepped);
        self.context.save(&mut transaction.registers);
        // SAFETY: no other thread runs.
        unsafe { transaction.snapshot.take(self.shared.files, left_out) };
        self.context.set_stepping(transaction.is_stepped);
        gate::refuse_calls(true);
    }

    /// `xend`. Outside a transaction it is a fault.
    fn end(&mut self) -> bool {
        let Some(transaction) = self.open() else { return false };
        transaction.depth -= 1;
        self.context.skip(OTHER_BYTES);
        if transaction.depth > 0 {
            self.watch();
            return true;
        }
        self.shared.counters().committed.fetch_add(1, Ordering::Relaxed);
        self.context.set_stepping(false);
        self.leave();
        true
    }

    /// `xtest`.
    fn test(&mut self) {
        let is_outside = self.open().is_none();
        self.context.set_zero(is_outside);
        self.context.skip(OTHER_BYTES);
        self.watch();
    }

    /// `xabort`. Outside a transaction it does nothing.
    fn abort_by_program(&mut self) {
        let code = u32::from(self.context.byte(2));
        match self.open() {
            Some(_) => self.abort(code << CODE_SHIFT | EXPLICIT),
            None => self.context.skip(OTHER_BYTES),
        }
    }

    /// Takes everything back since the outermost beginning.
    fn abort(&mut self, status: u32) {
        let Some(transaction) = self.open() else { return };
        let nested = if transaction.depth > 1 { NESTED } else { 0 };
        transaction.depth = 0;
        // SAFETY: no other thread has run since the beginning.
        unsafe { transaction.snapshot.restore(self.shared.files) };
        self.context.restore(&transaction.registers);
        self.context.jump(transaction.fallback, status | nested);
        self.shared.count_abort(status | nested);
        self.leave();
    }

    fn leave(&self) {
        gate::refuse_calls(false);
        self.shared.stop.leave();
    }

    /// Before an instruction of a transaction that is executed step by step: whether there is any left, and what it is.
    fn watch(&mut self) {
        let Some(transaction) = self.open().filter(|transaction| transaction.is_stepped) else { return };
        if transaction.n_left == 0 {
            return self.abort(transaction.status);
        }
        transaction.n_left -= 1;
        self.shared.counters().stepped.fetch_add(1, Ordering::Relaxed);
        if let Some(forbidden) = Forbidden::at(|n| self.context.byte(n)) {
            self.offend(forbidden, self.context.place() as u64);
        }
    }

    fn offend(&mut self, forbidden: Forbidden, address: u64) {
        self.shared.offend(forbidden, address);
        self.abort(forbidden.status());
    }

    /// After an instruction of such a transaction. Whether it was in one.
    pub(super) fn step(&mut self) -> bool {
        let is_inside = self.open().is_some_and(|transaction| transaction.is_stepped);
        if is_inside {
            self.watch();
        }
        is_inside
    }

    /// A fault: invisible inside a transaction, but for its status. Whether it was in one.
    pub(super) fn fault(&mut self, status: u32) -> bool {
        let is_inside = self.open().is_some();
        self.abort(status);
        is_inside
    }

    /// A system call from outside the gate. Whether it was in a transaction.
    pub(super) fn refuse(&mut self, address: u64) -> bool {
        let is_inside = self.open().is_some();
        if is_inside {
            self.offend(Forbidden::SystemCall, address);
        }
        is_inside
    }

    /// Another thread wants to be alone.
    pub(super) fn stand_still(&self) {
        self.shared.stop.stand_still(self.thread);
    }
}
