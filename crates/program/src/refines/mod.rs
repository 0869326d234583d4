//! `refines`: procedures whose calls cannot be told from single steps of a specification.
//!
//! A specification is a few procedures on ghosts of their own, of which each call is one step. A procedure that refines one of them
//! reports when it is called and when it returns. What it reports goes through an automaton ([`Specification`]) whose state is
//! the set of all orders of the calls so far that explain the results; where none is left, `refines` is violated. The automaton is
//! made here, before anything runs; it takes the place of the specification's first ghost.
//!
//! Reading order: `specification` (the automaton, as later stages see it), `values` and `behaviour` (what a call of the
//! specification may do, in a plain interpreter), `orders` (sets of orders, and the automaton of them), `reports` (calls and
//! returns in the bodies of procedures). `check::refines` says what may refine what.

mod behaviour;
mod orders;
mod reports;
pub(crate) mod specification;
mod values;

pub(crate) use behaviour::{Behaviour, supports};
pub(crate) use orders::{Caller, TooLarge, automaton};
pub(crate) use reports::report;
