//! What a method runs on: the processor's memory, or one in software whose accesses can be put in any order.

use crate::access::Access;
use crate::direct::Direct;
use crate::emulated::Emulated;
use std::convert::Infallible;

/// What carries accesses and transactions out.
pub trait Memory: 'static {
    /// What ends an operation early.
    type Abort;
    /// How threads access the memory.
    type Access<'h>: Access<'h, Abort = Self::Abort>;
    /// The name of the transactional method on it.
    const NAME: &'static str;
}

/// The processor's memory, and RTM. Without RTM every batch of the transactional method takes the fallback path.
pub struct Hardware;
/// Transactions in software: for tests only, no figure comes from it.
pub struct Software;

impl Memory for Hardware {
    type Abort = Infallible;
    type Access<'h> = Direct<'h>;
    const NAME: &'static str = "transactional";
}

impl Memory for Software {
    type Abort = htm::Abort;
    type Access<'h> = Emulated<'h>;
    const NAME: &'static str = "transactional, emulated";
}
