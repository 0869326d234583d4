//! The tests of `machine`, in one binary, which links once.

mod differential;
mod late;
mod symmetry;
