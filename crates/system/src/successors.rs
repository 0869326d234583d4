//! The successors of a state, in one buffer that is used again and again.

use crate::PropertyIndex;

/// States with, for each, the thread whose step leads there.
pub struct Successors {
    state_len: usize,
    words: Vec<u32>,
    threads: Vec<u8>,
    /// States inside a region, waiting to be gone on with, and room for more.
    unfinished: Vec<(Vec<u32>, u8)>,
    room: Vec<Vec<u32>>,
    /// Whether some path does not exist after all: then having no successor is no deadlock.
    pub discarded: bool,
    /// A property that a state on the way violates: one that is left out.
    pub violated: Option<PropertyIndex>,
    /// Whether states pushed by `push_unless_recent` are remembered, and those pushed not long ago, row by row.
    remembers: bool,
    recent: Vec<u32>,
    /// How many of them were met again.
    n_repeated: usize,
}

/// How many states are remembered as recent. A power of two.
const N_RECENT: usize = 1 << 16;

impl Successors {
    /// An empty buffer for states of `state_len` words.
    pub fn new(state_len: usize) -> Self {
        Successors {
            state_len,
            words: Vec::new(),
            threads: Vec::new(),
            unfinished: Vec::new(),
            room: Vec::new(),
            discarded: false,
            violated: None,
            remembers: false,
            recent: Vec::new(),
            n_repeated: 0,
        }
    }

    /// As `new`, for one who needs no state twice: those pushed not long ago are remembered.
    pub fn remembering(state_len: usize) -> Self {
        Successors { remembers: true, ..Successors::new(state_len) }
    }

    /// Forgets all states but those remembered, keeping the room.
    pub fn clear(&mut self) {
        self.words.clear();
        self.threads.clear();
        self.unfinished.clear();
        self.discarded = false;
        self.violated = None;
        self.n_repeated = 0;
    }

    /// How many steps lead to them, those to states that were not pushed again included.
    pub fn n_steps(&self) -> usize {
        self.threads.len() + self.n_repeated
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Appends a copy of `state`, reached by `thread`, and gives it for changing.
    pub fn push(&mut self, state: &[u32], thread: u8) -> &mut [u32] {
        let start = self.words.len();
        self.words.extend_from_slice(state);
        self.threads.push(thread);
        &mut self.words[start..]
    }

    /// As `push`, unless the same is remembered, be it from another call.
    pub fn push_unless_recent(&mut self, state: &[u32], thread: u8) -> Option<&mut [u32]> {
        if !self.remembers {
            return Some(self.push(state, thread));
        }
        // Not before it is needed: most systems push nothing this way. No state has this word.
        if self.recent.is_empty() {
            self.recent.resize(N_RECENT * self.state_len, u32::MAX);
        }
        let mix = |hash: u64, word: &u32| (hash ^ u64::from(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let hash = state.iter().fold(0, mix);
        let row = (hash ^ hash >> 32) as usize & (N_RECENT - 1);
        let row = &mut self.recent[row * self.state_len..][..self.state_len];
        if row == state {
            self.n_repeated += 1;
            return None;
        }
        row.copy_from_slice(state);
        Some(self.push(state, thread))
    }

    /// Sets aside a copy of `state` that is inside a region, reached by a step with this label, and gives it for changing.
    pub fn push_unfinished(&mut self, state: &[u32], label: u8) -> &mut [u32] {
        let mut copy = self.room.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(state);
        self.unfinished.push((copy, label));
        &mut self.unfinished.last_mut().expect("just pushed").0
    }

    /// The state pushed last does not exist after all.
    pub fn discard_last(&mut self) {
        self.words.truncate(self.words.len() - self.state_len);
        self.threads.pop();
        self.discarded = true;
    }

    /// The states of which `is_none` says so do not exist after all.
    pub fn discard_if(&mut self, is_none: impl Fn(&[u32]) -> bool) {
        let (len, mut kept) = (self.state_len, 0);
        for at in 0..self.threads.len() {
            let state = at * len..(at + 1) * len;
            if is_none(&self.words[state.clone()]) {
                self.discarded = true;
                continue;
            }
            self.words.copy_within(state, kept * len);
            self.threads[kept] = self.threads[at];
            kept += 1;
        }
        self.words.truncate(kept * len);
        self.threads.truncate(kept);
    }

    /// The state set aside last does not exist after all.
    pub fn discard_unfinished(&mut self) {
        let state = self.unfinished.pop();
        self.room.extend(state.map(|(state, _)| state));
        self.discarded = true;
    }

    /// Takes a state that was set aside, with its label.
    pub fn take_unfinished(&mut self) -> Option<(Vec<u32>, u8)> {
        self.unfinished.pop()
    }

    /// Gives the room of a state back for later use.
    pub fn give_back(&mut self, state: Vec<u32>) {
        self.room.push(state);
    }

    /// The states, each with the thread that leads there.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], u8)> {
        self.words.chunks_exact(self.state_len.max(1)).zip(self.threads.iter().copied())
    }
}
