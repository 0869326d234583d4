//! The one way in: a protocol is opened, a question is asked of it, and an answer with its trace comes out.
//!
//! Reading order: `protocol` (a file, and one system of it), `scope` (what `holds` speaks of, with the table of its switches), `question` (a
//! system, a memory model, options) and `answer` (a verdict and what else is known).
//! How it is answered: `run` searches up to the first violation, `every` continues after it, `only` searches for the violation of
//! one property, `interrupted` for one by threads that take turns and `way` for their way to a state, `temporal` goes
//! on with the temporal properties if nothing else is violated; `finding` names what became of each property, `keeping` says where states are kept.
//! `trace` turns the path that a search found into steps of the plain interpreter, so that no counterexample is shown that the interpreter cannot
//! execute, and `lasso` does the same for runs that repeat forever; `replay` executes a stored trace, `follow` one of the same
//! threads under other rules, and `calls` tells the calls and returns of a run that `refines` refuses.

mod answer;
mod calls;
mod every;
mod finding;
mod interrupted;
mod keeping;
mod lasso;
mod only;
mod options;
mod protocol;
mod question;
mod run;
mod scope;
mod temporal;
mod trace;
mod way;

pub use answer::{Answer, Verdict};
pub use calls::calls;
pub use explore::Unusable;
pub use finding::{Fate, Finding};
pub use interrupted::InTurns;
pub use keeping::{Elsewhere, Keeping};
pub use options::RunOptions;
pub use protocol::{Error, Protocol, System, open};
pub use question::Question;
pub use scope::{SWITCHES, Scope, Switch, Switches};
pub use temporal::{added, terminates, unsuitable, wait_free};
pub use trace::{ReplayError, Trace, follow, replay, replay_run, retrace, retrace_late};
