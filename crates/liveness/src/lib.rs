//! Temporal properties of any system, under weak fairness: does every fair run make the formula true?
//!
//! Reading order: `fair` (what a system must tell), `property` (a formula with the automaton of its negation; the
//! ready-made ones), `outcome` (verdict and lasso), then the search: `states` (each state of the system once), `graph` (its
//! steps, computed once), `recall` (atoms whose value is to come), `product` (system × automaton), `numbering`, `search` (is there
//! a component with every
//! mark?), `lasso` (a short run that shows it), `shorten`. Last, `confirm`: every lasso is checked again by code that the search
//! does not share.
//!
//! Fairness costs no copies of states: that a component is disabled or takes a step is one more acceptance mark.
//! Knows nothing of collectors, memory models or the language.

mod confirm;
mod ending;
mod fair;
mod graph;
mod lasso;
mod monitor;
mod numbering;
mod product;
mod property;
mod recall;
mod result;
mod search;
mod shorten;
mod states;
mod watch;

pub use confirm::{LassoFault, check_lasso};
pub use ending::{Ending, EndingVerdict, check_ending};
pub use fair::{FairSystem, all_components};
pub use property::{ENDED, Property, deadlock, deadlock_free, never_terminates, terminates};
pub use result::{Lasso, LivenessResult, Step, Verdict};
pub use search::check;
