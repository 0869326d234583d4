//! Text to tokens to tree and back. Never fails: the result is a tree and diagnostics.

pub mod tree;
