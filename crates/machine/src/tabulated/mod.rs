//! States of a few words, steps by table look-up: the form that is searched.
//!
//! `layout` packs cells into words. `locals` numbers every thread state that is met and tabulates its steps, `info` is what is known
//! of one, and `record` holds the same steps for the inner loop. `tables` puts them together to a system, `stepping` takes its
//! steps; `region_states` follows the way through a region, `uncounted` is what a step has reached there, `scratch` is what a worker
//! keeps, `packing` turns plain states into packed ones and back. `bytes` writes states so that another process can read them,
//! `notes` what their numbers stand for. What leaves states out is in rooms of its own: `symmetry`, `late`, `partial`.

pub(crate) mod bytes;
pub(crate) mod info;
pub(crate) mod layout;
pub(crate) mod locals;
pub(crate) mod notes;
pub(crate) mod packing;
pub(crate) mod record;
pub(crate) mod region_states;
pub(crate) mod scratch;
pub(crate) mod stepping;
pub(crate) mod tables;
pub(crate) mod uncounted;
