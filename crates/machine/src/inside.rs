//! States inside a region, so that a way that goes round there for ever is left: it is no step.

use rustc_hash::FxHashSet;

/// So many states are gone through before they are remembered: nearly all regions are short.
const FEW: usize = 1 << 10;

/// The states inside a region that were gone through.
#[derive(Default)]
pub(crate) struct Inside {
    n_states: usize,
    known: FxHashSet<Vec<u32>>,
}

impl Inside {
    /// Whether a state is to be gone on with.
    pub(crate) fn is_new(&mut self, words: &[u32]) -> bool {
        self.n_states += 1;
        self.n_states <= FEW || self.known.insert(words.to_vec())
    }
}
