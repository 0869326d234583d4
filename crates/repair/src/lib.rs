//! Orders that are needed: which of a protocol's own are, and which make one hold that does not.
//!
//! `places` are where the text has, or could have, a fence or an order; `costs` say what that costs; `atoms` are one strength
//! at one place. `marked` is a system where any atoms can be put in place at once, and tells which places a trace comes by.
//! `overtakings` turns a counterexample into the atoms that forbid it; `hitting` finds the least costly set with one of each;
//! `synthesis` asks `problem` whether that is enough. `accesses`, `spelling`, `edits` and `render` write a set of atoms into
//! the text, and `verify` puts that to the test. `repair` and `orders` are the two answers.

mod accesses;
mod atoms;
pub mod costs;
mod edits;
mod hitting;
mod marked;
mod orders;
mod overtakings;
mod places;
mod problem;
mod render;
mod repair;
mod spelling;
mod synthesis;
mod verify;
mod words;

pub use atoms::{Atom, AtomId};
pub use costs::Costs;
pub use orders::{Least, Map, Row, Subject, Weaker, Witness, orders, own_orders};
pub use overtakings::Overtaking;
pub use places::{Place, PlaceId, Site, Strength, Target};
pub use problem::{Failure, Instance, Problem, Question};
pub use repair::{Answer, Need, Only, Solution, UnderSc, problem, problem_beside_flags, repair};
pub use verify::Verified;
pub use words::strengths;
