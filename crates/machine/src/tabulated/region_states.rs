//! The states inside a region that a path has visited: a path that loops there forever is abandoned, because it is no step.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// So many states are visited before they are remembered: nearly all regions are short.
const FEW: usize = 1 << 10;

/// The states inside a region that were visited, with everything that distinguishes paths to them.
#[derive(Default)]
pub(crate) struct RegionStates<T> {
    n_states: usize,
    known: FxHashSet<T>,
}

impl<T: Eq + Hash> RegionStates<T> {
    /// Whether `state` is to be expanded.
    pub(crate) fn is_new(&mut self, state: impl FnOnce() -> T) -> bool {
        self.n_states += 1;
        self.n_states <= FEW || self.known.insert(state())
    }
}
