//! Properties of states: what they say of whom, and whether it is true, fast and plainly.
//!
//! `conjuncts` takes invariants apart. `by_point` has the residual of a conjunct with a thread at a point, `specialise` and `residuals` that in
//! a thread state, `kernel` with `reach` writes that as flat code. `judges` puts all of them together, `judge` asks them of a
//! packed state, and `clean`
//! remembers what was in order. `view` and `stores` say what is seen of a thread, `trail` which locations it has passed, `locations` which
//! were never reached. `truth` says all of it plainly: the reference.

pub(crate) mod by_point;
pub(crate) mod clean;
pub(crate) mod conjuncts;
pub(crate) mod judge;
pub(crate) mod judges;
pub(crate) mod kernel;
pub(crate) mod locations;
pub(crate) mod reach;
pub(crate) mod residuals;
pub(crate) mod specialise;
pub(crate) mod stores;
pub(crate) mod trail;
pub(crate) mod truth;
pub(crate) mod view;
