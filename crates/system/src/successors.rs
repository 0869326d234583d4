//! The successors of a state, in one buffer that is used again and again.

use crate::PropertyIndex;

/// States with, for each, the label of the step that leads there, and what is to be said of all of them.
pub struct Successors {
    state_len: usize,
    words: Vec<u32>,
    labels: Vec<u8>,
    /// Whether some path does not exist after all: then having no successor is no deadlock.
    pub discarded: bool,
    /// A property that a state on the way violates: one that is left out.
    pub violated: Option<PropertyIndex>,
    /// How many states there may be at most. Whoever appends more stops there.
    pub most: usize,
    /// How many steps are left out because they lead to states that were given before.
    pub n_repeated: u64,
}

impl Successors {
    /// An empty buffer for states of `state_len` words.
    pub fn new(state_len: usize) -> Self {
        let (words, labels) = (Vec::new(), Vec::new());
        Successors { state_len, words, labels, discarded: false, violated: None, most: usize::MAX, n_repeated: 0 }
    }

    /// Forgets all, keeping the room.
    pub fn clear(&mut self) {
        self.words.clear();
        self.labels.clear();
        self.discarded = false;
        self.violated = None;
        self.n_repeated = 0;
    }

    /// How many steps there are, those that are left out included.
    pub fn n_steps(&self) -> u64 {
        self.labels.len() as u64 + self.n_repeated
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether no further state is wanted.
    pub fn is_full(&self) -> bool {
        self.labels.len() >= self.most
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Whether the state whose successors these are has no step.
    pub fn is_end(&self) -> bool {
        self.labels.is_empty() && !self.discarded
    }

    /// Appends a copy of `state`, to which a step with this label leads, and gives it for changing.
    pub fn push(&mut self, state: &[u32], label: u8) -> &mut [u32] {
        let start = self.words.len();
        self.words.extend_from_slice(state);
        self.labels.push(label);
        &mut self.words[start..]
    }

    /// The state pushed last does not exist after all.
    pub fn discard_last(&mut self) {
        self.words.truncate(self.words.len() - self.state_len);
        self.labels.pop();
        self.discarded = true;
    }

    /// The states of which `is_none` says so do not exist after all.
    pub fn discard_if(&mut self, is_none: impl Fn(&[u32]) -> bool) {
        let (len, mut kept) = (self.state_len, 0);
        for at in 0..self.labels.len() {
            let state = at * len..(at + 1) * len;
            if is_none(&self.words[state.clone()]) {
                self.discarded = true;
                continue;
            }
            self.words.copy_within(state, kept * len);
            self.labels[kept] = self.labels[at];
            kept += 1;
        }
        self.words.truncate(kept * len);
        self.labels.truncate(kept);
    }

    /// The states, each with the label of the step that leads there.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], u8)> {
        self.words.chunks_exact(self.state_len.max(1)).zip(self.labels.iter().copied())
    }
}
