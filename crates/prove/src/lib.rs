//! Proof obligations at a bounded scope, discharged by SAT: is each stated invariant preserved by every step, from *all*
//! states that satisfy the invariants and not only from the reachable ones?
//!
//! Reading order: `layout` and `state` (a whole state as circuits), `values` (expressions and conditions), `path`, `access`,
//! `region` and `step` (the transition relation, one step per point and thread), `problem` (rows, columns, hypotheses),
//! `discharge` (all obligations of one step), `run` (all steps, in parallel), `snapshot` (states read off an assignment),
//! `confirm` (a counterexample to induction executed by the plain interpreter), `liberties` (where `check` is more liberal),
//! `modular` (threads one by one, the others known by their guarantees), `general` (which obligations are discharged for any number of
//! objects and threads), `circuits` (the steps on concrete states, for tests).
//!
//! What a step is: at a point outside regions a thread does one action, at once. A load takes its value, a store goes into
//! the thread's buffer (under `sc`, to memory), a region is one step, and the commit of a thread's oldest store is a step too.

mod access;
mod circuits;
mod columns;
mod confirm;
mod discharge;
mod general;
mod layout;
mod liberties;
mod memory_model;
mod modular;
mod path;
mod problem;
mod region;
mod run;
mod snapshot;
mod state;
mod step;
mod values;

pub use circuits::Circuits;
pub use columns::{Column, kind};
pub use confirm::Confirmation;
pub use discharge::{Counterexample, Obligation, ObligationResult, StepProof};
pub use general::{Generality, Sort, generality};
pub use liberties::Liberty;
pub use memory_model::Memory;
pub use modular::{Owner, Question};
pub use problem::{Problem, Refused, Row, RowKind};
pub use run::{Control, Limits, Proof, prove};
pub use snapshot::{Snapshot, ThreadSnapshot};
pub use step::{StepKind, StepOf};
