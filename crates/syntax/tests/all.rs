//! The tests of `syntax`, in one binary, which links once.

mod editors;
mod expressions;
mod formatting;
mod mangled;
mod mistakes;
mod reference;
mod samples;
