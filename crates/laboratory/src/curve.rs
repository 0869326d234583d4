//! What comes out: success and attempts by size with their ranges, and the 50 % point.

use crate::case::Case;
use crate::sweep::{Cell, Sweep};
use htm::Cause;

/// A number over the repetitions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

/// One size of a curve, over all repetitions.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The size of the area.
    pub n_bytes: usize,
    /// The share of trials whose first attempt committed, in single repetitions.
    pub success: Spread,
    /// The same share of the trials of all repetitions together.
    pub share: f64,
    /// Mean attempts of the trials that committed, if any did.
    pub attempts: Option<Spread>,
    /// The share of trials that never committed.
    pub never: Spread,
}

/// One case.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Which case.
    pub case: Case,
    /// By size.
    pub points: Vec<Point>,
    /// The 50 % point of first-attempt success in the unit of the case, over the repetitions that have one.
    pub fifty: Option<Spread>,
    /// The largest area with a commit.
    pub largest_commit: Option<usize>,
    /// Aborts of all attempts, in the order of [`Cause::ALL`].
    pub aborts: [u64; Cause::ALL.len()],
}

impl Point {
    /// The share of all trials, with the range over the repetitions.
    ///
    /// A simulation counts all its trials together. A median of three shares is another quantity: where a repetition is disturbed
    /// as a whole, it jumps.
    pub fn pooled(&self) -> Spread {
        Spread { median: self.share, ..self.success }
    }
}

impl Spread {
    /// The spread of some numbers; none of none.
    pub fn of(mut numbers: Vec<f64>) -> Option<Spread> {
        numbers.sort_by(f64::total_cmp);
        let (min, max) = (*numbers.first()?, *numbers.last()?);
        let upper = numbers.len() / 2;
        let lower = (numbers.len() - 1) / 2;
        Some(Spread { median: (numbers[lower] + numbers[upper]) / 2.0, min, max })
    }
}

/// The curves of a sweep, in the order of its first repetition.
pub fn curves(sweep: &Sweep) -> Vec<Curve> {
    let mut cases: Vec<Case> = Vec::new();
    for cell in &sweep.cells {
        if !cases.contains(&cell.case) {
            cases.push(cell.case);
        }
    }
    cases.into_iter().map(|case| curve(case, sweep)).collect()
}

fn curve(case: Case, sweep: &Sweep) -> Curve {
    let cells: Vec<&Cell> = sweep.cells.iter().filter(|cell| cell.case == case).collect();
    let mut sizes: Vec<usize> = cells.iter().map(|cell| cell.n_bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let points = sizes.iter().filter_map(|size| point(*size, &cells)).collect();
    let n_repetitions = cells.iter().map(|cell| cell.repetition + 1).max().unwrap_or(0);
    let fifties = (0..n_repetitions).filter_map(|repetition| {
        let of_it = cells.iter().filter(|cell| cell.repetition == repetition);
        fifty(&of_it.map(|cell| (cell.n_bytes as f64, success(cell))).collect::<Vec<_>>())
    });
    let fifty = Spread::of(fifties.map(|n_bytes| case.in_unit(n_bytes)).collect());
    let largest_commit = cells.iter().filter(|cell| cell.commits > 0).map(|cell| cell.n_bytes).max();
    let aborts = std::array::from_fn(|cause| cells.iter().map(|cell| cell.aborts[cause]).sum());
    Curve { case, points, fifty, largest_commit, aborts }
}

fn point(n_bytes: usize, cells: &[&Cell]) -> Option<Point> {
    let cells: Vec<&&Cell> = cells.iter().filter(|cell| cell.n_bytes == n_bytes).collect();
    let spread = |number: &dyn Fn(&Cell) -> f64| Spread::of(cells.iter().map(|cell| number(cell)).collect());
    let committed = cells.iter().filter(|cell| cell.commits > 0);
    let total = |number: fn(&Cell) -> u32| cells.iter().map(|cell| f64::from(number(cell))).sum::<f64>();
    Some(Point {
        n_bytes,
        success: spread(&success)?,
        share: total(|cell| cell.first_commits) / total(|cell| cell.trials).max(1.0),
        attempts: Spread::of(committed.map(|cell| cell.attempts as f64 / f64::from(cell.commits)).collect()),
        never: spread(&|cell| 1.0 - f64::from(cell.commits) / f64::from(cell.trials.max(1)))?,
    })
}

/// The share of trials whose first attempt committed.
fn success(cell: &Cell) -> f64 {
    f64::from(cell.first_commits) / f64::from(cell.trials.max(1))
}

/// Where a curve, by ascending size, first falls below one half: between two sizes, on the straight line.
pub fn fifty(points: &[(f64, f64)]) -> Option<f64> {
    let pair = points.windows(2).find(|pair| pair[0].1 >= 0.5 && pair[1].1 < 0.5)?;
    let [(left, above), (right, below)] = [pair[0], pair[1]];
    Some(left + (right - left) * (above - 0.5) / (above - below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifty_percent_point_lies_on_the_line_between_two_sizes() {
        assert_eq!(fifty(&[(10.0, 1.0), (20.0, 0.75), (30.0, 0.25), (40.0, 0.0)]), Some(25.0));
        assert_eq!(fifty(&[(10.0, 1.0), (20.0, 0.5), (30.0, 0.0)]), Some(20.0));
        assert_eq!(fifty(&[(10.0, 1.0), (20.0, 0.6)]), None, "it never falls that far");
        assert_eq!(fifty(&[(10.0, 0.4), (20.0, 0.1)]), None, "it never was above");
    }

    #[test]
    fn a_spread_has_median_and_range() {
        assert_eq!(Spread::of(vec![3.0, 1.0, 2.0]), Some(Spread { median: 2.0, min: 1.0, max: 3.0 }));
        assert_eq!(Spread::of(vec![4.0, 1.0]), Some(Spread { median: 2.5, min: 1.0, max: 4.0 }));
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
