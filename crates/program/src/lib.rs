//! The typed program: names resolved, constants known, types checked.
//!
//! Reading order: `load` (files to trees), `packets` (work packets in simpler terms), `flag_variants` and `conditionals` (the same
//! for these), `outline` and `expected` (what a file offers and expects, as data), `types`,
//! `typed` and `walk` (the result), `refines` (what procedures refine, as automata), `indices` (which numbers are threads), `names` and `check` (trees to the result), `codes` (what may be wrong).
//! Takes the user's text through a [`World`], gives a [`Program`] that `lower` can always lower.

mod causes;
mod check;
pub mod codes;
mod conditionals;
mod expected;
mod flag_variants;
mod formula;
pub mod indices;
mod load;
pub mod named;
mod names;
mod outline;
mod packets;
mod partial;
pub mod queues;
mod refines;
pub mod typed;
pub mod types;
pub mod walk;

pub use check::{Settings, check, check_all, check_all_while, check_rest, stands_alone};
pub use expected::ExpectedOf;
pub use load::{Loaded, World, load, normal};
pub use outline::{Expectation, Expected, Flag, MemoryName, Outline, Param, Row, Scenario, Variant, outline};
pub use typed::Program;
