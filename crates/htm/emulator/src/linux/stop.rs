//! One transaction at a time, and every other thread stands still meanwhile.
//!
//! A thread stands still in one of two handlers: where it waits for its turn to begin a transaction, or where a signal has sent
//! it. It says so in a *slot*. A thread that has its signals blocked, as in the first and last moments of its life, cannot be
//! sent; it may even wait for somebody who stands still. So the stop is given up after a while, and tried again.

use super::gate::{self, WakeWhen};
use super::shared::Shared;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

const MAX_THREADS: usize = 256;
const MAX_LIST: usize = 1 << 16;
/// Milliseconds of one wait for threads to stand still, and such waits until the stop is given up for a moment.
const WAIT_MS: u32 = 2;
const MAX_WAITS: u32 = 25;
const MAX_STOPS: u32 = 400;
/// Waits for threads to continue, before they are stopped again.
const MAX_DEPARTURES: u32 = 10;
/// In a slot: stands still whatever the generation.
const ALWAYS: u32 = u32::MAX;

/// The lock of transactions, and who stands still.
#[repr(C)]
pub(super) struct Stop {
    next: AtomicU32,
    serving: AtomicU32,
    owner: AtomicU32,
    /// Odd while threads must stand still.
    generation: AtomicU32,
    /// Changes when a thread stands still, or continues.
    changes: AtomicU32,
    /// A thread's number and the generation for which it stands still; 0 is free.
    slots: [AtomicU64; MAX_THREADS],
    list: UnsafeCell<[u8; MAX_LIST]>,
}

/// What one look at all threads has shown.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    n_threads: usize,
    n_running: usize,
}

impl Stop {
    /// Whether a transaction of this thread is open, or begins or ends.
    pub(super) fn is_owner(&self, thread: u32) -> bool {
        self.owner.load(Ordering::Acquire) == thread
    }

    /// Waits for its turn, and stops all other threads.
    pub(super) fn enter(&self, shared: &Shared, thread: u32, n_turns: u32) {
        self.wait_for_turn(thread);
        for _ in 0..n_turns {
            if !self.let_others_come() {
                break;
            }
            self.pass_turn();
            self.wait_for_turn(thread);
        }
        for _ in 0..MAX_STOPS {
            self.let_go_on();
            self.turn();
            if self.all_stand_still(shared, thread) {
                return;
            }
            self.turn();
        }
        gate::die("a thread cannot be stopped: its signals are blocked");
    }

    fn wait_for_turn(&self, thread: u32) {
        let slot = self.take_slot(thread);
        let ticket = self.next.fetch_add(1, Ordering::AcqRel);
        gate::stand(slot, word(thread, ALWAYS), &self.changes, &self.serving, ticket, WakeWhen::AtThis);
        self.owner.store(thread, Ordering::Release);
        slot.store(0, Ordering::Release);
    }

    fn pass_turn(&self) {
        self.owner.store(0, Ordering::Release);
        self.serving.fetch_add(1, Ordering::AcqRel);
        gate::wake(&self.serving);
    }

    /// Nobody is stopped, and nobody can begin: waits until some thread wants to. Whether one does.
    fn let_others_come(&self) -> bool {
        self.let_go_on();
        let is_wanted = || self.next.load(Ordering::Acquire) != self.serving.load(Ordering::Acquire).wrapping_add(1);
        let changes = self.changes.load(Ordering::Acquire);
        if !is_wanted() {
            gate::wait(&self.changes, changes, WAIT_MS);
        }
        is_wanted()
    }

    /// Lets the others continue, and the next one begin.
    pub(super) fn leave(&self) {
        self.owner.store(0, Ordering::Release);
        self.turn();
        self.pass_turn();
    }

    /// Stands still while the transaction of another thread is open.
    pub(super) fn stand_still(&self, thread: u32) {
        let mut generation = self.generation.load(Ordering::Acquire);
        if generation.is_multiple_of(2) || self.is_owner(thread) {
            return;
        }
        let slot = self.take_slot(thread);
        while !generation.is_multiple_of(2) {
            let says = word(thread, generation);
            gate::stand(slot, says, &self.changes, &self.generation, generation, WakeWhen::AtAnother);
            generation = self.generation.load(Ordering::Acquire);
        }
        slot.store(0, Ordering::Release);
        self.change();
    }

