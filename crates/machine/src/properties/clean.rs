//! Which code has found nothing wrong with which cells: remembered, because it is run again and again.
//!
//! What a thread's state leaves of the conjuncts speaks of cells only. While other threads continue without changing a cell, and
//! wherever two thread states leave the same, the answer is the same. Each worker remembers its own answers, whole keys
//! compared; a new one takes the place of an old one.

use system::hash;

/// Cells of more words are not remembered.
const MAX_WORDS: usize = 7;
/// Rows of the table at first and at last: powers of two. It is small at first because most searches are.
const FEW_ROWS: usize = 1 << 8;
const MOST_ROWS: usize = 1 << 18;
/// It grows so many times when half of it is in use.
const GROWTH: usize = 4;

/// The number of the code, then the cells.
type Row = [u32; MAX_WORDS + 2];

const EMPTY: Row = [0; MAX_WORDS + 2];

/// What was found clean.
#[derive(Default)]
pub(crate) struct Clean {
    rows: Vec<Row>,
    n_used: usize,
}

impl Clean {
    /// Runs `judge` unless what `code`, which is not 0, stands for is known to have found nothing in these cells. `judge` says
    /// whether it found nothing.
    pub(crate) fn unless_clean(&mut self, code: u64, cells: &[u32], judge: impl FnOnce() -> bool) {
        if cells.len() > MAX_WORDS {
            judge();
            return;
        }
        let mut key = EMPTY;
        (key[0], key[1]) = (code as u32, (code >> 32) as u32);
        key[2..cells.len() + 2].copy_from_slice(cells);
        let hash = hash(&key[..cells.len() + 2]);
        let is_clean = self.rows.get(self.row(hash)) == Some(&key);
        if !is_clean && judge() {
            self.put(key, cells.len() + 2, hash);
        }
    }

    fn row(&self, hash: u64) -> usize {
        hash as usize & self.rows.len().wrapping_sub(1)
    }

    /// Remembers a key, of which so many words count.
    fn put(&mut self, key: Row, len: usize, hash: u64) {
        if self.n_used * 2 >= self.rows.len() && self.rows.len() < MOST_ROWS {
            self.grow(len);
        }
        let row = self.row(hash);
        self.n_used += usize::from(self.rows[row] == EMPTY);
        self.rows[row] = key;
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        let n_rows = (self.rows.len() * GROWTH).clamp(FEW_ROWS, MOST_ROWS);
        let old = std::mem::replace(&mut self.rows, vec![EMPTY; n_rows]);
        self.n_used = 0;
        for key in old.into_iter().filter(|key| *key != EMPTY) {
            self.put(key, len, hash(&key[..len]));
        }
    }
}
