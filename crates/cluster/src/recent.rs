//! States that were sent not long ago: who has them already is not sent them again.

/// So many states are kept.
const STATES: usize = 1 << 13;

/// Some of the states that were sent last; each has one place.
#[derive(Default)]
pub(crate) struct Recent {
    /// The hash of the state at each place; 0 if there is none.
    hashes: Vec<u64>,
    words: Vec<u32>,
}

impl Recent {
    /// Whether the state with this hash was sent not long ago; from now on it was.
    pub(crate) fn has(&mut self, state: &[u32], hash: u64) -> bool {
        if self.hashes.is_empty() {
            self.hashes.resize(STATES, 0);
            self.words.resize(STATES * state.len(), 0);
        }
        let hash = hash.max(1);
        // Not the upper bits, which choose the owner.
        let place = hash as usize & (STATES - 1);
        let kept = &mut self.words[place * state.len()..][..state.len()];
        if std::mem::replace(&mut self.hashes[place], hash) == hash && kept == state {
            return true;
        }
        kept.copy_from_slice(state);
        false
    }
}
