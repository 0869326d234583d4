//! Why a transaction ended without commit: the status word of `xbegin`, decoded.

use std::fmt;

const EXPLICIT: u32 = 1 << 0;
const RETRY: u32 = 1 << 1;
const CONFLICT: u32 = 1 << 2;
const CAPACITY: u32 = 1 << 3;
const DEBUG: u32 = 1 << 4;
const NESTED: u32 = 1 << 5;
const CODE_SHIFT: u32 = 24;

/// An abort, as the processor reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Abort {
    /// The status word: Intel's manual, volume 1, table "RTM Abort Status Definition".
    pub status: u32,
}

/// The cause of an abort. Several bits may be set; the one that says most about what to do next decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cause {
    /// `xabort` with this code.
    Explicit(u8),
    /// The read set or the write set did not fit.
    Capacity,
    /// Another processor accessed a line of the read set or the write set.
    Conflict,
    /// A debug exception or breakpoint.
    Debug,
    /// An inner transaction aborted, or there were too many levels, and no other cause is given.
    Nested,
    /// No cause, but the processor thinks that a retry may succeed.
    Retry,
    /// Status 0: a page fault, an interrupt, or an instruction that no transaction may execute.
    Unexplained,
}

impl Cause {
    /// Every cause, with code 0 for the explicit one; the order of tables and of [`Cause::index`].
    pub const ALL: [Cause; 7] = [
        Cause::Explicit(0),
        Cause::Capacity,
        Cause::Conflict,
        Cause::Debug,
        Cause::Nested,
        Cause::Retry,
        Cause::Unexplained,
    ];

    /// Its place in [`Cause::ALL`], whatever the code.
    pub fn index(self) -> usize {
        match self {
            Cause::Explicit(_) => 0,
            Cause::Capacity => 1,
            Cause::Conflict => 2,
            Cause::Debug => 3,
            Cause::Nested => 4,
            Cause::Retry => 5,
            Cause::Unexplained => 6,
        }
    }

    /// Its name, without the code.
    pub fn word(self) -> &'static str {
        ["explicit", "capacity", "conflict", "debug", "nested", "retry", "unexplained"][self.index()]
    }
}

impl Abort {
    /// The abort that `xabort` with this code reports.
    pub fn explicit(code: u8) -> Self {
        Abort { status: EXPLICIT | u32::from(code) << CODE_SHIFT }
    }

    /// What caused it.
    pub fn cause(self) -> Cause {
        match self.status {
            status if status & EXPLICIT != 0 => Cause::Explicit((status >> CODE_SHIFT) as u8),
            status if status & CAPACITY != 0 => Cause::Capacity,
            status if status & CONFLICT != 0 => Cause::Conflict,
            status if status & DEBUG != 0 => Cause::Debug,
            status if status & NESTED != 0 => Cause::Nested,
            status if status & RETRY != 0 => Cause::Retry,
            _ => Cause::Unexplained,
        }
    }

    /// Whether the processor thinks that the same transaction may succeed if it is tried again.
    pub fn may_retry(self) -> bool {
        self.status & RETRY != 0
    }

    /// Whether it happened in an inner transaction.
    pub fn is_nested(self) -> bool {
        self.status & NESTED != 0
    }
}

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause() {
            Cause::Explicit(code) => write!(f, "explicit, code {code}"),
            cause => write!(f, "{} (status {:#x})", cause.word(), self.status),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_one_cause() {
        let cases = [
            (0x0, Cause::Unexplained),
            (0x2a00_0001, Cause::Explicit(42)),
            (0xff00_0021, Cause::Explicit(255)),
            (0x2, Cause::Retry),
            (0x6, Cause::Conflict),
            (0x8, Cause::Capacity),
            // Both: a retry cannot help what does not fit.
            (0xc, Cause::Capacity),
            (0x10, Cause::Debug),
            (0x20, Cause::Nested),
            (0x26, Cause::Conflict),
        ];
        for (status, cause) in cases {
            assert_eq!(Abort { status }.cause(), cause, "{status:#x}");
        }
    }

    #[test]
    fn retry_and_nested_are_said_beside_the_cause() {
        assert!(Abort { status: 0x6 }.may_retry() && !Abort { status: 0x8 }.may_retry());
        assert!(Abort { status: 0x26 }.is_nested() && !Abort { status: 0x6 }.is_nested());
        assert_eq!(Abort::explicit(42).cause(), Cause::Explicit(42));
    }

    #[test]
    fn the_index_is_the_place_in_the_list() {
        for (idx, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause.index(), idx);
        }
    }
}
