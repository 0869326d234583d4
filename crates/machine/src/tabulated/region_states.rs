//! The states inside a region that a path has visited: a path that loops there forever is abandoned, because it is no step.

use crate::tabulated::uncounted::Uncounted;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// So many states are visited before they are remembered: nearly all regions are short.
const FEW: usize = 1 << 10;

/// The states inside a region that were visited, with everything that distinguishes paths to them, and what those paths had reached.
#[derive(Default)]
pub(crate) struct RegionStates<T> {
    n_states: usize,
    known: FxHashMap<T, Uncounted>,
}

impl<T: Eq + Hash> RegionStates<T> {
    /// Whether `state` is to be expanded: no path was there before, or none that had reached all that this one has.
    pub(crate) fn is_new(&mut self, state: impl FnOnce() -> T, reached: &Uncounted) -> bool {
        self.n_states += 1;
        if self.n_states <= FEW {
            return true;
        }
        match self.known.entry(state()) {
            Entry::Occupied(known) => known.into_mut().take_in(reached),
            Entry::Vacant(new) => {
                new.insert(reached.clone());
                true
            }
        }
    }
}
