//! A second opinion: an interpreter of the typed tree with the plainest search, written from `docs/semantics.md` alone.
//!
//! It exists to find mistakes of the machine, so it shares nothing with it but the syntax, the types and the table of the
//! memory model. Each file names the rules that it implements.
//!
//! Reading order: `values`, `term`, `layout`, `code`; `compile`, `expressions`, `statements`, `enclose` (the tree as instructions);
//! `state`, `world`, `settle`, `local`, `retire`, `order`, `perform`, `region`, `transaction`, `steps` (what threads do);
//! `property`, `search`, `refuted` (what is judged); `formula`, `runs`, `components`, `product` (temporal properties); `opinion` (the result).

mod code;
mod compile;
mod components;
mod enclose;
mod expressions;
mod formula;
mod layout;
mod local;
mod opinion;
mod order;
mod perform;
mod product;
mod property;
mod refuted;
mod region;
mod retire;
mod runs;
mod search;
mod settle;
mod state;
mod statements;
mod steps;
mod term;
mod transaction;
mod values;
mod world;

pub use opinion::{Answer, Failure, Opinion, opinion};
pub use search::{Limits, Line};
pub use world::Options;
