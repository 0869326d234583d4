//! The tests of `methods`, in one binary, which links once.

mod software_transactions;
