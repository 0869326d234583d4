//! States one after the other, each word in as many bits as that word has needed so far.
//!
//! Rows are in segments. A segment has one format; a state that does not fit begins a new segment with a wider one. So words
//! that stay small, such as the numbers of thread states, cost little, and nothing is ever written anew.

/// Rows of a segment.
const ROWS: usize = 1 << 10;
/// Bytes that may be read past a row.
const PADDING: usize = 8;

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
    parts: Box<[Part]>,
    row_bytes: usize,
}

#[derive(Clone, Copy)]
struct Part {
    byte: usize,
    shift: u32,
    mask: u32,
}

struct Segment {
    bytes: Box<[u8]>,
    format: u32,
    n_rows: u32,
}

impl Format {
    /// A format for words of so many bits.
    fn new(widths: &[u32]) -> Self {
        let mut bit = 8;
        let part = |width: &u32| {
            let part = Part { byte: bit / 8, shift: bit as u32 % 8, mask: ((1u64 << width) - 1) as u32 };
            bit += *width as usize;
            part
        };
        let parts = widths.iter().map(part).collect();
        Format { parts, row_bytes: bit.div_ceil(8) }
    }

    fn widths(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|part| part.mask.count_ones())
    }

    fn fits(&self, state: &[u32]) -> bool {
        self.parts.iter().zip(state).all(|(part, word)| word & !part.mask == 0)
    }
}

impl Part {
    fn get(self, row: &[u8]) -> u32 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&row[self.byte..self.byte + 8]);
        (u64::from_le_bytes(bytes) >> self.shift) as u32 & self.mask
    }

    /// Puts a word where all bits are 0.
    fn put(self, row: &mut [u8], word: u32) {
        let bytes = (u64::from(word) << self.shift).to_le_bytes();
        row[self.byte..self.byte + 8].iter_mut().zip(bytes).for_each(|(byte, new)| *byte |= new);
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
            let row_bytes = self.formats[self.formats.len() - 1].row_bytes;
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(ROWS * row_bytes + PADDING).ok()?;
            bytes.resize(ROWS * row_bytes + PADDING, 0);
            let bytes = bytes.into_boxed_slice();
            self.bytes += bytes.len();
            self.segments.push(Segment { bytes, format: self.formats.len() as u32 - 1, n_rows: 0 });
        }
        let position = self.next;
        let segment = &mut self.segments[position / ROWS];
        let format = &self.formats[segment.format as usize];
        let row = &mut segment.bytes[position % ROWS * format.row_bytes..];
        row[0] = mark;
        format.parts.iter().zip(state).for_each(|(part, word)| part.put(row, *word));
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
        format.parts.iter().zip(state).all(|(part, word)| part.get(row) == *word)
    }

    /// The mark at `position`; reading it brings the row near.
    pub(crate) fn mark(&self, position: usize) -> u8 {
        self.row(position).1[0]
    }

    /// Puts the words of the state at `position` into `state`.
    pub(crate) fn read(&self, position: usize, state: &mut [u32]) {
        let (format, row) = self.row(position);
        format.parts.iter().zip(state).for_each(|(part, word)| *word = part.get(row));
    }

    /// The positions of all rows in a range, in order.
    pub(crate) fn positions(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        let segments = self.segments.iter().enumerate().skip(range.start / ROWS);
        let segments = segments.take_while(move |(i, _)| i * ROWS < range.end);
        segments
            .flat_map(|(i, segment)| i * ROWS..i * ROWS + segment.n_rows as usize)
            .filter(move |p| range.contains(p))
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.bytes + self.segments.capacity() * size_of::<Segment>()) as u64
    }
}