    fn turn(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        gate::wake(&self.generation);
    }

    fn change(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
        gate::wake(&self.changes);
    }

    /// Waits until those who stood still have left their handlers: without this, transactions that follow each other
    /// closely would let nobody else come forward.
    fn let_go_on(&self) {
        for _ in 0..MAX_DEPARTURES {
            let changes = self.changes.load(Ordering::Acquire);
            let stands = |slot: &AtomicU64| !matches!(slot.load(Ordering::Acquire) as u32, 0 | ALWAYS);
            if !self.slots.iter().any(stands) {
                break;
            }
            gate::wait(&self.changes, changes, WAIT_MS);
        }
        gate::pass();
    }

    /// Two looks that agree: nobody runs at the first, so nobody can have been created before the second.
    fn all_stand_still(&self, shared: &Shared, thread: u32) -> bool {
        let mut before = None;
        let (mut n_waits, mut sends) = (0, true);
        loop {
            let changes = self.changes.load(Ordering::Acquire);
            let look = self.look(shared, thread, sends);
            if look.n_running == 0 {
                if before == Some(look) {
                    return true;
                }
                before = Some(look);
                continue;
            }
            if n_waits == MAX_WAITS {
                return false;
            }
            before = None;
            gate::wait(&self.changes, changes, WAIT_MS);
            // If nothing has come of the signals, threads may have been created since.
            sends = self.changes.load(Ordering::Acquire) == changes || n_waits % 4 == 3;
            n_waits += 1;
        }
    }

    fn look(&self, shared: &Shared, thread: u32, sends: bool) -> Look {
        let generation = self.generation.load(Ordering::Acquire);
        let mut look = Look { n_threads: 0, n_running: 0 };
        // SAFETY: only the owner looks.
        let list = unsafe { &mut *self.list.get() };
        let mut rewinds = true;
        loop {
            let n_bytes = gate::read_folder(shared.files.tasks, list, rewinds);
            if n_bytes == 0 {
                return look;
            }
            rewinds = false;
            for other in Threads(&list[..n_bytes]) {
                look.n_threads += 1;
                if other != thread && !self.stands_still(other, generation) {
                    look.n_running += 1;
                    if sends {
                        gate::signal(shared.process, other, super::signals::stand_still_signal());
                    }
                }
            }
        }
    }

    fn stands_still(&self, thread: u32, generation: u32) -> bool {
        let (now, always) = (word(thread, generation), word(thread, ALWAYS));
        self.slots.iter().any(|slot| {
            let slot = slot.load(Ordering::Acquire);
            slot == now || slot == always
        })
    }

    /// A slot that does not say yet that the thread stands still.
    fn take_slot(&self, thread: u32) -> &AtomicU64 {
        let taken = word(thread, 0);
        let free = |slot: &&AtomicU64| slot.compare_exchange(0, taken, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        self.slots.iter().find(free).unwrap_or_else(|| gate::die("there are too many threads"))
    }
}

fn word(thread: u32, generation: u32) -> u64 {
    u64::from(thread) << 32 | u64::from(generation)
}

/// The numbers in a listing of a folder of threads (`struct linux_dirent64`).
struct Threads<'a>(&'a [u8]);

impl Iterator for Threads<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let length = usize::from(u16::from_le_bytes([*self.0.get(16)?, *self.0.get(17)?]));
            let (entry, rest) = self.0.split_at_checked(length)?;
            self.0 = rest;
            let name = entry.get(19..)?;
            let digits = name.iter().take_while(|byte| byte.is_ascii_digit());
            let number = digits.fold(0, |number: u32, digit| number.wrapping_mul(10) + u32::from(digit - b'0'));
            if number != 0 {
                return Some(number);
            }
        }
    }
}
