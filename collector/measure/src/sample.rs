//! One measured run, and what many of them say.

use methods::{Method, Options, RunResult, run};
use programs::Traversal;
use std::fmt;

/// Runs of which the least disturbed one counts.
const MAX_RUNS: usize = 4;

/// Median and quartiles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Quartiles {
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

impl Quartiles {
    /// Of some values; all 0 if there are none.
    pub(crate) fn of(mut values: Vec<f64>) -> Quartiles {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let idx = (values.len().saturating_sub(1) as f64 * part).round() as usize;
            values.get(idx).copied().unwrap_or(0.0)
        };
        Quartiles { low: at(0.25), median: at(0.5), high: at(0.75) }
    }
}

impl fmt::Display for Quartiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} [{:.3}-{:.3}]", self.median, self.low, self.high)
    }
}

/// The geometric mean; 0 of none.
pub(crate) fn geometric_mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.max(1e-12).ln()).sum();
    if values.is_empty() { 0.0 } else { (sum / values.len() as f64).exp() }
}

/// Runs one traversal.
///
/// # Panics
/// If the run finds something wrong: then no figure is worth anything.
pub(crate) fn traverse<M: Method>(options: Options, traversal: &Traversal) -> RunResult<Traversal> {
    let outcome = run::<M, Traversal>(options, vec![traversal.clone()]);
    outcome.unwrap_or_else(|message| panic!("{}: {message}", M::NAME))
}

/// Runs one traversal, and again if others had a processor for more than a fiftieth of the time: of a few runs the one with the
/// least of that.
pub(crate) fn traverse_undisturbed<M: Method>(options: Options, traversal: &Traversal) -> RunResult<Traversal> {
    let mut best = traverse::<M>(options, traversal);
    for _ in 1..MAX_RUNS {
        if best.delay() * 50 <= best.elapsed {
            break;
        }
        let next = traverse::<M>(options, traversal);
        if next.delay() < best.delay() {
            best = next;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_few_values() {
        let quartiles = Quartiles::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((quartiles.low, quartiles.median, quartiles.high), (2.0, 3.0, 4.0));
        assert_eq!(Quartiles::of(Vec::new()).median, 0.0);
    }

    #[test]
    fn the_geometric_mean_of_a_number_and_its_inverse_is_one() {
        assert!((geometric_mean(&[4.0, 0.25]) - 1.0).abs() < 1e-9);
    }
}
