//! Runs: the system as temporal properties see it, with atoms and components of fairness.

pub(crate) mod fair;
