//! Programs with self-checking content, to run on any copy method.
//!
//! `thesis` (its three test programs, fixed), `list`, `tree`, `map`, `cache`, `graph`, `twins`; `workload` names them all;
//! `traversals` are the tight loops of the measurements. What a program expects it knows without the heap: from a seed,
//! a counter, or a mirror of its own.

mod cache;
mod graph;
mod list;
mod map;
mod random;
mod thesis;
mod traversals;
mod tree;
mod twins;
mod workload;

pub use traversals::{Clock, Order, Traversal, Writes};
pub use workload::{Kind, Workload};
