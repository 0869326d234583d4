//! Results for people and programs: traces in lanes, tables, JSON and the formats of other tools.
//!
//! Reading order: `words` (what a step says, in source lines and GC words), `lanes` with `arcs` (one column per
//! thread), `heap` (a state's objects as a graph), `json` (the documented output), `itf`, `junit`, `sarif`
//! (what other tools read), `table` (aligned text), `html` (pages), `growth` (a chart of states by scope), `laboratory` (what
//! hardware transactions did).

mod arcs;
pub mod growth;
pub mod heap;
pub mod html;
pub mod itf;
pub mod json;
pub mod junit;
pub mod laboratory;
pub mod lanes;
mod rounds;
pub mod sarif;
pub mod table;
pub mod words;

pub use lanes::{LaneOptions, lanes, lanes_of};
pub use words::{EventKind, TraceEvent, step_events, trace_events};
