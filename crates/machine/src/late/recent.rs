//! States that a worker has come to not long ago: it need not give them again.

use crate::late::given::is_same;

/// How many states are remembered. A power of two.
const N_RECENT: usize = 1 << 16;

/// The states, row by row; a new one takes the place of an old one.
#[derive(Default)]
pub(crate) struct Recent {
    rows: Vec<u32>,
}

impl Recent {
    /// Reads what `has` will read for states with these hashes, without waiting in between.
    pub(crate) fn touch(&mut self, hashes: &[u64], state_len: usize) {
        // Not before it is needed: most systems put nothing off. No state has this word.
        if self.rows.is_empty() {
            self.rows.resize(N_RECENT * state_len, u32::MAX);
        }
        let first = |hash: &u64| self.rows[row(*hash) * state_len];
        std::hint::black_box(hashes.iter().fold(0, |all, hash| all ^ first(hash)));
    }

    /// Whether `state`, whose hash this is, is remembered. From now on it is.
    pub(crate) fn has(&mut self, state: &[u32], hash: u64) -> bool {
        let row = &mut self.rows[row(hash) * state.len()..][..state.len()];
        let is_known = is_same(row, state);
        row.copy_from_slice(state);
        is_known
    }
}

fn row(hash: u64) -> usize {
    hash as usize & (N_RECENT - 1)
}
