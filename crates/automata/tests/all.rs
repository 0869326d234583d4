//! The tests of `automata`, in one binary, which links once.

mod rules;
mod text;
