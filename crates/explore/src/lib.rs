//! Search of any `TransitionSystem`. Knows nothing of collectors, memory models or the language.
//!
//! Reading order: `result` (options and result), `store` (where states are kept: a trait), `memory` (the store in memory) with
//! `seen` (the set of states, over the tables of `system`) and `frontier` (a level of the search), `checkpoint` (what lets a search
//! be killed and continued), `disk` (the store on disk), `search` (what is called from outside), `breadth` (level after level, so that counterexamples are shortest),
//! `worker` (the inner loop), `shortest` (of all shortest paths, one with the fewest changes of thread), `cheapest` (a path of least
//! cost), `reference` (the naive explorer that the fast one is compared with).
//!
//! A system is put behind the seam by a few methods, and searched by one call:
//!
//! ```rust
//! use explore::{Control, SearchOptions, search};
//! use system::{PropertyIndex, Reached, Successors, TransitionSystem, Verdict};
//!
//! /// Two threads that add one to a counter, not atomically. A state: the counter; for each thread, where it is and what it read.
//! struct TwoIncrements;
//! impl TransitionSystem for TwoIncrements {
//!     type Scratch = ();
//!     fn scratch(&self) {}
//!     fn state_len(&self) -> usize { 5 }
//!     fn initial(&self, out: &mut Successors) { out.push(&[0; 5], 0); }
//!     fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
//!         for (thread, at) in [(0, 1), (1, 3)] {
//!             match from[at] {
//!                 0 => out.push(from, thread)[at..at + 2].copy_from_slice(&[1, from[0]]),
//!                 1 => { let next = out.push(from, thread); (next[0], next[at]) = (from[at + 1] + 1, 2); }
//!                 _ => {}
//!             }
//!         }
//!     }
//!     fn inspect(&self, state: &[u32], _: &mut (), _: &mut Reached) -> Option<PropertyIndex> {
//!         (state[1] == 2 && state[3] == 2 && state[0] != 2).then_some(0)
//!     }
//! }
//!
//! let outcome = search(&TwoIncrements, &SearchOptions::default(), &Control::quiet());
//! let Verdict::Violated { property: 0, path } = outcome.verdict else { panic!("an increment is lost") };
//! assert_eq!(path.last(), Some(&vec![1, 2, 0, 2, 0]), "both have read 0 and written 1");
//! ```

mod breadth;
mod cheapest;
mod checkpoint;
mod compact;
mod disk;
mod frontier;
mod levels;
mod memory;
mod reference;
mod result;
mod search;
mod seen;
mod shortest;
mod store;
mod worker;

pub use cheapest::cheapest;
pub use checkpoint::journal::{Extent, Frame, Frames, Journal, ROWS};
pub use checkpoint::{Checkpoint, Unusable, checksum, phase_in};
pub use disk::Disk;
pub use memory::InMemory;
pub use reference::reference;
pub use result::{EveryResult, SearchOptions, SearchResult};
pub use search::{search, search_every, search_every_in, search_every_saving, search_in, search_saving};
pub use shortest::fewest_switches;
pub use store::{Put, Store};
pub use system::Control;
