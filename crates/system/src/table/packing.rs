//! The words of a state in few bytes: each word in as many bits as it may need.

use std::ops::Range;

/// Bytes that may be read past a row.
pub(crate) const PADDING: usize = 8;
/// So many bits are in eight bytes, wherever in the first one they begin.
const LANE_BITS: u32 = 57;

/// Where the bits of each word are in a row. The first byte of a row is the mark.
pub struct Packing {
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

impl Packing {
    /// For words of so many bits.
    pub fn new(widths: &[u32]) -> Self {
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
        Packing { lanes: lanes.into(), parts: parts.into(), row_bytes: bit.div_ceil(8) }
    }

    /// Bytes of a row, the mark included.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// Bytes that must be there where a row is put or read.
    pub fn padded_bytes(&self) -> usize {
        self.row_bytes + PADDING
    }

    pub(crate) fn widths(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|part| part.mask.count_ones())
    }

    pub(crate) fn fits(&self, state: &[u32]) -> bool {
        self.parts.iter().zip(state).all(|(part, word)| word & !part.mask == 0)
    }

    /// Each lane, with the parts and the words of a state in it.
    fn lanes<'a>(&'a self, state: &'a [u32]) -> impl Iterator<Item = (&'a Lane, &'a [Part], &'a [u32])> {
        let of = |lane: &'a Lane| (lane, &self.parts[lane.words.clone()], &state[lane.words.clone()]);
        self.lanes.iter().map(of)
    }

    /// Puts a state that fits where all bits are 0.
    pub fn put(&self, row: &mut [u8], state: &[u32]) {
        for (lane, parts, words) in self.lanes(state) {
            let bytes = &mut row[lane.byte..][..8];
            let bits = lane.load(bytes) | pack(parts, words).0 << lane.shift;
            bytes.copy_from_slice(&bits.to_le_bytes());
        }
    }

    /// Whether the state of a row is `state`.
    pub(crate) fn is_in(&self, row: &[u8], state: &[u32]) -> bool {
        self.lanes(state).all(|(lane, parts, words)| pack(parts, words) == (lane.get(row), 0))
    }

    /// Puts the words of a row into `state`.
    pub fn read(&self, row: &[u8], state: &mut [u32]) {
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
