//! Memory as histories: for each cell the writes that some thread can still read, in modification order, and for each thread what it knows of them.
//!
//! This is RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017) as a machine. Events are added in an order that agrees with program order and
//! with what is read, which RC11 keeps acyclic. A read chooses among the writes of its history, a write chooses its place in
//! modification order, and what an axiom forbids is left out. A state keeps only what later events can still depend on, in
//! one form for all executions that agree in that. So a loop has finitely many states if histories are bounded.
//!
//! Reading order: `profile` (what a program can do at all), `clock` (sets of seq_cst events), `view` (what happens before a point),
//! `state`, `event` (what can happen), `access` and `fence` (the rules), `order` (that `psc` stays acyclic), `race` (accesses that
//! nothing orders), `region` (abstract state and stopped worlds), `prune` (the canonical form).
//! Pure functions; knows no program and no search. The argument that it is exact is in docs/decisions/0023-histories.md.

mod access;
mod clock;
mod event;
mod fence;
mod numbers;
mod order;
mod profile;
mod prune;
mod race;
mod region;
mod state;
mod view;

pub use access::{Access, Next};
pub use event::Event;
pub use profile::{Mark, Profile};
pub use state::{Histories, History, Message};
pub use view::View;
