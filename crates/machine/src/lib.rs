//! Automata and a memory model together: a transition system.
//!
//! Rooms, in reading order; the header of each says what is in it:
//!
//! - `histories`: the other memory, where loads choose among older writes (`rc11`);
//! - `rules`: the rules of the memory machine, one thread at a time, and the plain interpreter: the reference;
//! - `tabulated`: states of a few words, steps by table look-up: the form that is searched;
//! - `symmetry`, `partial`, `late`: what leaves out states that tell nothing new; each is a system over another one;
//! - `properties`: whether a state violates a property, fast and plainly;
//! - `turns`: threads that are interrupted at few places only, to ask where a violation needs that;
//! - `runs`: what temporal properties need to know besides: atoms, and who steps; a system over another one too.
//!
//! `options` has the options of a run; `compiled` is the system that they choose. The interpreter and the tabulated form share the
//! rules of one thread and nothing else.

mod compiled;
mod histories;
mod late;
mod options;
mod partial;
mod properties;
mod rules;
mod runs;
mod symmetry;
mod tabulated;
mod travel;
mod turns;

pub use compiled::Compiled;
pub use histories::refusal::{Refusal, refused};
pub use late::system::Late;
pub use options::{Bound, LateReads, Options, Reductions, SwitchOff};
pub use partial::persistent::Persistent;
pub use properties::trail::Snapshot;
pub use rules::Event;
pub use rules::code::Code;
pub use rules::interpreter::{Interpreter, PlainState, PlainStep};
pub use rules::local::{Demand, Entry, Local, Mode, Operand, Part};
pub use rules::pending::Pending;
pub use rules::perform::Source;
pub use rules::transaction::Transaction;
pub use runs::fair::{MAX_FAIR_THREADS, fair_components};
pub use runs::refuted::Refuted;
pub use runs::system::{Runs, labelled};
pub use symmetry::symmetric::Symmetric;
pub use tabulated::scratch::Scratch;
pub use tabulated::tables::{OverTables, Tabulated};
pub use turns::places::{next_step, yields};
pub use turns::system::{Interruptions, Turns};
