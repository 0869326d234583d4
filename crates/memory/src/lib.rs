//! Memory models as data, and the ordering predicate over queued operations.
//!
//! A memory model is a table of what may overtake what, and a few switches; `text` reads one from
//! ten lines, `order` is the one place that interprets it. Knows no collector and no search.

pub mod vocabulary;

pub use vocabulary::{Fence, Order};
