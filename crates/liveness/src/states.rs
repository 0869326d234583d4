//! The states of the system, by number.

use system::{StateTable, Successors, hash};

/// A state of the system: its position in the table.
pub(crate) type StateNumber = u32;

pub(crate) struct States(StateTable);

impl States {
    pub(crate) fn new(state_len: usize) -> Self {
        States(StateTable::new(state_len))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// No state has this number yet, nor a greater one.
    pub(crate) fn end(&self) -> usize {
        self.0.end()
    }

    /// Puts the words of a state into `state`.
    pub(crate) fn read(&self, number: StateNumber, state: &mut [u32]) {
        self.0.read(number as usize, state);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The hashes of `states`, which are numbered next: what that reads is read now, all at a time.
    pub(crate) fn hashes(&self, states: &Successors, hashes: &mut Vec<u64>) {
        hashes.clear();
        hashes.extend(states.iter().map(|(state, _)| hash(state)));
        if hashes.len() > 1 {
            self.0.touch(hashes.iter().copied());
        }
    }

    /// The number of `state`, whose hash this is, and whether it is new.
    ///
    /// # Panics
    /// If there is no memory for another state.
    pub(crate) fn number(&mut self, state: &[u32], hash: u64) -> (StateNumber, bool) {
        let found = self.0.insert(state, hash, 0, None).expect("there is memory for another state");
        (found.position as StateNumber, found.is_new)
    }
}
