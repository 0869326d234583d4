//! Measured and predicted capacity side by side, as one picture: first attempts that commit, by size.

use super::svg::{Plot, Series, svg};
use laboratory::Operation;
use laboratory::case::Pattern;
use laboratory::curve::Curve;

/// Smaller sizes always fit, larger ones never: kilobytes, and lines.
const SHOWN: [(f64, f64); 2] = [(16.0, 256.0), (6.0, 1024.0)];

/// A plot for each operation and pattern that was measured, one below the other; a colour for each mode, measured with dots,
/// predicted dashed.
pub fn capacity(measured: &[Curve], predicted: &[Curve]) -> String {
    let mut groups: Vec<(Operation, Pattern)> = Vec::new();
    for Curve { case, .. } in measured {
        if !groups.contains(&(case.operation, case.pattern)) {
            groups.push((case.operation, case.pattern));
        }
    }
    let plots: Vec<String> = groups.iter().map(|group| plot(*group, measured, predicted)).collect();
    let (width, height) = (580, 262);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {0}\" width=\"{width}\" height=\"{0}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        height * plots.len()
    );
    for (n, plot) in plots.iter().enumerate() {
        out += &format!("<g transform=\"translate(0 {})\">\n{plot}</g>\n", n * height);
    }
    out + "</svg>\n"
}

fn plot((operation, pattern): (Operation, Pattern), measured: &[Curve], predicted: &[Curve]) -> String {
    let is_here = |curve: &&Curve| (curve.case.operation, curve.case.pattern) == (operation, pattern);
    let mut series = Vec::new();
    for (colour, curve) in measured.iter().filter(is_here).enumerate() {
        series.push(Series::of(curve, colour, false, |point| Some(point.pooled())));
        let same = predicted.iter().find(|other| other.case == curve.case);
        series.extend(same.map(|curve| {
            let line = Series::of(curve, colour, true, |point| Some(point.pooled()));
            Series { name: "predicted".into(), ..line }
        }));
    }
    let (low, high) = SHOWN[usize::from(matches!(pattern, Pattern::Strided(_)))];
    series.iter_mut().for_each(|series| series.points.retain(|(size, _)| (low..=high).contains(size)));
    let unit = measured.iter().find(is_here).map_or("", |curve| curve.case.unit());
    let title = format!("{operation}, {pattern}: share of first attempts that commit");
    svg(&Plot { title: &title, unit, top: 1.0, series: &series })
}
