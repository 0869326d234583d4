//! Search of any `TransitionSystem`. Knows nothing of collectors, memory models or the language.
//!
//! Reading order: `seen` (the set of states) with `rows` and `slots`, `frontier` (a level of the search),
//! `breadth` (level after level, so that counterexamples are shortest), `worker` (the inner loop), `shortest` (of all shortest paths, one with the fewest changes of
//! thread), `reference` (the naive explorer that the fast one is compared with).

mod breadth;
mod frontier;
mod reference;
mod rows;
mod seen;
mod shortest;
mod slots;
mod worker;

pub use breadth::{Control, EveryOutcome, Outcome, SearchOptions, search, search_every};
pub use reference::reference;
pub use shortest::fewest_switches;
