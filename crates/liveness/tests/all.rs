//! The tests of liveness: `known` (small systems with known answers), `random` (against `oracle` and `enumeration`),
//! `lassos` (what the second opinion refuses), `undecided` (atoms whose value is to come),
//! `limits` (large systems, and where a check stops).

mod counters;
mod enumeration;
mod known;
mod lassos;
mod limits;
mod oracle;
mod random;
mod toy;
mod undecided;
