//! Memory models as data, and the ordering predicate over queued operations.
//!
//! Reading order: `vocabulary` (orders and fences), `model` (the table and its switches), `order`
//! (the one place that interprets them), `strength` (which allows more), `text` (a model read from ten lines), `builtin` (the files
//! of `memory-models/`). Knows no collector and no search; no model has code of its own.

pub mod builtin;
pub mod model;
pub mod order;
mod strength;
pub mod text;
pub mod vocabulary;

pub use model::{
    Acquire, AddressSpeculation, Conflicts, FailedCas, HistoryModel, Isolation, Locks, MemoryModel, ReleaseFence,
    ReleaseSequence, Reorder, RmwFence, SameCellLoads, StoreConditional, Transactions,
};
pub use order::Operation;
pub use vocabulary::{Fence, Order};
