//! RTM on processors without it: the instructions trap, and signal handlers do what they would do.
//!
//! The program's own machine code runs, with all its threads. A transaction is *isolated*: every other thread stands still
//! in a signal handler while it runs. It is *atomic*: an abort restores all private memory and all registers. It is *best
//! effort*: a seed decides which transactions abort, at once or after some instructions. And it is *watched*: a system
//! call ends it, and in transactions that are executed step by step so does every instruction that real ones forbid.
//!
//! What is missing: two transactions never overlap, so no conflict is real; nothing is too large; first accesses
//! to pages do no harm; shared mappings are not rolled back; time means nothing.
//!
//! Reading order: `faults` (what goes wrong on purpose), `forbidden` (what may not be executed), `report` (what was
//! counted); then `linux`: `processor` (what each instruction does), `stop` (all other threads stand still), `snapshot`
//! and `mappings` (all memory), `context` (the registers), `shared` (what the handlers know), `signals` and `gate` (how
//! handlers are entered, how they call the system). Linux on x86-64; elsewhere [`install`] says that there is none.

#![cfg_attr(
    not(all(target_arch = "x86_64", target_os = "linux", not(miri))),
    allow(dead_code, reason = "where nothing is emulated, nothing is decided, decoded or counted")
)]

mod faults;
mod forbidden;
mod report;

#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
mod linux;
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
use linux as platform;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
mod absent;
#[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
use absent as platform;

pub use faults::{Causes, Fate, Faults, Stepping};
pub use forbidden::Forbidden;
pub use platform::{Emulator, install};
pub use report::{Counts, Offence};

use std::fmt;

/// Why there is no emulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unavailable {
    /// The processor has transactions of its own: the instructions do not trap.
    NotNeeded,
    /// It is made for Linux on x86-64 only.
    Platform,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unavailable::NotNeeded => "this processor has transactions of its own, and its instructions do not trap",
            Unavailable::Platform => "transactions are emulated on Linux and x86-64 only",
        })
    }
}
