//! Automata and a memory model together: a transition system.
//!
//! Reading order: `local` (one thread's state), `code` (what is known of a thread's program before it
//! runs), `rules` with `issue`, `perform`, `retire` and `settle` (the rules of the memory machine, one
//! thread at a time), `pause` (where temporal properties see it), `effect` (what an operation writes and gives), `direct` (accesses in regions), `transaction` (its last rule), `refuted` (states that do not exist), `touch` (what one thread does to the states of others), `interpreter` (whole states, plainly: the reference) with `pending` (what waits, for people), then what makes it fast:
//! `layout` (cells packed into words), `locals` (every thread state met, numbered, with its steps
//! tabulated), `record` (the same for the inner loop), and `compiled` (states of a few words,
//! successors by table look-up). `symmetry` with `permutation`, `isomorphism`, `pairing`, `invariance`, `group` and `canonical`, and `footprint` with `partial`, and `late`, leave out states that tell nothing new. `fair`, with `judge`, says what temporal properties need to know
//! besides: atoms, and who steps.
//!
//! Properties of states: `conjuncts` (invariants taken apart), `asked` (what is left of them at a point), `pin` (and in a thread state), `kernel` with `reach` (as flat code),
//! `judges` and `judge` (all together), `stand` and `stores` (what is seen of a thread), `trail` (locations that are passed), `locations` (never reached), `truth` (all of it plainly).
//!
//! The interpreter and the compiled form share the rules of one thread and nothing else.

mod advance;
mod asked;
mod canonical;
mod clean;
mod code;
mod compiled;
mod conjuncts;
mod direct;
mod effect;
mod evaluate;
mod fair;
mod findings;
mod footprint;
mod group;
mod inside;
mod interpreter;
mod invariance;
mod isomorphism;
mod issue;
mod judge;
mod judges;
mod kernel;
mod late;
mod late_traces;
mod layout;
mod local;
mod locals;
mod locations;
mod options;
mod packing;
mod pairing;
mod partial;
mod pause;
mod pending;
mod perform;
mod permutation;
mod pin;
mod progress;
mod reach;
mod record;
mod refuted;
mod remains;
mod retire;
mod rules;
mod settle;
mod stand;
mod steps;
mod stores;
mod symmetry;
mod touch;
mod trail;
mod transaction;
mod truth;

pub use code::Code;
pub use compiled::Compiled;
pub use fair::{MAX_FAIR_THREADS, Runs, fair_components};
pub use interpreter::{Interpreter, PlainState, PlainStep};
pub use local::{Demand, Entry, Local, Mode, Operand};
pub use options::{Bound, LateReads, Options, Reductions};
pub use pending::Pending;
pub use perform::Source;
pub use rules::Event;
pub use trail::Snapshot;
pub use transaction::Transaction;
