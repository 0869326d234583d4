//! Why a property is violated, for people.
//!
//! Reading order: `data` (an explanation), `history` with `control` (a trace as operations), `decisive` (the reorderings that
//! the violation needs, found by searches), `turns` (the preemptions that it needs, likewise) with `postpone` (as late as can be) and `between` (the same in
//! sentences) and `cause` (what is needed, in sentences), `slice` (the operations that matter), `words` (sentences), `story` (from what the
//! property saw back to what it missed), `knowledge` (what was known and no longer true), `failed` (which part of the property), `origin` (which step made it false),
//! `lost` (what became of objects) with `passed` (writes that threads decided against), `waits` with `guard` (who waits where and for whom), `repeats` (what a run does forever), `build` (all of it together), `text` (for
//! terminals), `dot` (for
//! Graphviz).
//!
//! Nothing here is guessed: a reordering is called decisive only if a search has shown that the property is violated with it
//! and holds without it.

mod between;
mod build;
mod cause;
mod control;
pub mod data;
mod decisive;
mod dot;
mod failed;
mod guard;
mod history;
mod knowledge;
mod lost;
mod origin;
mod passed;
mod postpone;
mod repeats;
mod slice;
mod story;
mod text;
mod turns;
mod waits;
mod words;

pub use build::{Explained, explain, explain_found, gaps};
pub use data::{Cause, Explanation, Named, Operation, Preemption, Reordering};
pub use dot::dot;
pub use text::{Steps, full, short};
