//! States one after the other, each word in as many bits as that word has needed so far.
//!
//! Rows are in segments. A segment has one format; a state that does not fit begins a new segment with a wider one. So words
//! that stay small, such as the numbers of thread states, cost little, and nothing is ever written anew.

use super::packing::{PADDING, Packing};
use std::ops::Range;

/// Rows of a segment.
const ROWS: usize = 1 << 10;
/// Rows that a segment has room for at first: most searches are small, and have many formats.
const FIRST_ROWS: usize = 1 << 4;

pub(crate) struct Rows {
    formats: Vec<Packing>,
    segments: Vec<Segment>,
    /// The position that the next row gets.
    next: usize,
    /// Bytes of the segments.
    bytes: usize,
}

struct Segment {
    bytes: Vec<u8>,
    format: u32,
    n_rows: u32,
}

impl Segment {
    /// Makes room for another row. None if there is no memory.
    fn reserve(&mut self, row_bytes: usize) -> Option<()> {
        let n_rows = self.n_rows as usize;
        if (n_rows + 1) * row_bytes + PADDING > self.bytes.len() {
            let len = (2 * n_rows).clamp(FIRST_ROWS, ROWS) * row_bytes + PADDING;
            self.bytes.try_reserve_exact(len - self.bytes.len()).ok()?;
            self.bytes.resize(len, 0);
        }
        Some(())
    }
}

impl Rows {
    /// No rows yet, for states of `state_len` words.
    pub(crate) fn new(state_len: usize) -> Self {
        Rows { formats: vec![Packing::new(&vec![0; state_len])], segments: Vec::new(), next: 0, bytes: 0 }
    }

    /// How many bits each word has at most, so far.
    pub(crate) fn widths(&self) -> Vec<u32> {
        self.formats.last().map_or(Vec::new(), |format| format.widths().collect())
    }

    /// The position that the next row gets, at least.
    pub(crate) fn end(&self) -> usize {
        self.next
    }

    /// Appends a state with a mark; gives its position, or none if there is no memory.
    pub(crate) fn push(&mut self, state: &[u32], mark: u8) -> Option<usize> {
        let format = &self.formats[self.formats.len() - 1];
        if !format.fits(state) {
            let needed = state.iter().map(|word| 32 - word.leading_zeros());
            let widths: Vec<u32> = format.widths().zip(needed).map(|(width, needed)| width.max(needed)).collect();
            self.formats.push(Packing::new(&widths));
            self.next = self.segments.len() * ROWS;
        }
        if self.next == self.segments.len() * ROWS {
            self.segments.push(Segment { bytes: Vec::new(), format: self.formats.len() as u32 - 1, n_rows: 0 });
        }
        let position = self.next;
        let segment = &mut self.segments[position / ROWS];
        let format = &self.formats[segment.format as usize];
        let before = segment.bytes.len();
        segment.reserve(format.row_bytes())?;
        self.bytes += segment.bytes.len() - before;
        let row = &mut segment.bytes[position % ROWS * format.row_bytes()..];
        row[0] = mark;
        format.put(row, state);
        segment.n_rows += 1;
        self.next += 1;
        Some(position)
    }

    fn row(&self, position: usize) -> (&Packing, &[u8]) {
        let segment = &self.segments[position / ROWS];
        let format = &self.formats[segment.format as usize];
        (format, &segment.bytes[position % ROWS * format.row_bytes()..])
    }

    /// Whether the state at `position` is `state`.
    pub(crate) fn is_at(&self, position: usize, state: &[u32]) -> bool {
        let (format, row) = self.row(position);
        format.is_in(row, state)
    }

    /// The mark at `position`; reading it brings the row near.
    pub(crate) fn mark(&self, position: usize) -> u8 {
        self.row(position).1[0]
    }

    /// Puts the words of the state at `position` into `state`.
    pub(crate) fn read(&self, position: usize, state: &mut [u32]) {
        let (format, row) = self.row(position);
        format.read(row, state);
    }

    /// The positions of all rows in a range, in order.
    pub(crate) fn positions(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        let segments = self.segments.iter().enumerate().skip(range.start / ROWS);
        let segments = segments.take_while(move |(i, _)| i * ROWS < range.end);
        segments
            .flat_map(|(i, segment)| i * ROWS..i * ROWS + segment.n_rows as usize)
            .filter(move |p| range.contains(p))
    }

    /// Calls `piece` with the rows from `from` on, as bytes, segment by segment.
    pub(crate) fn write_pieces<E>(&self, from: usize, mut piece: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut bytes = Vec::new();
        for (index, segment) in self.segments.iter().enumerate().skip(from / ROWS) {
            let format = &self.formats[segment.format as usize];
            let first = if index == from / ROWS { from % ROWS } else { 0 };
            let rows = first.min(segment.n_rows as usize)..segment.n_rows as usize;
            if rows.is_empty() {
                continue;
            }
            bytes.clear();
            bytes.extend_from_slice(&(index as u32).to_le_bytes());
            bytes.extend(format.widths().map(|width| width as u8));
            bytes.extend_from_slice(&segment.bytes[rows.start * format.row_bytes()..rows.end * format.row_bytes()]);
            piece(&bytes)?;
        }
        Ok(())
    }

    /// Appends the rows of a piece that `write` has given; the positions that they have. None if it is none, or not the next one.
    pub(crate) fn read_piece(&mut self, mut piece: &[u8], state_len: usize) -> Option<Range<usize>> {
        let index = u32::from_le_bytes(piece.split_off(..4)?.try_into().ok()?) as usize;
        let widths: Vec<u32> = piece.split_off(..state_len)?.iter().map(|width| u32::from(*width)).collect();
        if widths.iter().any(|width| *width > 32) {
            return None;
        }
        if index == self.segments.len() {
            if !self.formats[self.formats.len() - 1].widths().eq(widths.iter().copied()) {
                self.formats.push(Packing::new(&widths));
            }
            self.segments.push(Segment { bytes: Vec::new(), format: self.formats.len() as u32 - 1, n_rows: 0 });
        }
        let is_last = index + 1 == self.segments.len();
        let segment = self.segments.get_mut(index).filter(|_| is_last)?;
        let format = &self.formats[segment.format as usize];
        let n_rows = piece.len() / format.row_bytes();
        let first = segment.n_rows as usize;
        if !format.widths().eq(widths) || n_rows * format.row_bytes() != piece.len() || first + n_rows > ROWS {
            return None;
        }
        let before = segment.bytes.len();
        let len =
            ((first + n_rows).next_power_of_two().clamp(FIRST_ROWS, ROWS) * format.row_bytes() + PADDING).max(before);
        segment.bytes.try_reserve_exact(len - before).ok()?;
        segment.bytes.resize(len, 0);
        segment.bytes[first * format.row_bytes()..][..piece.len()].copy_from_slice(piece);
        segment.n_rows += n_rows as u32;
        self.bytes += len - before;
        self.next = index * ROWS + first + n_rows;
        Some(index * ROWS + first..self.next)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bytes + self.segments.capacity() * size_of::<Segment>()) as u64
    }
}
