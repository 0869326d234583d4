//! The machine code of the transactional method on emulated RTM.
//!
//! A process of its own: a transaction stops every thread and keeps a copy of all memory, which would slow other tests.

mod choices;
mod emulation;
mod omissions;
mod pitfalls;
mod runs;
