//! Transactions in software, to test the protocols where there are none in hardware. No figure comes from here: every
//! access is instrumented, which is a read barrier in disguise.
//!
//! One sequence lock, buffered writes, and validation by value (NOrec: Dalessandro, Spear and Scott, PPoPP 2010). Plain
//! stores take the lock too, so isolation is strong, as in hardware; a transaction never sees a state that
//! no serial execution has.

use crate::access::{Access, Code, Engine, Random};
use crate::schedule;
use heap::{Addr, Heap, Words};
use htm::Abort;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

const CONFLICT: Abort = Abort { status: 0x6 };
const CAPACITY: Abort = Abort { status: 0x8 };
const UNEXPLAINED: Abort = Abort { status: 0 };

/// Odd while a thread writes; a new even number after each write or commit.
#[derive(Default)]
pub(crate) struct Clock(AtomicU64);

/// Shared words behind the lock.
pub struct Emulated<'h> {
    words: &'h Words,
    engine: &'h Engine,
    open: Option<Open>,
    random: Random,
}

/// A transaction under way.
struct Open {
    /// The even number at which all reads are valid.
    at: u64,
    reads: Vec<(Addr, u64)>,
    writes: BTreeMap<Addr, u64>,
    /// Operations until an abort that a test wants, and the abort.
    fuse: Option<(u64, Abort)>,
}

impl Clock {
    fn even(&self) -> u64 {
        loop {
            let now = self.0.load(Ordering::SeqCst);
            if now.is_multiple_of(2) {
                return now;
            }
            std::thread::yield_now();
        }
    }

    /// Reads a word while no thread writes.
    fn read(&self, words: &Words, at: Addr) -> u64 {
        loop {
            let now = self.even();
            let value = words.load(at);
            if self.is(now) {
                return value;
            }
        }
    }

    /// Takes the lock if the number is still `at`.
    fn lock(&self, at: u64) -> bool {
        self.0.compare_exchange(at, at + 1, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn unlock(&self, at: u64) {
        self.0.store(at + 2, Ordering::SeqCst);
    }

    fn is(&self, at: u64) -> bool {
        self.0.load(Ordering::SeqCst) == at
    }
}

impl Open {
    /// An even number at which all reads are still what they were.
    fn validate(&self, words: &Words, clock: &Clock) -> Result<u64, Abort> {
        loop {
            let now = clock.even();
            if self.reads.iter().any(|(at, value)| words.load(*at) != *value) {
                return Err(CONFLICT);
            }
            if clock.is(now) {
                return Ok(now);
            }
        }
    }

    fn load(&mut self, at: Addr, words: &Words, clock: &Clock) -> Result<u64, Abort> {
        if let Some(value) = self.writes.get(&at) {
            return Ok(*value);
        }
        loop {
            let value = words.load(at);
            if clock.is(self.at) {
                self.reads.push((at, value));
                return Ok(value);
            }
            self.at = self.validate(words, clock)?;
        }
    }

    /// Counts one operation: the fuse burns, the sets grow.
    fn operate(&mut self, capacity: usize) -> Result<(), Abort> {
        if let Some((left, abort)) = &mut self.fuse {
            *left = left.checked_sub(1).ok_or(*abort)?;
        }
        if self.reads.len() + self.writes.len() > capacity { Err(CAPACITY) } else { Ok(()) }
    }
}

impl Emulated<'_> {
    /// Lets another thread run, as the schedule says or now and then: orders that a machine with few processors would
    /// hardly ever show. After a load as well as before: what is done with the value may come late.
    fn dawdle(&mut self) {
        if !schedule::point() && self.random.below(40) == 0 {
            std::thread::yield_now();
        }
    }

    /// An abort on purpose, of a kind that hardware has without a reason of ours.
    fn injected(&mut self) -> Abort {
        let kinds = [Abort::explicit(Code::Injected as u8), CONFLICT, UNEXPLAINED];
        kinds[self.random.below(kinds.len() as u64) as usize]
    }
}

impl<'h> Access<'h> for Emulated<'h> {
    type Abort = Abort;
    const RESTORES: bool = false;

    fn open(heap: &'h Heap, engine: &'h Engine, seed: u64) -> Self {
        Emulated { words: &heap.words, engine, open: None, random: Random::new(seed) }
    }

    fn is_available(_engine: &Engine) -> bool {
        true
    }

    fn point() {
        schedule::point();
    }

    fn load(&mut self, at: Addr) -> Result<u64, Abort> {
        self.dawdle();
        let (words, clock) = (self.words, &self.engine.clock);
        let value = match &mut self.open {
            Some(open) => {
                open.operate(self.engine.capacity)?;
                open.load(at, words, clock)?
            }
            None => clock.read(words, at),
        };
        self.dawdle();
        Ok(value)
    }

    fn store(&mut self, at: Addr, value: u64) -> Result<(), Abort> {
        self.dawdle();
        if let Some(open) = &mut self.open {
            open.operate(self.engine.capacity)?;
            open.writes.insert(at, value);
            return Ok(());
        }
        let clock = &self.engine.clock;
        loop {
            let now = clock.even();
            if clock.lock(now) {
                self.words.store(at, value);
                clock.unlock(now);
                return Ok(());
            }
        }
    }

    fn begin(&mut self) -> Result<(), Abort> {
        let struck = self.random.strikes(self.engine.injection);
        let fuse = struck.then(|| (self.random.below(200), self.injected()));
        let at = self.engine.clock.even();
        self.open = Some(Open { at, reads: Vec::new(), writes: BTreeMap::new(), fuse });
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Abort> {
        let clock = &self.engine.clock;
        let mut open = self.open.take().expect("a transaction is open");
        if let Some((_, abort)) = open.fuse {
            return Err(abort);
        }
        if open.writes.is_empty() {
            return Ok(());
        }
        while !clock.lock(open.at) {
            open.at = open.validate(self.words, clock)?;
        }
        for (at, value) in &open.writes {
            self.words.store(*at, *value);
        }
        clock.unlock(open.at);
        Ok(())
    }

    fn give_up(&mut self, code: Code) -> Abort {
        Abort::explicit(code as u8)
    }

    fn roll_back(&mut self, abort: Abort) -> Abort {
        self.open = None;
        abort
    }

    fn abandon(&mut self) {
        self.open = None;
    }
}
