//! Results for people and programs: traces in lanes, JSON, tables. The only crate below the command line that
//! knows serde.
//!
//! Reading order: `words` (what a step says, in source lines and GC words), `lanes` with `arcs` (one column per
//! thread), `heap` (a state's objects as a graph), `json` (the documented output), `table` (aligned text).

mod arcs;
pub mod heap;
pub mod json;
pub mod lanes;
pub mod table;
pub mod words;

pub use lanes::{LaneOptions, lanes, lanes_of};
pub use words::{Happening, Told, tell, tell_steps};
