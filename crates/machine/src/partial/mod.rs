//! Partial order: where a group of threads commutes with all that the others may ever do, only the group steps.
//!
//! `footprint` says which cells a thread may touch, next and ever; `persistent` finds groups by it, and is the system
//! in which only they step. The argument is in
//! `docs/internals/reductions.md`; the differential tests are `crates/machine/tests/differential.rs`.

pub(crate) mod footprint;
pub(crate) mod persistent;
