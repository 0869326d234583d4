//! A thread state's moves in one block of words, for the inner loop of the search.
//!
//! For each move a head, then one word for each value that its cell may hold: the result of the move,
//! if that is simple (one continuation, no other thread that notices). All else, and all that
//! is not worked out yet, is 0 here and the caller asks `Locals::step`.

use crate::tabulated::layout::Slot;
use automata::Value;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The block.
pub(crate) struct Record(Box<[AtomicU64]>);

/// How a move begins: which cell it reads, and how many results follow.
#[derive(Clone, Copy)]
pub(crate) struct Head(u64);

/// The result of a move, if it is simple.
#[derive(Clone, Copy)]
pub(crate) struct Simple(u64);

const STOPS_THE_WORLD: u64 = 1 << 40;
const PERFORMS_OLDEST: u64 = 1 << 41;
const NEEDS_BUS: u64 = 1 << 42;
const IS_SIMPLE: u64 = 1;
const IS_DISABLED: u64 = 1 << 1;
const IN_REGION: u64 = 1 << 2;

impl Head {
    /// The head of a move that reads `slot`, or nothing; `n_results` is 0 if none are kept here.
    pub(crate) fn new(slot: Option<Slot>, n_results: usize, stops_the_world: bool) -> Self {
        let (word, shift, bits) = slot.map_or((0, 0, 0), Slot::parts);
        let stops = if stops_the_world { STOPS_THE_WORLD } else { 0 };
        Head(u64::from(word) | u64::from(shift) << 8 | u64::from(bits) << 13 | (n_results as u64) << 20 | stops)
    }

    /// The head of the same move, which performs the oldest memory operation that the thread has pending.
    pub(crate) fn performing_oldest(self) -> Self {
        Head(self.0 | PERFORMS_OLDEST)
    }

    /// The head of the same move, which is not enabled while another thread holds the bus.
    pub(crate) fn needing_bus(self) -> Self {
        Head(self.0 | NEEDS_BUS)
    }

    /// Whether it is not enabled while another thread holds the bus.
    pub(crate) fn needs_bus(self) -> bool {
        self.0 & NEEDS_BUS != 0
    }

    /// 128 if the oldest memory operation that the thread has pending is performed, else 0.
    pub(crate) fn oldest(self) -> u8 {
        ((self.0 & PERFORMS_OLDEST) >> 34) as u8
    }

    /// How many results follow.
    pub(crate) fn n_results(self) -> usize {
        (self.0 >> 20 & 0xFFFF) as usize
    }

    /// Whether it waits for all other threads to be parked.
    pub(crate) fn stops_the_world(self) -> bool {
        self.0 & STOPS_THE_WORLD != 0
    }

    /// The raw value of the cell it reads; 0 if it reads none.
    pub(crate) fn raw(self, words: &[u32]) -> usize {
        let mask = (1u32 << (self.0 >> 13 & 31)) - 1;
        (words[(self.0 & 0xFF) as usize] >> (self.0 >> 8 & 31) & mask) as usize
    }
}

impl Simple {
    /// The thread continues in state `local`, inside a region or not, after writing a value of few bits, if any.
    pub(crate) fn new(local: u32, in_region: bool, write: Option<(Slot, Value)>) -> Option<Self> {
        let flags = if in_region { IS_SIMPLE | IN_REGION } else { IS_SIMPLE };
        let next = Simple(flags | u64::from(local) << 3);
        let Some((slot, value)) = write else { return Some(next) };
        let (word, shift, bits) = slot.parts();
        let raw = slot.raw_of(value);
        let fits = word < 256 && bits <= 12;
        let write = u64::from(word) << 35 | u64::from(shift) << 43 | u64::from(bits) << 48 | u64::from(raw) << 52;
        fits.then_some(Simple(next.0 | write))
    }

    /// The move is not enabled with this value.
    pub(crate) fn disabled() -> Self {
        Simple(IS_SIMPLE | IS_DISABLED)
    }

    /// Whether the move is not enabled with this value.
    pub(crate) fn is_disabled(self) -> bool {
        self.0 & IS_DISABLED != 0
    }

    /// Whether the thread is inside a region then.
    pub(crate) fn is_in_region(self) -> bool {
        self.0 & IN_REGION != 0
    }

    /// The thread's next state.
    pub(crate) fn local(self) -> u32 {
        (self.0 >> 3) as u32
    }

    /// Does the write, if there is one: of no bits, there is none.
    pub(crate) fn write(self, words: &mut [u32]) {
        let n_bits = self.0 >> 48 & 15;
        if n_bits != 0 {
            let shift = (self.0 >> 43 & 31) as u32;
            let mask = (1u32 << n_bits) - 1;
            let word = &mut words[(self.0 >> 35 & 0xFF) as usize];
            *word = *word & !(mask << shift) | ((self.0 >> 52) as u32) << shift;
        }
    }
}

impl Record {
    /// A block for moves with these heads.
    pub(crate) fn new(heads: &[Head]) -> Self {
        let results = |head: &Head| std::iter::repeat_with(|| AtomicU64::new(0)).take(head.n_results());
        Record(heads.iter().flat_map(|head| std::iter::once(AtomicU64::new(head.0)).chain(results(head))).collect())
    }

    /// The head at position `at`, if there is one.
    pub(crate) fn head(&self, at: usize) -> Option<Head> {
        self.0.get(at).map(|word| Head(word.load(Relaxed)))
    }

    /// The result for raw value `raw` of the move whose head is at `at`, if it is known and simple.
    pub(crate) fn simple(&self, at: usize, raw: usize) -> Option<Simple> {
        // The number of a local state is all that is read here; what it stands for is published
        // by the table of local states itself.
        let n_results = self.head(at)?.n_results();
        let word = self.0[at + 1..at + 1 + n_results].get(raw)?.load(Relaxed);
        (word & IS_SIMPLE != 0).then_some(Simple(word))
    }

    /// Keeps a result.
    pub(crate) fn keep(&self, at: usize, raw: usize, simple: Simple) {
        self.0[at + 1 + raw].store(simple.0, Relaxed);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * size_of::<AtomicU64>()
    }
}
