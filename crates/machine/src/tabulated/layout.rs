//! Cells packed into words: each cell gets the bits its domain needs, and no cell straddles words.

use automata::{Automata, CellId, Value};
use base::Table;

/// Where a cell's bits are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    word: u32,
    shift: u32,
    mask: u32,
    low: Value,
}

/// Where all cells' bits are.
pub(crate) struct Layout {
    slots: Table<CellId, Slot>,
    /// How many words the cells take.
    pub(crate) n_words: usize,
}

impl Layout {
    /// Lays out the cells, largest first, each in the first word with room.
    pub(crate) fn new(automata: &Automata) -> Self {
        let mut cells: Vec<CellId> = automata.cells.ids().collect();
        cells.sort_by_key(|cell| std::cmp::Reverse(automata.cells[*cell].domain.bits()));
        let mut used: Vec<u32> = Vec::new();
        let mut slots: Table<CellId, Slot> =
            automata.cells.ids().map(|_| Slot { word: 0, shift: 0, mask: 0, low: 0 }).collect();
        for cell in cells {
            let domain = automata.cells[cell].domain;
            let bits = domain.bits();
            let word = used.iter().position(|used| used + bits <= 32).unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            let mask = ((1u64 << bits) - 1) as u32;
            slots[cell] = Slot { word: word as u32, shift: used[word] % 32, mask, low: domain.low };
            used[word] += bits;
        }
        Layout { slots, n_words: used.len() }
    }

    /// Where `cell`'s bits are.
    pub(crate) fn slot(&self, cell: CellId) -> Slot {
        self.slots[cell]
    }
}

impl Slot {
    /// The number that stands for the cell's value: the value less the least of its domain.
    pub(crate) fn raw(self, words: &[u32]) -> u32 {
        (words[self.word as usize] >> self.shift) & self.mask
    }

    /// Word, shift and number of bits.
    pub(crate) fn parts(self) -> (u32, u32, u32) {
        (self.word, self.shift, self.mask.count_ones())
    }

    /// The word, and the bits of it.
    pub(crate) fn place(self) -> (usize, u32) {
        (self.word as usize, self.mask << self.shift)
    }

    /// The raw number that stands for a value.
    pub(crate) fn raw_of(self, value: Value) -> u32 {
        value.wrapping_sub(self.low) as u32 & self.mask
    }

    /// The value that a raw number stands for.
    pub(crate) fn value(self, raw: u32) -> Value {
        (raw as Value).wrapping_add(self.low)
    }

    /// How many raw numbers there are.
    pub(crate) fn n_values(self) -> usize {
        self.mask as usize + 1
    }

    /// The cell's value.
    pub(crate) fn get(self, words: &[u32]) -> Value {
        self.value(self.raw(words))
    }

    /// Sets the cell's value, which must be in its domain.
    pub(crate) fn set(self, words: &mut [u32], value: Value) {
        let raw = self.raw_of(value);
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask << self.shift) | raw << self.shift;
    }
}
