//! Mutants: a protocol's text with one small change each, and what becomes of them.
//!
//! Reading order: `mutant` (what a mutant is), `declared` (what the names of a text stand for), `bodies` (which parts of it are the
//! protocol), then one file per way to change it: `drop`, `atomicity`, `swap`, `weaken`, `condition`, `constant`; `derive`
//! goes through the text and asks each. All that is pure. `question` runs the original, `mask` leaves out what it violates itself,
//! `reached` finds the statements that are never
//! executed, and `judge` says what becomes of a mutant.

mod atomicity;
mod bodies;
mod condition;
mod constant;
mod declared;
mod derive;
mod drop;
mod judge;
mod mask;
mod mutant;
mod question;
mod reached;
mod swap;
mod text;
mod weaken;

pub use derive::derive;
pub use judge::{Fate, Judge, Kill, Same};
pub use mask::Mask;
pub use mutant::{Kind, Mutant};
pub use question::{Base, Instance, Original, Question, Scope, Start};
pub use reached::{Reached, reached};
