//! The form and the size of a machine's signature, from one half of the points of its measured reads.
//!
//! The fit uses [`Half::Fitted`] of every read curve and nothing else. So [`Half::Judged`], and writes, are predictions.
//! It takes the signature with the least squares of errors over all these points, in closed form; the simulator then predicts.

use crate::case::{Case, Mode, Operation};
use crate::curve::Curve;
use crate::halves::{Half, half};
use crate::machine::{Fills, Machine, ReadTracking, Signature};
use htm::area::{LINE_BYTES, PAGE_BYTES};

/// Numbers of slots that are tried: from 64 on, each a 16th of an octave larger than the last.
const SLOTS: std::ops::Range<i32> = 0..16 * 16;

/// What the fit looks at of a measured curve.
struct Known {
    case: Case,
    /// The share of first attempts that committed, each with the lines that every set of the first level evicts.
    points: Vec<(f64, Vec<usize>)>,
}

/// The machine with its signature fitted to what was measured; unchanged if there is nothing to fit or to fit to.
pub fn fit(machine: &Machine, measured: &[Curve]) -> Machine {
    let known = known(machine, measured);
    let ReadTracking::Signature(_) = machine.read_tracking else { return machine.clone() };
    let priced = candidates(machine.l1.sets).map(|signature| (sum(&known, &signature), signature));
    match priced.min_by(|one, other| one.0.total_cmp(&other.0)) {
        Some((_, best)) if !known.is_empty() => {
            Machine { read_tracking: ReadTracking::Signature(best), ..machine.clone() }
        }
        _ => machine.clone(),
    }
}

/// The squares of the errors that remain at the points fitted to; none without a signature.
pub fn squares(machine: &Machine, measured: &[Curve]) -> Option<f64> {
    let ReadTracking::Signature(signature) = machine.read_tracking else { return None };
    Some(sum(&known(machine, measured), &signature))
}

fn known(machine: &Machine, measured: &[Curve]) -> Vec<Known> {
    let is_read = |curve: &&Curve| curve.case.operation == Operation::Read && curve.case.mode != Mode::Untouched;
    measured.iter().filter(is_read).map(|curve| Known::new(machine, curve)).collect()
}

fn sum(known: &[Known], signature: &Signature) -> f64 {
    known.iter().map(|known| known.squares(signature)).sum()
}

/// Every power of two of banks, with and without fills looked up, in every size.
fn candidates(sets: usize) -> impl Iterator<Item = Signature> {
    let banks = (0..=sets.ilog2()).map(|n| 1 << n);
    let forms = banks.flat_map(|banks| [Fills::Pass, Fills::AreLookedUp].map(|fills| (banks, fills)));
    forms.flat_map(|(banks, fills)| {
        SLOTS.map(move |n| {
            let slots = (64.0 * (f64::from(n) / 16.0).exp2()).round() as u64;
            Signature { slots, banks: Some(banks), fills }
        })
    })
}

impl Known {
    fn new(machine: &Machine, curve: &Curve) -> Known {
        let points = half(curve, Half::Fitted).points;
        let evicted = |n_bytes| evicted(machine, &curve.case, n_bytes);
        let points = points.iter().map(|point| (point.share, evicted(point.n_bytes))).collect();
        Known { case: curve.case, points }
    }

    /// The squares of a signature's errors at all points.
    fn squares(&self, signature: &Signature) -> f64 {
        let error = |(success, evicted): &(f64, Vec<usize>)| self.success(evicted, signature) - success;
        self.points.iter().map(|point| error(point).powi(2)).sum()
    }

    /// The share of first attempts that commit.
    ///
    /// With `e` lines of a bank evicted, the k-th of them meets k taken slots: e² / 2 slots expected aborts per bank. As many again
    /// if each line that enters the second level is looked up as well, and all enter it.
    fn success(&self, evicted: &[usize], signature: &Signature) -> f64 {
        let mut banks = vec![0_usize; signature.banks.unwrap_or(evicted.len())];
        let n_banks = banks.len();
        evicted.iter().enumerate().for_each(|(set, n)| banks[set % n_banks] += n);
        let looks = if signature.fills == Fills::AreLookedUp { 1.0 + cold_share(&self.case) } else { 1.0 };
        let squares: f64 = banks.iter().map(|e| (e * e) as f64).sum();
        (-squares * looks / (2.0 * signature.slots as f64)).exp()
    }
}

/// The share of the lines accessed that are not in the second level before: what is touched there is one line of every page.
fn cold_share(case: &Case) -> f64 {
    match case.mode {
        Mode::Reused | Mode::Warm(_) => 0.0,
        Mode::Distinct => 1.0 - (case.line_step() as f64 / PAGE_BYTES as f64).min(1.0),
        Mode::Untouched | Mode::Flushed | Mode::Invalidated => 1.0,
    }
}

/// The lines that each set of the first level evicts.
fn evicted(machine: &Machine, case: &Case, n_bytes: usize) -> Vec<usize> {
    let mut lines = vec![0_usize; machine.l1.sets];
    let step = case.line_step() / LINE_BYTES;
    (0..n_bytes / case.line_step()).for_each(|n| lines[n * step % machine.l1.sets] += 1);
    lines.iter().map(|n| n.saturating_sub(machine.l1.ways)).collect()
}
