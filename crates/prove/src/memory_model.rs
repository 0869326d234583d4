//! Which memory models there are circuits for.

use memory::{FailedCas, Locks, MemoryModel, RmwFence};

/// How memory behaves, as circuits have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Every operation is done at once.
    Sc,
    /// Stores wait in a buffer per thread, first in, first out; all else is done at once.
    Tso {
        /// How many stores a buffer holds; a store waits while it is full.
        buffer: usize,
    },
}

impl Memory {
    /// The memory of `model` with store buffers of that length; none if the model lets more be reordered.
    pub fn of(model: &MemoryModel, buffer: usize) -> Option<Self> {
        let table = &model.reorder;
        let is_told = model.histories.is_none() && model.locks == Locks::Taken;
        if !is_told || table.load_load || table.load_store || table.store_store {
            return None;
        }
        if !table.store_load {
            return Some(Memory::Sc);
        }
        let is_full = model.rmw == RmwFence::Full && model.failed_cas == FailedCas::Full;
        is_full.then_some(Memory::Tso { buffer })
    }
}
