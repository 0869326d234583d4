//! The points of a measured curve in two halves: one to fit to, one to judge by.
//!
//! The split is fixed: by ascending size, the first, third, fifth .. point is fitted to, the others judge. No number of the
//! second half enters a fit. Both count the trials of all repetitions together ([`Point::pooled`]).

use crate::curve::{Curve, Point, Spread, fifty};

/// Which half of the points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The first, third, fifth .. point.
    Fitted,
    /// The second, fourth, sixth .. point.
    Judged,
}

/// The curve with one half of its points; its 50 % point is that of these points.
pub fn half(curve: &Curve, half: Half) -> Curve {
    let first = usize::from(half == Half::Judged);
    let points: Vec<Point> = curve.points.iter().skip(first).step_by(2).cloned().collect();
    let by = |number: fn(&Spread) -> f64| {
        let sizes = points.iter().map(|point| (curve.case.in_unit(point.n_bytes as f64), number(&point.pooled())));
        fifty(&sizes.collect::<Vec<_>>())
    };
    let spread = |median: f64| Spread {
        median,
        min: by(|success| success.min).unwrap_or(median).min(median),
        max: by(|success| success.max).unwrap_or(median).max(median),
    };
    let fifty = by(|success| success.median).map(spread);
    let commits = points.iter().filter(|point| point.never.min < 1.0);
    let largest_commit = commits.map(|point| point.n_bytes).max();
    Curve { fifty, largest_commit, points, ..curve.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Mode, Operation};

    #[test]
    fn the_halves_share_no_point_and_have_all() {
        let spread = |median| Spread { median, min: median, max: median };
        let point = |(n, success): (usize, f64)| Point {
            n_bytes: n << 10,
            success: spread(success),
            share: success,
            attempts: None,
            never: spread(1.0 - success),
        };
        let points: Vec<Point> = [(1, 1.0), (2, 0.9), (3, 0.4), (4, 0.1)].map(point).into();
        let case = Case::sequential(Operation::Read, Mode::Distinct);
        let curve = Curve { case, points, fifty: None, largest_commit: None, aborts: Default::default() };
        let [fitted, judged] = [Half::Fitted, Half::Judged].map(|which| half(&curve, which));
        let sizes = |curve: &Curve| curve.points.iter().map(|point| point.n_bytes >> 10).collect::<Vec<_>>();
        assert_eq!((sizes(&fitted), sizes(&judged)), (vec![1, 3], vec![2, 4]));
        let between = |curve: &Curve| curve.fifty.expect("it falls").median;
        assert!((between(&fitted) - (1.0 + 2.0 * 0.5 / 0.6)).abs() < 1e-9);
        assert!((between(&judged) - 3.0).abs() < 1e-9);
    }
}
