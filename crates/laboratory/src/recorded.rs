//! What an earlier run measured: the lines `measured` of its `htm.csv`.
//!
//! The file has medians and ranges by size, not single repetitions; causes of aborts are not in it. Early files do not have the
//! share of all trials either: it is the mean of least, median and largest share, which are all there are of three repetitions.

use crate::case::{Case, Mode, Operation, Pattern, Width};
use crate::curve::{Curve, Point, Spread, fifty};

/// The measured curves, or the number of the first line that cannot be read.
pub fn read(csv: &str) -> Result<Vec<Curve>, usize> {
    let mut curves: Vec<Curve> = Vec::new();
    for (n, line) in csv.lines().enumerate().filter(|(_, line)| line.starts_with("measured,")) {
        let (case, point) = row(line).ok_or(n + 1)?;
        match curves.iter_mut().find(|curve| curve.case == case) {
            Some(curve) => curve.points.push(point),
            None => {
                let points = vec![point];
                curves.push(Curve { case, points, fifty: None, largest_commit: None, aborts: Default::default() });
            }
        }
    }
    curves.iter_mut().for_each(complete);
    Ok(curves)
}

/// What follows from the points.
fn complete(curve: &mut Curve) {
    curve.points.sort_by_key(|point| point.n_bytes);
    let shares = curve.points.iter().map(|point| (curve.case.in_unit(point.n_bytes as f64), point.share));
    let fifty = fifty(&shares.collect::<Vec<_>>());
    curve.fifty = fifty.map(|median| Spread { median, min: median, max: median });
    curve.largest_commit = curve.points.iter().filter(|point| point.never.min < 1.0).map(|point| point.n_bytes).max();
}

fn row(line: &str) -> Option<(Case, Point)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [_, _, operation, pattern, mode, bytes, _, _, numbers @ ..] = fields.as_slice() else { return None };
    let operation = [Operation::Read, Operation::Write].into_iter().find(|o| o.to_string() == *operation)?;
    let case = Case { operation, pattern: self::pattern(pattern)?, mode: Mode::find(mode)? };
    let [success, attempts, never] = [0, 3, 6].map(|at| spread(numbers.get(at..at + 3)?));
    let (success, never) = (success?, never?);
    let share = match numbers.get(9) {
        Some(share) => share.parse().ok()?,
        None => (success.min + success.median + success.max) / 3.0,
    };
    Some((case, Point { n_bytes: bytes.parse().ok()?, success, share, attempts, never }))
}

fn pattern(text: &str) -> Option<Pattern> {
    let widths = [Width::Bits32, Width::Bits64].map(Pattern::Sequential);
    let sequential = widths.into_iter().find(|pattern| pattern.to_string() == text);
    sequential.or_else(|| Some(Pattern::Strided(text.strip_prefix("stride-")?.parse().ok()?)))
}

fn spread(numbers: &[&str]) -> Option<Spread> {
    let [median, min, max] = [0, 1, 2].map(|n| numbers[n].parse::<f64>().ok().filter(|n| n.is_finite()));
    Some(Spread { median: median?, min: min?, max: max? })
}
