//! Symmetry: of states that differ only by names, one is stored.
//!
//! `interchangeable` finds threads with equal programs that no property tells apart. For elements of a set, a `permutation` of
//! elements, threads and cells is tried: `isomorphism` with `pairing` verifies that it carries every step to a step, `invariance`
//! that conditions do not notice it, and `group` collects what these generate. `image` applies a permutation to a thread's state,
//! `canonical` has permutations as moves of bits, and `symmetric` is the system over the tables in which every state is the least of
//! its images; `orbits` is what a worker remembers of that.
//! The argument is in `docs/internals/reductions.md`; the differential tests are `crates/machine/tests/symmetry.rs`.

pub(crate) mod canonical;
mod conditions;
pub(crate) mod group;
pub(crate) mod image;
pub(crate) mod interchangeable;
pub(crate) mod invariance;
pub(crate) mod isomorphism;
pub(crate) mod orbits;
pub(crate) mod pairing;
pub(crate) mod permutation;
pub(crate) mod symmetric;

pub(crate) use interchangeable::{interchangeable, same_program};
