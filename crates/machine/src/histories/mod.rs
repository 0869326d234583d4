//! The other memory: histories of writes in place of queues (semantics 10).
//!
//! Threads run as under `sc`: an operation is performed before the next is issued. But what a load reads and where a store goes is a choice that
//! `history` offers. `room` says what a program can do to histories, `deed` what a move does to them. `numbered` gives states of
//! the memory numbers, so that one word of a packed state stands for one,
//! and looks their steps up; `stepping` takes the moves of packed states. `refusal` says what has no meaning here. `plain` does so
//! for the plain interpreter, which asks `deed` and `history` directly.

pub(crate) mod deed;
pub(crate) mod numbered;
mod plain;
pub(crate) mod refusal;
pub(crate) mod room;
mod stepping;
