//! Late reads: a step that writes nothing is not stored where it could as well be taken later.
//!
//! `progress` says how far a thread may come without writing, `steps` and `advance` find it, `findings` keeps what was found last.
//! `choices` says how far other threads may have come before a write; `new` leaves out the states come to last, which `given` and `recent` keep;
//! `fresh` puts the others into order.
//! `system` is the system over the tables;
//! `writes` has the steps that remain, and judges the states that are left out; `traces` takes the steps in between again, one by
//! one. The argument is in `docs/internals/reductions.md`; the differential tests are `crates/machine/tests/late.rs`.

pub(crate) mod advance;
pub(crate) mod choices;
pub(crate) mod findings;
pub(crate) mod fresh;
pub(crate) mod given;
pub(crate) mod new;
pub(crate) mod progress;
pub(crate) mod recent;
pub(crate) mod steps;
pub(crate) mod system;
pub(crate) mod traces;
pub(crate) mod writes;
