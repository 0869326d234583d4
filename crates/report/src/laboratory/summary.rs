//! The findings for the terminal.

use super::{PUBLISHED, fifty, known, percent, published, spread};
use crate::table::align;
use laboratory::Findings;
use laboratory::compare::Comparison;
use laboratory::curve::Curve;

/// Conditions, costs, 50 % points, predictions beside what is known.
pub fn summary(findings: &Findings) -> String {
    let mut out =
        align(&findings.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect::<Vec<_>>());
    if let Some(missing) = &findings.missing {
        out += &format!("\nno hardware transactions: {missing}; what follows is predicted by the simulator\n");
    }
    out += &costs(findings);
    if !findings.measured.is_empty() {
        out += "\nmeasured on this machine\n";
        out += &curves(&findings.measured);
        out += &megabytes(findings);
    }
    for prediction in &findings.predictions {
        let known: Vec<&Comparison> = prediction.comparisons.iter().collect();
        let source = match (known.is_empty(), prediction.machine.anchors.is_empty()) {
            (true, _) => "nothing to compare with",
            (_, true) => "known: measured in this run; of reads the half of the points that the fit did not use",
            (_, false) => "known: from the machine's file, not measured here",
        };
        out += &format!("\npredicted for {} ({source})\n", prediction.machine.name);
        out += &if known.is_empty() { curves(&prediction.curves) } else { comparisons(&known) };
        if !prediction.published.is_empty() {
            out += "\npublished by others; nothing is fitted to it, and a quarter counts as agreement\n";
            let rows = prediction.published.iter().map(published);
            out += &align(&std::iter::once(PUBLISHED.map(String::from).to_vec()).chain(rows).collect::<Vec<_>>());
        }
    }
    if findings.is_cut_short {
        out += "\nstopped before the end: what is missing was not tried\n";
    }
    out
}

fn costs(findings: &Findings) -> String {
    if findings.costs.is_empty() {
        return String::new();
    }
    let row = |cost: &laboratory::cost::Cost| vec![cost.name.to_string(), format!("{} ns", spread(&cost.ns, 1))];
    let mut out = format!("\n{}", align(&findings.costs.iter().map(row).collect::<Vec<_>>()));
    let ratios = ["compare-and-swap", "full fence"].map(|other| (other, findings.ratio("empty transaction", other)));
    for (other, ratio) in ratios {
        if let Some(ratio) = ratio {
            out += &format!("an empty transaction costs {ratio:.2} times a {other}\n");
        }
    }
    out
}

fn curves(curves: &[Curve]) -> String {
    let head = ["case", "50 % point", "unit", "largest commit"].map(String::from).to_vec();
    align(&std::iter::once(head).chain(curves.iter().map(columns)).collect::<Vec<_>>())
}

fn columns(curve: &Curve) -> Vec<String> {
    let largest = curve.largest_commit.map_or("none".into(), |n| format!("{} KB", n / 1024));
    vec![curve.case.to_string(), fifty(curve), curve.case.unit().into(), largest]
}

/// One curve in one line, as it is known so far.
pub fn row(curve: &Curve) -> String {
    columns(curve).join("  ")
}

/// The thesis' reads of megabytes: replicated or not.
fn megabytes(findings: &Findings) -> String {
    match findings.megabyte_reads() {
        None => String::new(),
        Some(None) => {
            "no read of 1 MB or more committed: the reads of megabytes in the thesis do not reproduce here\n".into()
        }
        Some(Some(n_bytes)) => format!("the largest read that committed has {} KB\n", n_bytes / 1024),
    }
}

fn comparisons(comparisons: &[&Comparison]) -> String {
    let head = ["50 % point", "predicted", "known", "unit", "error", "bar"].map(String::from).to_vec();
    let row = |comparison: &&Comparison| {
        let bar = match (comparison.bar, comparison.meets_bar()) {
            (Some(bar), Some(is_met)) => format!("{:.0} % {}", bar * 100.0, if is_met { "met" } else { "missed" }),
            _ => "-".into(),
        };
        vec![
            comparison.case.to_string(),
            comparison.predicted.map_or("-".into(), |p| spread(&p, 0)),
            known(comparison),
            comparison.case.unit().into(),
            comparison.error().map_or("-".into(), percent),
            bar,
        ]
    };
    align(&std::iter::once(head).chain(comparisons.iter().map(row)).collect::<Vec<_>>())
}
