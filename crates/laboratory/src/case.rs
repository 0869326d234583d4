//! What is tried: an operation, a pattern of accesses, and what happens to the memory before.

use std::fmt;

/// What the transaction does to every place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operation {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// The size of one access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Width {
    /// 32 bits.
    Bits32,
    /// 64 bits.
    Bits64,
}

/// Which places it accesses, from the lowest address to the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Pattern {
    /// Every word of the area.
    Sequential(Width),
    /// One word of 64 bits every so many bytes.
    Strided(usize),
}

/// What happens to the memory before an attempt. The thesis' baseline is [`Mode::Untouched`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Mode {
    /// Another area for every trial, and nothing before.
    Untouched,
    /// Another area for every trial; one word of every page is touched before.
    Distinct,
    /// The same area for all trials of a size.
    Reused,
    /// As distinct, and the area is flushed from the caches.
    Flushed,
    /// As distinct, and all caches are emptied; from user space, as well as that goes.
    Invalidated,
    /// As distinct, and the area is read so many times.
    Warm(u32),
}

impl Mode {
    /// The modes of the laboratory.
    pub const ALL: [Mode; 7] =
        [Mode::Untouched, Mode::Distinct, Mode::Reused, Mode::Flushed, Mode::Invalidated, Mode::Warm(1), Mode::Warm(5)];

    /// The mode of that name.
    pub fn find(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.to_string() == name)
    }
}

/// One curve: success by size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Case {
    /// Read or write.
    pub operation: Operation,
    /// Which places.
    pub pattern: Pattern,
    /// What happens before.
    pub mode: Mode,
}

impl Case {
    /// Sequential accesses of 64 bits.
    pub fn sequential(operation: Operation, mode: Mode) -> Case {
        Case { operation, pattern: Pattern::Sequential(Width::Bits64), mode }
    }

    /// The bytes from one accessed line to the next.
    pub fn line_step(&self) -> usize {
        match self.pattern {
            Pattern::Sequential(_) => htm::area::LINE_BYTES,
            Pattern::Strided(bytes) => bytes.max(htm::area::LINE_BYTES),
        }
    }

    /// A size in the unit of the pattern: kilobytes of the area, or lines accessed.
    pub fn in_unit(&self, n_bytes: f64) -> f64 {
        match self.pattern {
            Pattern::Sequential(_) => n_bytes / 1024.0,
            Pattern::Strided(bytes) => n_bytes / bytes as f64,
        }
    }

    /// The unit of [`Case::in_unit`].
    pub fn unit(&self) -> &'static str {
        match self.pattern {
            Pattern::Sequential(_) => "KB",
            Pattern::Strided(_) => "lines",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operation::Read => "read",
            Operation::Write => "write",
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Sequential(Width::Bits32) => f.write_str("32-bit"),
            Pattern::Sequential(Width::Bits64) => f.write_str("64-bit"),
            Pattern::Strided(bytes) => write!(f, "stride-{bytes}"),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Untouched => f.write_str("untouched"),
            Mode::Distinct => f.write_str("distinct"),
            Mode::Reused => f.write_str("reused"),
            Mode::Flushed => f.write_str("flushed"),
            Mode::Invalidated => f.write_str("invalidated"),
            Mode::Warm(passes) => write!(f, "warm-{passes}"),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.operation, self.pattern, self.mode)
    }
}
