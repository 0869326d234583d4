//! Results for people and programs: traces in lanes, JSON, tables. The only crate below the command line that
//! knows serde.
//!
//! Reading order: `words` (what a step says, in source lines and GC words), `lanes` (one column per
//! thread), `json` (the documented output), `table` (aligned text), `laboratory` (what hardware
//! transactions did).

pub mod json;
pub mod laboratory;
pub mod lanes;
pub mod table;
pub mod words;

pub use lanes::{LaneOptions, lanes};
pub use words::{Happening, Told, tell};
