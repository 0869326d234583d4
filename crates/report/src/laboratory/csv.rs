//! One line for each size of each curve, measured and predicted.

use laboratory::Findings;
use laboratory::curve::{Curve, Spread};
use std::fmt::Write;

const HEAD: &str = "kind,machine,operation,pattern,mode,bytes,size,unit,\
    success,success_min,success_max,attempts,attempts_min,attempts_max,never,never_min,never_max,share\n";

/// All curves.
pub fn csv(findings: &Findings) -> String {
    let mut out = HEAD.to_string();
    for curve in &findings.measured {
        lines(&mut out, "measured", laboratory::present::NAME, curve);
    }
    for prediction in &findings.predictions {
        for curve in &prediction.curves {
            lines(&mut out, "predicted", &prediction.machine.name, curve);
        }
    }
    out
}

fn lines(out: &mut String, kind: &str, machine: &str, curve: &Curve) {
    let case = &curve.case;
    for point in &curve.points {
        let size = case.in_unit(point.n_bytes as f64);
        let numbers = [Some(point.success), point.attempts, Some(point.never)].map(columns).join(",");
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{kind},{machine},{},{},{},{},{size},{},{numbers},{:.4}",
            case.operation,
            case.pattern,
            case.mode,
            point.n_bytes,
            case.unit(),
            point.share
        );
    }
}

fn columns(spread: Option<Spread>) -> String {
    spread.map_or(",,".into(), |s| format!("{:.4},{:.4},{:.4}", s.median, s.min, s.max))
}
