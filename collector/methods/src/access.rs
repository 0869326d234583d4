//! How a thread reads and writes shared words, in and outside transactions.

use crate::emulated::Clock;
use heap::{Addr, Heap};
use htm::{LoadTracking, Rtm};

/// Why a thread aborts its own transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// A mutator runs outside transactions and forbids commits.
    Veto = 1,
    /// Too many slots were logged since the collector looked.
    Tail = 2,
    /// The counter is not the one that was acknowledged.
    Stale = 3,
    /// A test wants it.
    Injected = 4,
}

/// Aborts that a test asks for: so many of a thousand transactions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Injection {
    /// Aborts per thousand transactions.
    pub per_mille: u32,
}

/// What carries transactions out.
pub struct Engine {
    /// Hardware transactions, if they are to be used.
    pub rtm: Option<Rtm>,
    /// Loads that are not tracked, if the processor has them.
    pub load_tracking: Option<LoadTracking>,
    /// Aborts on purpose.
    pub injection: Injection,
    /// Words that an emulated transaction may read and write.
    pub capacity: usize,
    pub(crate) clock: Clock,
}

impl Engine {
    /// An engine with or without hardware transactions.
    pub fn new(rtm: Option<Rtm>, injection: Injection, capacity: usize) -> Engine {
        let load_tracking = rtm.and_then(Rtm::load_tracking);
        Engine { rtm, load_tracking, injection, capacity, clock: Clock::default() }
    }
}

/// One thread's way to the memory. Outside a transaction no operation ever returns an abort.
pub trait Access<'h>: Sized {
    /// What an operation returns when the transaction around it is over; nothing can be one where the hardware
    /// jumps away by itself.
    type Abort;
    /// Whether an abort also takes back what the thread wrote to its own variables.
    const RESTORES: bool;

    /// The way of a thread, whose random numbers begin with `seed`.
    fn open(heap: &'h Heap, engine: &'h Engine, seed: u64) -> Self;

    /// Whether transactions can commit at all.
    fn is_available(engine: &Engine) -> bool;

    /// Between two accesses to what is not in the memory: another thread may come in between. Nothing on the
    /// processor's own memory, where it may anyway.
    #[inline(always)]
    fn point() {}

    /// Reads a word.
    fn load(&mut self, at: Addr) -> Result<u64, Self::Abort>;

    /// Writes a word.
    fn store(&mut self, at: Addr, value: u64) -> Result<(), Self::Abort>;

    /// Reads what no other thread writes; kept out of the read set where the processor can do that.
    #[inline(always)]
    fn untracked<T>(&mut self, read: impl FnOnce() -> T) -> T {
        read()
    }

    /// Begins a transaction. In hardware, an abort comes back here.
    fn begin(&mut self) -> Result<(), htm::Abort>;

    /// Commits it.
    fn commit(&mut self) -> Result<(), htm::Abort>;

    /// Aborts it, for a reason of its own.
    fn give_up(&mut self, code: Code) -> Self::Abort;

    /// Ends a transaction whose body came back with an abort.
    fn roll_back(&mut self, abort: Self::Abort) -> htm::Abort;

    /// Ends a transaction whose body panicked.
    fn abandon(&mut self);
}

/// Runs `body` in one transaction.
#[inline(always)]
pub(crate) fn attempt<'h, A: Access<'h>, T>(
    access: &mut A,
    body: impl FnOnce(&mut A) -> Result<T, A::Abort>,
) -> Result<T, htm::Abort> {
    access.begin()?;
    match body(access) {
        Ok(result) => access.commit().map(|()| result),
        Err(abort) => Err(access.roll_back(abort)),
    }
}

/// A small generator of random numbers (xorshift64*), one per thread.
#[derive(Clone, Copy, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of that seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number, below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    pub(crate) fn strikes(&mut self, injection: Injection) -> bool {
        injection.per_mille != 0 && self.below(1000) < u64::from(injection.per_mille)
    }
}
