//! States inside a region, so that a way that goes round there for ever is left: it is no step.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// So many states are gone through before they are remembered: nearly all regions are short.
const FEW: usize = 1 << 10;

/// The states inside a region that were gone through, with all that tells ways there apart.
#[derive(Default)]
pub(crate) struct RegionStates<T> {
    n_states: usize,
    known: FxHashSet<T>,
}

impl<T: Eq + Hash> RegionStates<T> {
    /// Whether `state` is to be gone on with.
    pub(crate) fn is_new(&mut self, state: impl FnOnce() -> T) -> bool {
        self.n_states += 1;
        self.n_states <= FEW || self.known.insert(state())
    }
}
