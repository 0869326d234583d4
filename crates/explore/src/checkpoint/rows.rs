//! Stored states in the journal: their words, and what is stored beside them, in few bits.

use super::journal::{Journal, ROWS};
use crate::compact::table::Entry;
use crate::seen::SeenSet;
use std::io;
use system::Packing;

/// States of a piece.
const PIECE: usize = 1 << 12;

/// Rows that are gathered to be written: the words of each state, and its epoch; and its mark.
#[derive(Default)]
struct Piece {
    words: Vec<u32>,
    marks: Vec<u8>,
}

/// Appends all states from an epoch on.
pub(super) fn write(seen: &SeenSet, since: u32, journal: &mut Journal) -> io::Result<()> {
    let mut piece = Piece::default();
    let mut result = Ok(());
    seen.each(since..u32::MAX, |state, Entry { mark, epoch, .. }| {
        piece.words.extend_from_slice(state);
        piece.words.push(epoch);
        piece.marks.push(mark);
        if piece.marks.len() == PIECE {
            result = std::mem::take(&mut piece).append(state.len(), journal);
        }
        result.is_ok()
    });
    result?;
    if piece.marks.is_empty() {
        return Ok(());
    }
    piece.append(seen.format().state_len(), journal)
}

impl Piece {
    fn append(self, state_len: usize, journal: &mut Journal) -> io::Result<()> {
        let rows = || self.words.chunks_exact(state_len + 1);
        let mut widths = vec![0; state_len + 1];
        for row in rows() {
            widths.iter_mut().zip(row).for_each(|(width, word)| *width = u32::max(*width, 32 - word.leading_zeros()));
        }
        let packing = Packing::new(&widths);
        let mut bytes: Vec<u8> = widths.iter().map(|width| *width as u8).collect();
        let first = bytes.len();
        bytes.resize(first + self.marks.len() * packing.row_bytes() + packing.padded_bytes(), 0);
        for (at, (row, mark)) in rows().zip(&self.marks).enumerate() {
            let place = &mut bytes[first + at * packing.row_bytes()..];
            place[0] = *mark;
            packing.put(place, row);
        }
        journal.append(ROWS, Some(self.marks.len() as u32), &bytes)
    }
}

/// Calls `visit` with the words, the epoch and the mark of each state of a piece. None if it is none, or `visit` says so.
pub(super) fn read(
    n_states: usize,
    mut piece: &[u8],
    state_len: usize,
    mut visit: impl FnMut(&[u32], u32, u8) -> Option<()>,
) -> Option<()> {
    let widths: Vec<u32> = piece.split_off(..state_len + 1)?.iter().map(|width| u32::from(*width)).collect();
    if widths.iter().any(|width| *width > 32) {
        return None;
    }
    let packing = Packing::new(&widths);
    if piece.len() != n_states.checked_mul(packing.row_bytes())? + packing.padded_bytes() {
        return None;
    }
    let mut words = vec![0; state_len + 1];
    for at in 0..n_states {
        let row = &piece[at * packing.row_bytes()..];
        packing.read(row, &mut words);
        visit(&words[..state_len], words[state_len], row[0])?;
    }
    Some(())
}
