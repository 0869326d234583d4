//! Linear temporal logic: formulas over atoms, and automata that accept exactly the words where they are true.
//!
//! Reading order: `formula` (the operators), `text` (reader and printer), `word` (what a formula means, on a word
//! that repeats), `partial` (the same where some atoms have no value yet), `normal` (negations inwards, simplified, each
//! subformula once), `tableau` (what must be true now
//! and what next: the automaton), `automaton` (its data), `reduce` (states that cannot accept or say the same are
//! dropped), `components` (strongly connected components of small graphs).
//!
//! Knows neither systems nor fairness: an atom is a number below 64, a letter a set of atoms.

mod automaton;
mod components;
mod formula;
mod normal;
mod partial;
mod reduce;
mod tableau;
mod text;
mod word;

pub use automaton::{Automaton, Edge, State};
pub use components::components;
pub use formula::Formula;
pub use partial::{Letter, is_violated};
pub use tableau::{TooLarge, translate};
pub use text::{ReadError, Words, read};
pub use word::evaluate;
