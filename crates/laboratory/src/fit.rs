//! The one number of a signature machine that is not geometry, from one measured curve.
//!
//! Only reads of distinct areas are used; warm reads, writes and strides of a machine that is measured anew are predictions.

use crate::case::{Case, Mode, Operation};
use crate::curve::Curve;
use crate::machine::{Machine, ReadTracking};
use htm::area::LINE_BYTES;

/// The slots with which a signature gives this 50 % point for sequential reads of distinct areas.
///
/// With `e` lines of each set evicted, the k-th of them meets k taken slots twice, once as it leaves and once as the next line
/// enters: e² / slots expected aborts per set, ln 2 over all sets at the 50 % point.
pub fn slots(sets: usize, ways: usize, fifty_kilobytes: f64) -> Option<u64> {
    let per_set = fifty_kilobytes * 1024.0 / LINE_BYTES as f64 / sets as f64;
    let evicted = per_set - ways as f64;
    let slots = sets as f64 * evicted * evicted / std::f64::consts::LN_2;
    (evicted > 0.0 && slots >= 1.0).then_some(slots.round() as u64)
}

/// The machine with its signature fitted to what was measured; unchanged if there is nothing to fit or to fit to.
pub fn fit(machine: &Machine, measured: &[Curve]) -> Machine {
    let used = Case::sequential(Operation::Read, Mode::Distinct);
    let fifty = measured.iter().find(|curve| curve.case == used).and_then(|curve| curve.fifty);
    let fitted = fifty.and_then(|fifty| slots(machine.l1.sets, machine.l1.ways, fifty.median));
    match (machine.read_tracking, fitted) {
        (ReadTracking::Signature(_), Some(slots)) => {
            Machine { read_tracking: ReadTracking::Signature(slots), ..machine.clone() }
        }
        _ => machine.clone(),
    }
}
