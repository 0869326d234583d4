//! The tests of formulas and automata: `text` (reader and printer), `words` (automata against the meaning of formulas).

mod generator;
mod text;
mod words;
