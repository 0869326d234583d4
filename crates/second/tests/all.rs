//! The second opinion on files that say what they expect.

mod agreement;
mod runner;
mod semantics;
