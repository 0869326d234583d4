//! States as rows of words, and the set of them: cells in as many bits as their ranges need, the bus, and the number of each thread's state.

use crate::code::Layout;
use program::types::{Range, Types};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Where a cell is in a row.
struct Place {
    word: usize,
    shift: u32,
    range: Range,
}

/// What the words of a row mean.
pub(crate) struct Form {
    cells: Vec<Place>,
    /// The word that says who holds the bus; the numbers of the threads' states come behind it.
    pub(crate) bus: usize,
    pub(crate) n_threads: usize,
}

impl Form {
    pub(crate) fn new(types: &Types, layout: &Layout, n_threads: usize) -> Self {
        let (mut cells, mut word, mut used) = (Vec::new(), 0, 0);
        for (_, ty) in &layout.names {
            let range = types.range(*ty);
            // A range has at most 2^32 values.
            if used + range.bits() > u32::BITS {
                (word, used) = (word + 1, 0);
            }
            // What needs no bits may stand behind the last one.
            cells.push(Place { word, shift: used.min(u32::BITS - 1), range });
            used += range.bits();
        }
        Form { cells, bus: word + 1, n_threads }
    }

    pub(crate) fn n_words(&self) -> usize {
        self.bus + 1 + self.n_threads
    }

    pub(crate) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// The bits of a cell: its value less the least of its range.
    pub(crate) fn bits(&self, row: &[u32], cell: usize) -> u32 {
        let Place { word, shift, range } = &self.cells[cell];
        (row[*word] >> shift) & mask(*range)
    }

    pub(crate) fn value(&self, row: &[u32], cell: usize) -> i64 {
        i64::from(self.cells[cell].range.low) + i64::from(self.bits(row, cell))
    }

    pub(crate) fn put(&self, row: &mut [u32], cell: usize, value: i64) {
        let Place { word, shift, range } = &self.cells[cell];
        debug_assert!(range.contains(value), "rule 1.2");
        let bits = (value - i64::from(range.low)) as u32 & mask(*range);
        row[*word] = row[*word] & !(mask(*range) << shift) | bits << shift;
    }

    pub(crate) fn thread<'r>(&self, row: &'r [u32], thread: usize) -> &'r u32 {
        &row[self.bus + 1 + thread]
    }

    pub(crate) fn thread_mut<'r>(&self, row: &'r mut [u32], thread: usize) -> &'r mut u32 {
        &mut row[self.bus + 1 + thread]
    }

    /// Whether every cell is in its range and nothing else is in its words.
    pub(crate) fn is_proper(&self, row: &[u32]) -> bool {
        let mut again = vec![0; self.bus];
        let fits = (0..self.n_cells()).all(|cell| {
            let value = self.value(row, cell);
            let fits = self.cells[cell].range.contains(value);
            if fits {
                self.put(&mut again, cell, value);
            }
            fits
        });
        fits && again == row[..self.bus] && row[self.bus] as usize <= self.n_threads
    }
}

fn mask(range: Range) -> u32 {
    ((1u64 << range.bits()) - 1) as u32
}

/// A set of rows, in the order in which they came.
pub(crate) struct Rows {
    n_words: usize,
    words: Vec<u32>,
    /// Open addressing: the place of a row and one, or nothing.
    slots: Vec<u32>,
}

impl Rows {
    pub(crate) fn new(n_words: usize) -> Self {
        Rows { n_words, words: Vec::new(), slots: vec![0; 1024] }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len() / self.n_words
    }

    pub(crate) fn row(&self, place: usize) -> &[u32] {
        &self.words[place * self.n_words..][..self.n_words]
    }

    pub(crate) fn contains(&self, row: &[u32]) -> bool {
        self.slots[self.slot(row)] != 0
    }

    /// Whether it was not there.
    pub(crate) fn insert(&mut self, row: &[u32]) -> bool {
        let slot = self.slot(row);
        if self.slots[slot] != 0 {
            return false;
        }
        self.words.extend_from_slice(row);
        self.slots[slot] = self.len() as u32;
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        true
    }

    /// The slot of a row, or the one that it would get.
    fn slot(&self, row: &[u32]) -> usize {
        let mut hasher = FxHasher::default();
        row.iter().for_each(|word| hasher.write_u32(*word));
        let mut slot = (hasher.finish() >> 20) as usize & (self.slots.len() - 1);
        while self.slots[slot] != 0 && self.row(self.slots[slot] as usize - 1) != row {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for place in 0..self.len() {
            let slot = self.slot(&self.words[place * self.n_words..][..self.n_words]);
            self.slots[slot] = place as u32 + 1;
        }
    }
}
