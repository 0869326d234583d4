//! The tests of `lower`, in one binary, which links once.

mod lowering;
mod mangled;
mod protocols;
