//! The tests of `tidy`, in one binary, which links once.

mod binaries;
mod data;
mod documents;
mod layers;
mod measurements;
mod sources;
