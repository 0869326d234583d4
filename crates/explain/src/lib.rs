//! Why a property is violated, for people.
//!
//! Reading order: `data` (an explanation), `history` with `control` (a trace as operations), `decisive` (the reorderings that
//! the violation needs, found by searches), `slice` (the operations that matter), `words` (sentences), `story` (from what the
//! property saw back to what it missed), `build` (all of it together), `text` (for terminals), `dot` (for
//! Graphviz).
//!
//! Nothing here is guessed: a reordering is called decisive only if a search has shown that the property is violated with it
//! and holds without it.

mod build;
mod control;
pub mod data;
mod decisive;
mod dot;
mod history;
mod slice;
mod story;
mod text;
mod words;

pub use build::{Explained, explain, gaps};
pub use data::{Cause, Explanation, Operation, Reordering};
pub use dot::dot;
pub use text::{Steps, full, short};
