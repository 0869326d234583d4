//! A second opinion: an interpreter of the typed tree with the plainest search, written from `docs/semantics.md` alone.
//!
//! It shares nothing with the machine but the syntax, the types and the table of the memory model. Each file names its rules.
//!
//! Reading order: `values`, `code`, `compile`, `expressions`, `statements` (the tree as instructions); `state`, `world`, `act`,
//! `queue`, `perform`, `steps` (what threads do); `graph`, `property`; `formula`, `product` (temporal properties); `opinion`; `certificate`.

#![expect(clippy::mutable_key_type, reason = "what was looked at is no part of a state, and of no hash")]

mod act;
mod certificate;
mod code;
mod compile;
mod expressions;
mod formula;
mod graph;
mod opinion;
mod perform;
mod product;
mod property;
mod queue;
mod state;
mod statements;
mod steps;
mod values;
mod world;

pub use certificate::{Amount, Outside, Refusal, Unwritten, verify, write};
pub use graph::{Limits, Line};
pub use opinion::{Answer, Failure, Opinion, opinion};
pub use world::Options;
