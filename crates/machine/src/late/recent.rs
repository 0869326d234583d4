//! States that a worker has come to not long ago: it need not give them again.

use system::hash;

/// How many states are remembered. A power of two.
const N_RECENT: usize = 1 << 16;

/// The states, row by row; a new one takes the place of an old one.
#[derive(Default)]
pub(crate) struct Recent {
    rows: Vec<u32>,
}

impl Recent {
    /// Whether `state` is remembered. From now on it is.
    pub(crate) fn has(&mut self, state: &[u32]) -> bool {
        // Not before it is needed: most systems put nothing off. No state has this word.
        if self.rows.is_empty() {
            self.rows.resize(N_RECENT * state.len(), u32::MAX);
        }
        let row = hash(state) as usize & (N_RECENT - 1);
        let row = &mut self.rows[row * state.len()..][..state.len()];
        let is_known = row == state;
        row.copy_from_slice(state);
        is_known
    }
}
