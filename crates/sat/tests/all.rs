//! The tests of `sat`, in one binary, which links once.

mod operations;
