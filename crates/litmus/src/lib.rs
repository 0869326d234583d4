//! Litmus tests in the neutral format: a few instructions per thread, one question.
//!
//! `format` is the text as data, `herd` reads herd's format into it, `ranges` says which values can occur, `build` turns a test
//! into automata, `run` collects the final
//! states that a memory model allows. One JSON object per line; the book has the format.

mod build;
mod format;
pub mod herd;
mod ranges;
mod run;

pub use build::{Built, build};
pub use format::{Condition, FenceName, Instruction, OrderName, Test, Thread, place, read};
pub use run::{Finals, run, run_within};
