//! The tests of `litmus`, in one binary, which links once.

mod agreement;
mod axioms;
mod herd;
mod histories;
mod oracle;
mod rc11;
