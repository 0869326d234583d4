//! A machine as data: its caches, how it tracks what a transaction has read, and what is known of its capacity.

use crate::cache::Geometry;
use crate::case::Case;
use crate::published::Published;
use std::fmt;

/// How lines read in a transaction are tracked once they have left the first level.
///
/// Lines written never leave it: their eviction is an abort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadTracking {
    /// Not at all: their eviction is an abort too.
    FirstLevel,
    /// As long as they are in the second level.
    SecondLevel,
    /// As long as they are in the third level, which includes the others.
    ThirdLevel,
    /// By a signature.
    Signature(Signature),
}

/// Slots in banks. A line that leaves the first level takes a slot of its bank; an abort if another line has it.
///
/// A form and two numbers that are fitted, not what the processor is known to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Slots of a bank.
    pub slots: u64,
    /// Banks, each for an equal part of the sets of the first level; none for one bank per set.
    pub banks: Option<usize>,
    /// Whether fills count.
    pub fills: Fills,
}

/// What a line does to a signature that enters the second level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fills {
    /// Nothing.
    Pass,
    /// It replaces a line that is looked up in the signature too; an abort if a slot answers.
    AreLookedUp,
}

/// A 50 % point that is known from elsewhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// Of which case.
    pub case: Case,
    /// The median in the unit of the case, if there is one.
    pub median: Option<f64>,
    /// The least and the largest in that unit.
    pub range: (f64, f64),
}

/// A machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// Its name: `haswell`.
    pub name: String,
    /// What it is, and where the numbers come from.
    pub doc: String,
    /// The first level.
    pub l1: Geometry,
    /// The second level, if it has one.
    pub l2: Option<Geometry>,
    /// The third level, if it has one.
    pub l3: Option<Geometry>,
    /// How reads are tracked.
    pub read_tracking: ReadTracking,
    /// Other lines that a transaction accesses once: stack, page tables. Fitted.
    pub foreign_lines: usize,
    /// Other lines that it accesses again and again. Fitted.
    pub hot_lines: usize,
    /// How many lines of its own it accesses between two accesses to the hot ones. Fitted.
    pub hot_period: usize,
    /// Other lines that enter the outer level with every line for which another must leave it. Fitted.
    pub extra_fills: usize,
    /// What is known.
    pub anchors: Vec<Anchor>,
    /// What others have published, to which nothing is fitted.
    pub published: Vec<Published>,
}

impl Machine {
    /// The level behind the first that matters to transactions.
    pub fn outer(&self) -> Option<Geometry> {
        match self.read_tracking {
            ReadTracking::FirstLevel => None,
            ReadTracking::SecondLevel | ReadTracking::Signature(_) => self.l2,
            ReadTracking::ThirdLevel => self.l3,
        }
    }

    /// The banks of its signature; one per set if nothing else is said.
    pub fn banks(&self) -> usize {
        match self.read_tracking {
            ReadTracking::Signature(Signature { banks: Some(banks), .. }) => banks,
            _ => self.l1.sets,
        }
    }
}

impl Anchor {
    /// One number for it: the median, or else the middle of the range.
    pub fn middle(&self) -> f64 {
        self.median.unwrap_or((self.range.0 + self.range.1) / 2.0)
    }
}

impl fmt::Display for ReadTracking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadTracking::FirstLevel => f.write_str("l1"),
            ReadTracking::SecondLevel => f.write_str("l2"),
            ReadTracking::ThirdLevel => f.write_str("l3"),
            ReadTracking::Signature(signature) => write!(f, "signature {signature}"),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.slots)?;
        if let Some(banks) = self.banks {
            write!(f, ", {banks} banks")?;
        }
        f.write_str(if self.fills == Fills::Pass { ", fills pass" } else { "" })
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.case.operation)?;
        if self.case.pattern != Case::sequential(self.case.operation, self.case.mode).pattern {
            write!(f, "{} ", self.case.pattern)?;
        }
        write!(f, "{} ", self.case.mode)?;
        if let Some(median) = self.median {
            write!(f, "{median} ")?;
        }
        write!(f, "from {} to {}", self.range.0, self.range.1)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "machine: {}\nl1: {}", self.name, self.l1)?;
        for (key, level) in [("l2", self.l2), ("l3", self.l3)] {
            if let Some(level) = level {
                writeln!(f, "{key}: {level}")?;
            }
        }
        writeln!(f, "read-tracking: {}", self.read_tracking)?;
        writeln!(f, "foreign-lines: {}\nhot-lines: {}", self.foreign_lines, self.hot_lines)?;
        writeln!(f, "hot-period: {}", self.hot_period)?;
        writeln!(f, "extra-fills: {}", self.extra_fills)?;
        self.anchors.iter().try_for_each(|anchor| writeln!(f, "anchor: {anchor}"))?;
        self.published.iter().try_for_each(|published| writeln!(f, "published: {published}"))
    }
}
