//! The tests of `program`, in one binary, which links once.

mod diagnostics;
mod refines;
mod selection;
