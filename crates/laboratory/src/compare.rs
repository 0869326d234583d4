//! Predictions beside what is known: a machine's anchors, or what was measured here.
//!
//! Measured reads are compared by the half of their points that no fit has used, and so are their predictions.

use crate::case::{Case, Mode, Operation};
use crate::curve::{Curve, Spread, curves};
use crate::halves::{Half, half};
use crate::machine::Machine;
use crate::simulator::Simulator;
use crate::sweep::{Plan, sweep};

/// How far the prediction of a write may be off.
const WRITE_BAR: f64 = 0.15;
/// How far the prediction of a read from warm caches may be off.
const WARM_READ_BAR: f64 = 0.30;
/// How far the prediction of any read may be off from the points that judge it.
const JUDGED_READ_BAR: f64 = 0.25;
/// The seed of every prediction.
const SEED: u64 = 5;

/// A predicted and a known 50 % point.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Of which case.
    pub case: Case,
    /// The prediction, if the curve falls below one half.
    pub predicted: Option<Spread>,
    /// What is known: one number, and its range.
    pub known: Spread,
    /// Only the range is known; the number is its middle.
    pub is_range: bool,
    /// The bar for the relative error, where there is one.
    pub bar: Option<f64>,
}

/// The curves that a machine should show.
pub fn predict(machine: &Machine, plan: &Plan, stops: &mut dyn FnMut(f64) -> bool) -> (Vec<Curve>, bool) {
    let swept = sweep(plan, &mut Simulator::new(machine, SEED), stops);
    (curves(&swept), swept.is_cut_short)
}

/// The predictions beside the anchors of their machine, and beside what was measured.
pub fn compare(machine: &Machine, predicted: &[Curve], measured: &[Curve]) -> Vec<Comparison> {
    let anchors = machine.anchors.iter().filter_map(|anchor| {
        let known = Spread { median: anchor.middle(), min: anchor.range.0, max: anchor.range.1 };
        let curve = predicted.iter().find(|curve| curve.case == anchor.case)?;
        let (case, is_range) = (anchor.case, anchor.median.is_none());
        Some(Comparison { case, predicted: curve.fifty, known, is_range, bar: bar(&case) })
    });
    let measured = measured.iter().filter_map(|curve| {
        let predicted = predicted.iter().find(|other| other.case == curve.case)?;
        judge(predicted, curve)
    });
    anchors.chain(measured).collect()
}

/// A predicted and a measured curve.
fn judge(predicted: &Curve, measured: &Curve) -> Option<Comparison> {
    let case = measured.case;
    let is_read = case.operation == Operation::Read;
    let [predicted, known] = [predicted, measured].map(|curve| match is_read {
        true => half(curve, Half::Judged).fifty,
        false => curve.fifty,
    });
    let bar = if is_read { Some(JUDGED_READ_BAR) } else { bar(&case) };
    Some(Comparison { case, predicted, known: known?, is_range: false, bar })
}

fn bar(case: &Case) -> Option<f64> {
    match (case.operation, case.mode) {
        (Operation::Write, _) => Some(WRITE_BAR),
        (Operation::Read, Mode::Warm(_)) => Some(WARM_READ_BAR),
        _ => None,
    }
}

impl Comparison {
    /// How far the prediction is off, relative to what is known: to the number, or to the range if that is all.
    pub fn error(&self) -> Option<f64> {
        let predicted = self.predicted?.median;
        let known = if self.is_range { predicted.clamp(self.known.min, self.known.max) } else { self.known.median };
        Some(predicted / known - 1.0)
    }

    /// Whether the bar is met; none without a bar.
    pub fn meets_bar(&self) -> Option<bool> {
        let bar = self.bar?;
        Some(self.error().is_some_and(|error| error.abs() <= bar))
    }
}
