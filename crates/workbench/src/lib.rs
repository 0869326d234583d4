//! The one way in: a system, a memory model and options go in; a verdict with its trace comes out.
//!
//! `run` searches, and `finding` names what became of each property; `temporal` goes on with the temporal properties if nothing else is violated; `trace` turns the path that the
//! search found into steps of the plain interpreter, so that no counterexample is shown that the interpreter cannot execute;
//! `lasso` does the same for runs that repeat for ever; `only` searches for the violation of one property, `every` for those of all; `replay` executes a
//! stored trace, `follow` one of the same threads under other rules.

mod every;
mod finding;
mod lasso;
mod only;
mod run;
mod temporal;
mod trace;

pub use every::run_every;
pub use finding::{Fate, Finding};
pub use only::run_for;
pub use run::{Outcome, RunOptions, Verdict, quiet, run};
pub use temporal::{terminates, unsuitable};
pub use trace::{ReplayError, Trace, follow, replay, replay_run, retrace, retrace_late};
