//! The tests of `litmus`, in one binary, which links once.

mod axioms;
mod histories;
mod oracle;
mod rc11;
