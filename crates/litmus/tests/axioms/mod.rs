//! Axiomatic memory models, to compare the machines with. `candidates` enumerates executions (its header says how to use it), a file per
//! model says which of them it allows.

pub(crate) mod armv8;
pub(crate) mod atomics;
pub(crate) mod candidates;
pub(crate) mod random;
pub(crate) mod rc11;
pub(crate) mod relation;
pub(crate) mod threads;
