//! The states of the system, by number.

use system::{StateTable, hash};

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

    /// The number of `state`, and whether it is new.
    ///
    /// # Panics
    /// If there is no memory for another state.
    pub(crate) fn number(&mut self, state: &[u32]) -> (StateNumber, bool) {
        let found = self.0.insert(state, hash(state), 0, None).expect("there is memory for another state");
        (found.position as StateNumber, found.is_new)
    }
}
