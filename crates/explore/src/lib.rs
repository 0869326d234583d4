//! Search of any `TransitionSystem`. Knows nothing of collectors, memory models or the language.
//!
//! Reading order: `seen` (the set of states, each with its parent), `breadth` (the search: level by level, so that
//! counterexamples are shortest), `shortest` (of all shortest paths, one with the fewest changes of
//! thread), `reference` (the naive explorer that the fast one is compared with).

mod breadth;
mod reference;
mod seen;
mod shortest;

pub use breadth::{Control, Outcome, SearchOptions, search};
pub use reference::reference;
pub use shortest::fewest_switches;
