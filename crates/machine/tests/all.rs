//! The tests of `machine`, in one binary, which links once.

mod differential;
mod held;
mod late;
mod stated;
mod symmetry;
