//! Hardware transactions: Intel RTM from stable Rust, where there is any.
//!
//! Reading order: `abort` (why a transaction ended without commit), `detect` ([`Rtm`]: the proof that transactions
//! commit here), `transaction` (one attempt), `retry` (many attempts under a [`Policy`]), `area` (touching, warming
//! and flushing memory before an attempt), `instructions` (the few lines of assembly). One of the three crates that
//! may contain `unsafe`; knows no collector and no laboratory. On other architectures everything compiles, and
//! [`Rtm::detect`] says what is missing.
//!
//! # What must not happen inside a transaction
//!
//! Each of these aborts it, mostly with status 0, on every retry:
//!
//! - the first access to a page, or to one whose translation has aged away, and the first *write* to a page that was
//!   only read: [`area::touch_reads`] and [`area::touch_writes`] outside, right before each attempt;
//! - `std::hint::spin_loop` (`pause`), `vzeroupper` and so any function compiled for AVX, `cpuid`, flushes, x87;
//! - system calls, and what may end in one: allocation from a heap that must grow, the first `Instant::now`, the first
//!   call of a lazily bound function, output, locks that block;
//! - panics. What a panic printed is rolled back with it, so the fallback path must run the same code outside;
//! - more than about five microseconds: interrupts abort whatever runs.
//!
//! Whatever the body has written is rolled back by an abort, counters too: [`Tally`] counts outside.
//!
//! # Why there is no "returns twice" problem
//!
//! An abort continues after `xbegin` with all registers and all memory as they were there, the stack included. To
//! Rust the attempt never happened: `xbegin` is an instruction that returned a status. So [`Rtm::begin`] is a safe
//! function, and a transaction may outlive the function that began it.

pub mod abort;
pub mod area;
pub mod detect;
mod instructions;
pub mod retry;
pub mod transaction;

pub use abort::{Abort, Cause};
pub use detect::{Features, LoadTracking, Missing, Rtm};
pub use retry::{Policy, RetryResult, Step, Tally};
pub use transaction::Transaction;
