//! The tests of `laboratory`, in one binary, which links once.

mod costs;
mod machines;
mod published;
mod recorded;
