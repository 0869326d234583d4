//! Which code has found nothing wrong with which cells: remembered, because it is asked again and again.
//!
//! What a thread's state leaves of the conjuncts speaks of cells only. While other threads go on without changing a cell, and
//! wherever two thread states leave the same, the answer is the same. Each worker remembers its own answers, whole keys
//! compared; a new one takes the place of an old one.

use std::cell::RefCell;

/// Cells of more words are not remembered.
const MAX_WORDS: usize = 7;
/// A power of two.
const N_ROWS: usize = 1 << 18;

type Row = [u32; MAX_WORDS + 2];

thread_local! {
    static CLEAN: RefCell<Vec<Row>> = const { RefCell::new(Vec::new()) };
}

/// Runs `judge` unless what `code`, which is not 0, stands for is known to have found nothing in these cells. `judge` says
/// whether it found nothing.
pub(crate) fn unless_clean(code: u64, cells: &[u32], judge: impl FnOnce() -> bool) {
    if cells.len() > MAX_WORDS {
        judge();
        return;
    }
    let mut key: Row = [0; MAX_WORDS + 2];
    (key[0], key[1]) = (code as u32, (code >> 32) as u32);
    key[2..cells.len() + 2].copy_from_slice(cells);
    let row = key
        .iter()
        .fold(0u64, |hash, word| (hash.rotate_left(23) ^ u64::from(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let row = (row >> 40) as usize & (N_ROWS - 1);
    let is_clean = CLEAN.with_borrow(|rows| rows.get(row) == Some(&key));
    if !is_clean && judge() {
        CLEAN.with_borrow_mut(|rows| {
            rows.resize(N_ROWS, [0; MAX_WORDS + 2]);
            rows[row] = key;
        });
    }
}
