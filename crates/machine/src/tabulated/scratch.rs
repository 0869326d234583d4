//! What a worker keeps from state to state: room that is used again, and what it remembers.
//!
//! Everything is empty at first and grows with use, so that a short search costs little.

use crate::late::findings::Findings;
use crate::late::fresh::Fresh;
use crate::late::given::Given;
use crate::late::recent::Recent;
use crate::properties::clean::Clean;
use crate::symmetry::orbits::Orbits;
use crate::tabulated::uncounted::Uncounted;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What a worker keeps.
#[derive(Default)]
pub struct Scratch {
    pub(crate) regions: Regions,
    pub(crate) orbits: Orbits,
    pub(crate) clean: Clean,
    pub(crate) findings: Findings,
    pub(crate) recent: Recent,
    pub(crate) given: Given,
    pub(crate) fresh: Fresh,
}

impl Scratch {
    /// Nothing yet; `kept_bytes` counts how much is remembered.
    pub(crate) fn new(kept_bytes: Arc<AtomicU64>) -> Self {
        Scratch { findings: Findings::new(kept_bytes), ..Scratch::default() }
    }
}

/// A step that a thread has begun.
#[derive(Clone, Default)]
pub(crate) struct Begun {
    pub(crate) thread: usize,
    pub(crate) label: u8,
    /// What was reached in it inside a region.
    pub(crate) uncounted: Uncounted,
}

/// States inside a region that wait to be expanded, each with its step as far as it was taken, and room for more.
#[derive(Default)]
pub(crate) struct Regions {
    waiting: Vec<(Vec<u32>, Begun)>,
    room: Vec<Vec<u32>>,
}

impl Regions {
    /// Forgets what waits.
    pub(crate) fn clear(&mut self) {
        self.room.extend(self.waiting.drain(..).map(|(state, _)| state));
    }

    /// A copy of `state`, which does not wait yet.
    pub(crate) fn copy(&mut self, state: &[u32]) -> Vec<u32> {
        let mut copy = self.room.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(state);
        copy
    }

    /// Lets a state wait.
    pub(crate) fn push(&mut self, state: Vec<u32>, begun: Begun) {
        self.waiting.push((state, begun));
    }

    /// Takes the state that waits last.
    pub(crate) fn pop(&mut self) -> Option<(Vec<u32>, Begun)> {
        self.waiting.pop()
    }

    /// Gives the room of a state back.
    pub(crate) fn give_back(&mut self, state: Vec<u32>) {
        self.room.push(state);
    }
}
