//! Plain states as packed words, and back.

use crate::rules::interpreter::PlainState;
use crate::tabulated::tables::Tabulated;
use system::TransitionSystem;

impl Tabulated<'_> {
    /// The words of a plain state, not made canonical.
    pub fn pack(&self, state: &PlainState) -> Vec<u32> {
        let mut words = vec![0; self.state_len()];
        for (cell, value) in self.automata.cells.ids().zip(&state.cells) {
            self.layout.slot(cell).set(&mut words, *value);
        }
        for (thread, local) in state.locals.iter().enumerate() {
            words[self.layout.n_words + thread] = self.locals[self.table[thread]].number(local.clone());
        }
        if let Some((numbered, memory)) = self.histories.as_ref().zip(state.memory.as_ref()) {
            words[self.memory_word()] = numbered.number(memory.clone());
        }
        words
    }

    /// The plain state that words stand for.
    pub fn unpack(&self, words: &[u32]) -> PlainState {
        let cells = self.automata.cells.ids().map(|cell| self.layout.slot(cell).get(words)).collect();
        let numbers = self.table.iter().zip(&words[self.layout.n_words..]);
        let locals = numbers.map(|(table, number)| self.locals[*table].info(*number).local.clone()).collect();
        let memory = self.histories.as_ref().map(|numbered| numbered.state(words[self.memory_word()]).clone());
        PlainState { cells, locals, memory }
    }
}
