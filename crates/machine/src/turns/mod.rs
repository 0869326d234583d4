//! Threads that take turns: one runs until it waits, ends or starts over, and is interrupted at few places only.
//!
//! `places` says where a thread is between its steps, and where it gives way by itself; `system` is the system over the tables. It asks
//! whether a violation needs another thread in between. It is no reduction: it leaves out runs.

pub(crate) mod places;
pub(crate) mod system;
