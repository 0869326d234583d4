//! Axiomatic memory models, to compare the machines with. `candidates` enumerates executions (its header says how to use it), a file per
//! model says which of them it allows.

pub mod armv8;
pub mod candidates;
pub mod random;
pub mod rc11;
pub mod relation;
pub mod threads;
