//! A heap of regions in one flat memory of words: what objects are, where they are, what is known about them.
//!
//! Reading order: `words` (the memory), `map` (which words are whose), `object` (header, slots, data), `regions`
//! (free, in use, evacuated), `marks` and `forwarding` (side tables), `heap` (all of it). Everything that a copy method
//! must see atomically lies in the one memory: objects, shadow stacks, logs, and the counter of the
//! transactional method. One of two crates that may contain `unsafe`; knows no copy method, no thread, no barrier.

mod forwarding;
mod heap;
mod map;
mod marks;
mod object;
mod regions;
mod words;

pub use forwarding::Forwarding;
pub use heap::{Heap, Size};
pub use map::{
    COMMITS, COUNTER, LOG_WORDS, LogKind, MAX_MUTATORS, N_REGISTERS, N_ROOTS, log_entry, log_written, root, veto,
};
pub use marks::Marks;
pub use object::{BODY, Header, MAX_FIELDS, POISON, Ref, Shape, data_addr, forwarding_addr, slot_addr};
pub use regions::{RegionId, RegionStatus, Regions};
pub use words::{Addr, View, Words};
