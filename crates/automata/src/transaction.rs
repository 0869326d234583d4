//! Transactions: how one begins, and why one aborts.

use crate::automaton::{PointId, RegId};
use crate::expr::Value;

/// How a transaction begins: where the thread continues if it aborts, and which registers get cause and code.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Begin {
    /// Where the thread continues, with the registers it had at the beginning, after an abort.
    pub handler: PointId,
    /// The register that then holds the cause.
    pub cause: Option<RegId>,
    /// The register that then holds the code of an explicit abort, else 0.
    pub code: Option<RegId>,
    /// How many cells it may read or write; without limit if none.
    pub capacity: Option<u32>,
}

/// Why a transaction aborts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// Another thread touched what it had read or written.
    Conflict,
    /// The program said so, with this code.
    Explicit(Value),
    /// It touched more cells than it may.
    Capacity,
    /// For no reason.
    Spurious,
}

impl Cause {
    /// The names of all causes; the position of each is its value in a register.
    pub const NAMES: [&str; 4] = ["Conflict", "Explicit", "Capacity", "Spurious"];

    /// What a register that holds the cause has.
    pub fn value(self) -> Value {
        match self {
            Cause::Conflict => 0,
            Cause::Explicit(_) => 1,
            Cause::Capacity => 2,
            Cause::Spurious => 3,
        }
    }

    /// What a register that holds the code has.
    pub fn code(self) -> Value {
        match self {
            Cause::Explicit(code) => code,
            _ => 0,
        }
    }

    /// The cause in a word.
    pub fn name(self) -> &'static str {
        Cause::NAMES[self.value() as usize]
    }
}
