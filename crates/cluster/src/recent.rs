//! States that were sent not long ago: who has them already is not sent them again.

use system::hash;

/// So many words are kept.
const WORDS: usize = 1 << 18;

/// Some of the states that were sent last; each has one place.
pub(crate) struct Recent {
    words: Vec<u32>,
    is_taken: Vec<bool>,
    state_len: usize,
    mask: usize,
}

impl Recent {
    pub(crate) fn new(state_len: usize) -> Self {
        let n_places = (WORDS / state_len.max(1)).next_power_of_two() / 2;
        Recent { words: Vec::new(), is_taken: Vec::new(), state_len, mask: n_places - 1 }
    }

    /// Whether the state was sent not long ago; from now on it was.
    pub(crate) fn has(&mut self, state: &[u32]) -> bool {
        if self.words.is_empty() {
            self.words.resize((self.mask + 1) * self.state_len, 0);
            self.is_taken.resize(self.mask + 1, false);
        }
        let place = hash(state) as usize & self.mask;
        let kept = &mut self.words[place * self.state_len..][..self.state_len];
        let is_there = std::mem::replace(&mut self.is_taken[place], true) && kept == state;
        kept.copy_from_slice(state);
        is_there
    }
}
