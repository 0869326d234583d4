//! A second opinion: an interpreter of the typed tree with the plainest search, written from `docs/semantics.md` alone.
//!
//! It exists to find mistakes of the machine, so it shares nothing with it but the syntax, the types and the table of the
//! memory model. Each file names the rules that it implements.
//!
//! Reading order: `values`, `layout`, `code`; `compile`, `expressions`, `statements` (the tree as instructions); `state`,
//! `world`, `act`, `settle`, `queue`, `perform`, `transaction`, `steps` (what threads do); `graph` (all states), `property`,
//! `judge` (what is judged); `formula`, `product` (temporal properties); `opinion` (the result).

mod act;
mod code;
mod compile;
mod expressions;
mod formula;
mod graph;
mod judge;
mod layout;
mod opinion;
mod perform;
mod product;
mod property;
mod queue;
mod settle;
mod state;
mod statements;
mod steps;
mod transaction;
mod values;
mod world;

pub use graph::{Limits, Line};
pub use opinion::{Answer, Failure, Opinion, opinion};
pub use world::Options;
