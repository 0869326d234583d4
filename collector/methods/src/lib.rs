//! A collector that runs: mutators, a concurrent collector thread, and copy methods behind one trait.
//!
//! Reading order: `access` (every shared access goes through it) with `direct` (the processor's memory, RTM) and
//! `emulated` (transactions in software, for tests, with `schedule`: runs that can be repeated); `memory` (the two by name);
//! `world` (what threads share), `mutator`, `record` and `attend` (a mutator
//! between yieldpoints, its stores, and at one), `method` (the seam); `collector`, `mark` and `handshake` (a cycle); then the methods, one
//! file each: `stop_the_world`, `brooks`, `baker`, `load_value`, `sapphire`, `transactional`, and `poll_only`, which moves
//! nothing. `sanity` re-traces the heap; `run` starts threads; `stats` is what they counted.

mod access;
mod attend;
mod baker;
mod brooks;
mod collector;
mod delay;
mod direct;
mod emulated;
mod evacuate;
mod handshake;
mod load_value;
mod mark;
mod memory;
mod method;
mod mutator;
mod options;
mod poll_only;
mod record;
mod run;
mod sanity;
mod sapphire;
mod schedule;
mod stats;
mod stop_the_world;
mod transactional;
mod world;

pub use access::{Access, Code, Engine, Injection, Random};
pub use baker::Baker;
pub use brooks::Brooks;
pub use collector::Collector;
pub use direct::Direct;
pub use emulated::Emulated;
pub use load_value::LoadValue;
pub use memory::{Hardware, Memory, Software};
pub use method::{Method, Step};
pub use mutator::{Mutator, Program, Progress};
pub use options::{Compare, Copying, Moves, Omission, Options, Price, Prices, Selection, Transactions, Trigger};
pub use poll_only::PollOnly;
pub use run::{RunResult, run};
pub use sapphire::Sapphire;
pub use stats::{CollectorStats, Moved, MovedBy, MutatorStats, Pace, percentile};
pub use stop_the_world::StopTheWorld;
pub use transactional::Transactional;
pub use world::World;
