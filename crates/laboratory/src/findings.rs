//! Everything that one run of the laboratory found.

use crate::case::Operation;
use crate::compare::Comparison;
use crate::cost::Cost;
use crate::curve::Curve;
use crate::machine::Machine;
use crate::published::Beside;
use crate::sweep::Cell;

/// What the simulator says about one machine.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The machine.
    pub machine: Machine,
    /// Its curves.
    pub curves: Vec<Curve>,
    /// Its 50 % points beside what is known.
    pub comparisons: Vec<Comparison>,
    /// What others have published, beside the simulation; empty after a quick look.
    pub published: Vec<Beside>,
}

/// All findings.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Machine and conditions, as names and values.
    pub facts: Vec<(String, String)>,
    /// Why nothing was measured, if so.
    pub missing: Option<String>,
    /// What transactions did on this processor.
    pub measured: Vec<Curve>,
    /// The same, size by size and repetition by repetition.
    pub cells: Vec<Cell>,
    /// What the simulator says.
    pub predictions: Vec<Prediction>,
    /// What operations cost.
    pub costs: Vec<Cost>,
    /// It was stopped before its end.
    pub is_cut_short: bool,
}

/// From here on a read is of the size that the thesis speaks of.
const MEGABYTE: usize = 1 << 20;

impl Findings {
    /// Whether reads of a megabyte or more were tried, and if so the largest that committed.
    pub fn megabyte_reads(&self) -> Option<Option<usize>> {
        let reads = self.measured.iter().filter(|curve| curve.case.operation == Operation::Read);
        let tried = reads.filter(|curve| curve.points.iter().any(|point| point.n_bytes >= MEGABYTE));
        let largest: Vec<usize> = tried.map(|curve| curve.largest_commit.unwrap_or(0)).collect();
        let largest = largest.into_iter().max()?;
        Some(Some(largest).filter(|n_bytes| *n_bytes >= MEGABYTE))
    }

    /// The ratio of two costs by name.
    pub fn ratio(&self, of: &str, to: &str) -> Option<f64> {
        let median = |name: &str| self.costs.iter().find(|cost| cost.name == name).map(|cost| cost.ns.median);
        Some(median(of)? / median(to)?)
    }
}
