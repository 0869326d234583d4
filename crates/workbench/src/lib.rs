//! The one way in: a system, a memory model and options go in; a verdict with its trace comes out.
//!
//! `run` searches; `trace` turns the path that the search found into steps of the plain interpreter, so that
//! no counterexample is shown that the interpreter cannot execute; `replay` executes a stored trace.

mod run;
mod trace;

pub use run::{Outcome, RunOptions, Verdict, quiet, run};
pub use trace::{ReplayError, Trace, replay, retrace};
