//! Properties of states: what is asked, of whom, and the answer, fast and plainly.
//!
//! `conjuncts` takes invariants apart. `asked` says what is left of a conjunct at a point, `pin` and `remains` what is left of it in
//! a thread state, `kernel` with `reach` writes that as flat code. `judges` puts all of them together, `judge` asks them of a packed state, and `clean`
//! remembers what was in order. `stand` and `stores` say what is seen of a thread, `trail` which locations it has passed, `locations` which
//! were never reached. `truth` says all of it plainly: the reference.

pub(crate) mod asked;
pub(crate) mod clean;
pub(crate) mod conjuncts;
pub(crate) mod judge;
pub(crate) mod judges;
pub(crate) mod kernel;
pub(crate) mod locations;
pub(crate) mod pin;
pub(crate) mod reach;
pub(crate) mod remains;
pub(crate) mod stand;
pub(crate) mod stores;
pub(crate) mod trail;
pub(crate) mod truth;
