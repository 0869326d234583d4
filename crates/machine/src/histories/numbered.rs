//! States of the memory, numbered, with their steps looked up.
//!
//! As with thread states, a number never changes its meaning while the tables are there, and the result of an event is worked out once.

use crate::histories::room::Room;
use automata::Value;
use history::{Event, Histories};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Parts of each map, each with its own lock.
const PARTS: usize = 16;

/// A state of the memory, and its number.
type Numbers = FxHashMap<Arc<Histories>, u32>;

/// The result of an event.
#[derive(Clone, Copy)]
pub(crate) struct After {
    /// The number of the next state.
    pub(crate) number: u32,
    /// Whether the event races with an earlier one.
    pub(crate) is_race: bool,
}

/// The result of events; none if RC11 forbids the event.
type Steps = FxHashMap<(u32, Event), Option<After>>;

/// The states of the memory that were met so far.
pub(crate) struct Numbered {
    pub(crate) room: Room,
    numbers: [Mutex<Numbers>; PARTS],
    steps: [Mutex<Steps>; PARTS],
    states: boxcar::Vec<Arc<Histories>>,
    /// Whether a history was full.
    pub(crate) is_cut: AtomicBool,
    bytes: AtomicU64,
}

impl Numbered {
    /// No state but the first.
    pub(crate) fn new(room: Room) -> Self {
        let numbered = Numbered {
            numbers: std::array::from_fn(|_| Mutex::default()),
            steps: std::array::from_fn(|_| Mutex::default()),
            states: boxcar::Vec::new(),
            is_cut: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            room,
        };
        numbered.number(numbered.room.start());
        numbered
    }

    /// The state of that number.
    pub(crate) fn state(&self, number: u32) -> &Histories {
        &self.states[number as usize]
    }

    /// How many states are numbered.
    pub(crate) fn n_states(&self) -> usize {
        self.states.count()
    }

    /// The number of a state, given now if it has none yet.
    pub(crate) fn number(&self, state: Histories) -> u32 {
        let part = FxBuildHasher.hash_one(&state) >> 40;
        let mut numbers = self.numbers[part as usize % PARTS].lock().unwrap_or_else(|e| e.into_inner());
        if let Some(number) = numbers.get(&state) {
            return *number;
        }
        self.bytes.fetch_add(state.bytes() as u64 + 48, Relaxed);
        let state = Arc::new(state);
        let number = self.states.push(state.clone()) as u32;
        numbers.insert(state, number);
        number
    }

    /// The result of an event; none if RC11 forbids it.
    pub(crate) fn after(&self, number: u32, event: Event) -> Option<After> {
        if event == Event::Nothing {
            return Some(After { number, is_race: false });
        }
        let part = FxBuildHasher.hash_one((number, event)) >> 40;
        let steps = || self.steps[part as usize % PARTS].lock().unwrap_or_else(|e| e.into_inner());
        if let Some(known) = steps().get(&(number, event)) {
            return *known;
        }
        let next = self.state(number).after(&self.room.profile, event);
        if next.as_ref().is_some_and(|next| next.is_cut) {
            self.is_cut.store(true, Relaxed);
        }
        let next = next.map(|next| After { is_race: next.race.is_some(), number: self.number(next.state) });
        self.bytes.fetch_add(size_of::<((u32, Event), Option<After>)>() as u64, Relaxed);
        *steps().entry((number, event)).or_insert(next)
    }

    /// The value of each cell with a history that is last in modification order.
    pub(crate) fn shown(&self, number: u32) -> impl Iterator<Item = (automata::CellId, Value)> {
        self.room.shown(self.state(number))
    }

    /// An estimate of the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }
}
