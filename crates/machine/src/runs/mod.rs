//! Runs: the system as temporal properties see it, with atoms and components of fairness.
//!
//! `system` is a system over the tables or over another one; `refuted` knows states that do not exist after all; `fair` says the same of the
//! plain interpreter: the reference. The differential tests are `crates/machine/tests/differential/temporal.rs`.

pub(crate) mod fair;
pub(crate) mod refuted;
pub(crate) mod system;
