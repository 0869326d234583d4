//! The generator, the shrinker, and many cases.

mod cases;
mod coverage;
mod generator;
mod planted;
