//! Plain states as packed words, and back.

use crate::rules::interpreter::PlainState;
use crate::tabulated::compiled::Compiled;
use system::TransitionSystem;

impl Compiled<'_> {
    /// The canonical words of a plain state.
    pub fn pack(&self, state: &PlainState) -> Vec<u32> {
        let mut words = self.pack_plainly(state);
        self.make_canonical(&mut words);
        words
    }

    /// The words of a plain state as it stands.
    pub fn pack_plainly(&self, state: &PlainState) -> Vec<u32> {
        let mut words = vec![0; self.state_len()];
        for (cell, value) in self.automata.cells.ids().zip(&state.cells) {
            self.layout.slot(cell).set(&mut words, *value);
        }
        for (thread, local) in state.locals.iter().enumerate() {
            words[self.layout.n_words + thread] = self.locals[self.table[thread]].number(local.clone());
        }
        words
    }

    /// The plain state that canonical words stand for.
    pub fn unpack(&self, words: &[u32]) -> PlainState {
        let cells = self.automata.cells.ids().map(|cell| self.layout.slot(cell).get(words)).collect();
        let locals = (0..self.table.len()).map(|thread| self.info(words, thread).local.clone()).collect();
        PlainState { cells, locals }
    }
}
