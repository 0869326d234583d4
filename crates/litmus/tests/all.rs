//! The tests of `litmus`, in one binary, which links once.

mod agreement;
mod axioms;
mod herd;
mod oracle;
