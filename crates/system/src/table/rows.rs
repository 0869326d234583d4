//! States one after the other, each word in as many bits as that word has needed so far.
//!
//! Rows are in segments. A segment has one format; a state that does not fit begins a new segment with a wider one. So words
//! that stay small, such as the numbers of thread states, cost little, and nothing is ever written anew.

use std::ops::Range;

/// Rows of a segment.
const ROWS: usize = 1 << 10;
/// Rows that a segment has room for at first: most searches are small, and have many formats.
const FIRST_ROWS: usize = 1 << 4;
/// Bytes that may be read past a row.
const PADDING: usize = 8;
/// So many bits are in eight bytes, wherever in the first one they begin.
const LANE_BITS: u32 = 57;

pub(crate) struct Rows {
    formats: Vec<Format>,
    segments: Vec<Segment>,
    /// The position that the next row gets.
    next: usize,
    /// Bytes of the segments.
    bytes: usize,
}

/// Where the bits of each word are in a row. The first byte of a row is the mark.
struct Format {
    lanes: Box<[Lane]>,
    parts: Box<[Part]>,
    row_bytes: usize,
}

/// Words that are read and written together: their bits are in eight bytes.
struct Lane {
    words: Range<usize>,
    byte: usize,
    shift: u32,
    mask: u64,
}

/// Where the bits of a word are in its lane.
#[derive(Clone, Copy)]
struct Part {
    shift: u32,
    mask: u32,
}

struct Segment {
    bytes: Vec<u8>,
    format: u32,
    n_rows: u32,
}

impl Format {
    /// A format for words of so many bits.
    fn new(widths: &[u32]) -> Self {
        let (mut lanes, mut parts, mut bit) = (Vec::new(), Vec::new(), 8);
        while parts.len() < widths.len() {
            let (first, mut n_bits) = (parts.len(), 0);
            while let Some(width) = widths.get(parts.len()).filter(|width| n_bits + **width <= LANE_BITS) {
                parts.push(Part { shift: n_bits, mask: ((1u64 << width) - 1) as u32 });
                n_bits += width;
            }
            lanes.push(Lane {
                words: first..parts.len(),
                byte: bit / 8,
                shift: bit as u32 % 8,
                mask: (1 << n_bits) - 1,
            });
            bit += n_bits as usize;
        }
        Format { lanes: lanes.into(), parts: parts.into(), row_bytes: bit.div_ceil(8) }
    }

    fn widths(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|part| part.mask.count_ones())
    }

    fn fits(&self, state: &[u32]) -> bool {
        self.parts.iter().zip(state).all(|(part, word)| word & !part.mask == 0)
    }

    /// Each lane, with the parts and the words of a state in it.
    fn lanes<'a>(&'a self, state: &'a [u32]) -> impl Iterator<Item = (&'a Lane, &'a [Part], &'a [u32])> {
        let of = |lane: &'a Lane| (lane, &self.parts[lane.words.clone()], &state[lane.words.clone()]);
        self.lanes.iter().map(of)
    }

    /// Puts a state that fits where all bits are 0.
    fn put(&self, row: &mut [u8], state: &[u32]) {
        for (lane, parts, words) in self.lanes(state) {
            let bytes = &mut row[lane.byte..][..8];
            let bits = lane.load(bytes) | pack(parts, words).0 << lane.shift;
            bytes.copy_from_slice(&bits.to_le_bytes());
        }
    }

    /// Whether the state of a row is `state`.
    fn is_in(&self, row: &[u8], state: &[u32]) -> bool {
        self.lanes(state).all(|(lane, parts, words)| pack(parts, words) == (lane.get(row), 0))
    }

    /// Puts the words of a row into `state`.
    fn read(&self, row: &[u8], state: &mut [u32]) {
        for lane in &self.lanes {
            let bits = lane.get(row);
            let parts = self.parts[lane.words.clone()].iter();
            let words = &mut state[lane.words.clone()];
            parts.zip(words).for_each(|(part, word)| *word = (bits >> part.shift) as u32 & part.mask);
        }
    }
}

impl Lane {
    fn load(&self, bytes: &[u8]) -> u64 {
        let mut all = [0; 8];
        all.copy_from_slice(bytes);
        u64::from_le_bytes(all)
    }

    fn get(&self, row: &[u8]) -> u64 {
        self.load(&row[self.byte..][..8]) >> self.shift & self.mask
    }
}

/// The bits of the words of a lane, and those that do not fit.
fn pack(parts: &[Part], words: &[u32]) -> (u64, u32) {
    parts.iter().zip(words).fold((0, 0), |(bits, misfit), (part, word)| {
        (bits | u64::from(*word) << part.shift, misfit | word & !part.mask)
    })
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
        Rows { formats: vec![Format::new(&vec![0; state_len])], segments: Vec::new(), next: 0, bytes: 0 }
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
            self.formats.push(Format::new(&widths));
            self.next = self.segments.len() * ROWS;
        }
        if self.next == self.segments.len() * ROWS {
            self.segments.push(Segment { bytes: Vec::new(), format: self.formats.len() as u32 - 1, n_rows: 0 });
        }
        let position = self.next;
        let segment = &mut self.segments[position / ROWS];
        let format = &self.formats[segment.format as usize];
        let before = segment.bytes.len();
        segment.reserve(format.row_bytes)?;
        self.bytes += segment.bytes.len() - before;
        let row = &mut segment.bytes[position % ROWS * format.row_bytes..];
        row[0] = mark;
        format.put(row, state);
        segment.n_rows += 1;
        self.next += 1;
        Some(position)
    }

    fn row(&self, position: usize) -> (&Format, &[u8]) {
        let segment = &self.segments[position / ROWS];
        let format = &self.formats[segment.format as usize];
        (format, &segment.bytes[position % ROWS * format.row_bytes..])
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
            bytes.extend_from_slice(&segment.bytes[rows.start * format.row_bytes..rows.end * format.row_bytes]);
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
                self.formats.push(Format::new(&widths));
            }
            self.segments.push(Segment { bytes: Vec::new(), format: self.formats.len() as u32 - 1, n_rows: 0 });
        }
        let is_last = index + 1 == self.segments.len();
        let segment = self.segments.get_mut(index).filter(|_| is_last)?;
        let format = &self.formats[segment.format as usize];
        let n_rows = piece.len() / format.row_bytes;
        let first = segment.n_rows as usize;
        if !format.widths().eq(widths) || n_rows * format.row_bytes != piece.len() || first + n_rows > ROWS {
            return None;
        }
        let before = segment.bytes.len();
        let len = ((first + n_rows).next_power_of_two().clamp(FIRST_ROWS, ROWS) * format.row_bytes + PADDING).max(before);
        segment.bytes.try_reserve_exact(len - before).ok()?;
        segment.bytes.resize(len, 0);
        segment.bytes[first * format.row_bytes..][..piece.len()].copy_from_slice(piece);
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
