//! States of a few words, steps by table look-up: the form that is searched.
//!
//! `layout` packs cells into words. `locals` numbers every thread state that is met and tabulates its steps; `record` holds the
//! same steps for the inner loop. `compiled` puts them together to a `TransitionSystem`; `inside` follows the way through a
//! region, `scratch` is what a worker keeps, and `packing` turns plain states into packed ones and back. What leaves states out is in rooms of its own:
//! `symmetry`, `late`, `partial`.

pub(crate) mod compiled;
pub(crate) mod inside;
pub(crate) mod layout;
pub(crate) mod locals;
pub(crate) mod packing;
pub(crate) mod record;
pub(crate) mod scratch;
