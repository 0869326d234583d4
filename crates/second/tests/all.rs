//! The second opinion on files that say what they expect.

mod agreement;
mod certificates;
mod runner;
mod semantics;
