//! The generator, the shrinker, and many cases.

#[path = "suite/cases.rs"]
mod cases;
#[path = "suite/coverage.rs"]
mod coverage;
#[path = "suite/generator.rs"]
mod generator;
#[path = "suite/planted.rs"]
mod planted;
