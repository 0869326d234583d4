//! How much fits into a hardware transaction: measured where there is RTM, predicted by a simulated cache everywhere.
//!
//! Reading order: `case` (what is tried), `sweep` (how: trials, attempts, repetitions), `curve` (what comes out:
//! success by size, the 50 % point). Two subjects are swept alike: `hardware` (this processor) and `simulator`
//! (`cache`, one level; `machine`, a description as data, read by `text`; `builtin`, the files of `machines/`;
//! `present`, the machine at hand). `cost` times an empty transaction beside a CAS and a fence; `compare` holds predictions against
//! what is known; `findings` is everything together; `halves` splits the points of a curve, `fit` finds the numbers of a description
//! that are not geometry from one half; `recorded` reads what an earlier run measured; `published` holds the simulator against
//! numbers of others that nothing is fitted to.

pub mod builtin;
pub mod cache;
pub mod case;
pub mod compare;
pub mod cost;
pub mod curve;
pub mod findings;
pub mod fit;
pub mod halves;
pub mod hardware;
pub mod machine;
pub mod present;
pub mod published;
mod random;
pub mod recorded;
pub mod simulator;
pub mod sweep;
pub mod text;

pub use case::{Case, Mode, Operation, Pattern, Width};
pub use findings::{Findings, Prediction};
pub use machine::Machine;
pub use sweep::{Cell, Plan, Sweep};
