//! States in a few bytes each, none lost: numbers in place of words, and of each number only what its place does not say.
//!
//! `dictionary` numbers the values that some words have had; `format` makes one short number, a *token*, of a state and gives the state
//! back. `table` is a set of such numbers: a number is scrambled by `mix`, which loses nothing; its upper part says the bucket, so the table
//! keeps the lower part only (Cleary 1984). `bucket` is one line of the cache.

mod bucket;
pub(crate) mod dictionary;
pub(crate) mod format;
mod mix;
pub(crate) mod table;
