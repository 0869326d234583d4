//! Programs nobody wrote, and what all the ways in which Lacuna answers say of them.
//!
//! Reading order: `generate` with `features` (programs from a seed), `subject` (a program as the front end gives it), `setting` (a
//! memory model with its switches, from the same seed), `opinion` (what someone says of a program), `opinions` (those of the machine
//! and of what stands beside it), `judge` (who disagrees with whom), `shrink` (the least program on which they still do),
//! `campaign` (many cases, and a table).

pub mod campaign;
pub mod checks;
pub mod features;
pub mod generate;
pub mod judge;
pub mod opinion;
pub mod opinions;
pub mod panics;
mod pieces;
pub mod random;
pub mod setting;
pub mod shrink;
pub mod subject;
pub mod watch;
