//! The tests of `prove`, in one binary, which links once.

mod differential;
mod rely;
