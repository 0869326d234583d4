//! How far a thread may come without writing what others see, and the writes that it may come to.
//!
//! Cells that only one thread's program touches are its *private* ones; only properties see others. Taking the bus counts as no write
//! either: while a thread holds it, others may do only what they could have done before, with the same outcome, so it may as well
//! be taken later.

use crate::properties::kernel::Kernel;
use crate::tabulated::uncounted::Uncounted;
use automata::CellId;
use base::table::Id;
use std::ops::Range;
use std::sync::Arc;

/// Cells, a bit each.
pub(crate) type Cells = u128;

/// How far a thread may come without writing what others see.
#[derive(Default)]
pub(crate) struct InvisibleProgress {
    /// The number of the first variant, which no other has; the others follow.
    pub(crate) number: u64,
    /// The state it begins in first.
    pub(crate) all: Vec<Reached>,
    pub(crate) writes: Vec<Write>,
    /// The writes again, those with the same effect together.
    pub(crate) alike: Vec<Alike>,
    /// What has become of the cells, nothing first.
    pub(crate) variants: Vec<Variant>,
    pub(crate) changes: Vec<Change>,
    /// What is read by any last step.
    pub(crate) reads: Cells,
    pub(crate) has_end: bool,
    /// What steps have reached in states of which it is not certain that they exist.
    pub(crate) uncounted: Vec<Reaching>,
}

/// A state of the thread, the position of its variant or of the write that leads to it, and what was reached on the last step to it.
pub(crate) struct Reaching {
    pub(crate) number: u32,
    pub(crate) by: By,
    pub(crate) reached: Uncounted,
}

/// How the cells are where something is reached.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// As in this variant.
    Variant(usize),
    /// As after this write.
    Write(usize),
}

/// What a thread's steps on the way have done to cells.
pub(crate) struct Variant {
    /// Whether it has taken the bus.
    pub(crate) has_bus: bool,
    /// All cells that may differ, the bus among them.
    pub(crate) cells: Cells,
    pub(crate) changes: Range<usize>,
    /// What properties ask of the thread's states with these cells.
    pub(crate) kernels: Vec<Arc<Kernel>>,
}

/// A state of the thread, and how it was come to.
pub(crate) struct Reached {
    pub(crate) number: u32,
    /// From where it was come to first.
    pub(crate) from: usize,
    /// What the last steps of all ways there read.
    pub(crate) reads: Cells,
    /// What has become of the cells: the position among `variants`.
    pub(crate) variant: usize,
    /// Whether the thread has no step there.
    pub(crate) is_end: bool,
}

/// A step that writes, or that ends in a state of its own kind.
pub(crate) struct Write {
    pub(crate) from: usize,
    /// The thread's state after it.
    pub(crate) number: u32,
    /// The cells that may differ after it.
    pub(crate) cells: Cells,
    pub(crate) needs_bus: bool,
    pub(crate) changes: Range<usize>,
    /// The number of what it does to cells, which no other effect has.
    pub(crate) effect: u32,
}

/// Writes with the same effect on cells; not more than a row of `given` has states.
pub(crate) struct Alike {
    /// The position of the first.
    pub(crate) first: usize,
    /// Their positions.
    pub(crate) writes: Vec<u32>,
    /// The thread's states after them.
    pub(crate) numbers: Vec<u32>,
    /// A number that only equal lists of states have.
    pub(crate) list: u32,
}

/// Bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    pub(crate) word: usize,
    pub(crate) mask: u32,
    pub(crate) bits: u32,
}

/// A cell by itself.
pub(crate) fn bit(cell: CellId) -> Cells {
    1 << cell.index()
}

impl InvisibleProgress {
    /// Puts the cells that differ after a write into `words`.
    pub(crate) fn apply(&self, write: &Write, words: &mut [u32]) {
        self.change(&write.changes, words);
    }

    /// Puts the cells that differ in a variant into `words`.
    pub(crate) fn vary(&self, variant: usize, words: &mut [u32]) {
        self.change(&self.variants[variant].changes, words);
    }

    /// Whether the thread has taken the bus when it has come as far as `at`.
    pub(crate) fn has_bus(&self, at: usize) -> bool {
        self.variants[self.all[at].variant].has_bus
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let kernels = self.variants.iter().map(|variant| variant.kernels.len()).sum::<usize>();
        let bytes = self.all.len() * size_of::<Reached>()
            + self.writes.len() * (size_of::<Write>() + 2 * size_of::<u32>())
            + self.alike.len() * size_of::<Alike>()
            + self.changes.len() * size_of::<Change>()
            + self.variants.len() * size_of::<Variant>()
            + kernels * size_of::<Arc<Kernel>>();
        (size_of::<InvisibleProgress>() + bytes) as u64
    }

    fn change(&self, changes: &Range<usize>, words: &mut [u32]) {
        for Change { word, mask, bits } in &self.changes[changes.clone()] {
            words[*word] = words[*word] & !mask | bits;
        }
    }
}
