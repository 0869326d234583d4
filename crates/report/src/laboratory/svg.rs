//! A plot: a number by size, one line per series, with the range over the repetitions as vertical strokes.

use crate::html::escape;
use laboratory::curve::{Curve, Point, Spread};
use std::fmt::Write;

/// One line of a plot.
pub(super) struct Series {
    pub(super) name: String,
    /// Size and number, by ascending size.
    pub(super) points: Vec<(f64, Spread)>,
    /// Predictions are dashed; what was measured has dots.
    pub(super) is_dashed: bool,
    /// Which of the colours it has.
    pub(super) colour: usize,
}

impl Series {
    /// The line of a curve, named by its mode.
    pub(super) fn of(
        curve: &Curve,
        colour: usize,
        is_dashed: bool,
        number: impl Fn(&Point) -> Option<Spread>,
    ) -> Series {
        let size = |point: &Point| curve.case.in_unit(point.n_bytes as f64);
        let points = curve.points.iter().filter_map(|point| Some((size(point), number(point)?)));
        Series { name: curve.case.mode.to_string(), points: points.collect(), is_dashed, colour }
    }
}

/// What a plot is of.
pub(super) struct Plot<'a> {
    pub(super) title: &'a str,
    pub(super) unit: &'a str,
    /// The largest number that has a place.
    pub(super) top: f64,
    pub(super) series: &'a [Series],
}

const LEFT: f64 = 40.0;
const TOP: f64 = 26.0;
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 200.0;
/// Apart also for those who do not see all colours.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"];

/// The plot, or nothing if there is nothing to draw.
pub(super) fn svg(plot: &Plot) -> String {
    let sizes = plot.series.iter().flat_map(|series| series.points.iter().map(|(size, _)| *size));
    let (min, max) = sizes.fold((f64::MAX, f64::MIN), |(min, max), size| (min.min(size), max.max(size)));
    if min > max {
        return String::new();
    }
    let axes = Axes { min: min.log2(), span: (max.log2() - min.log2()).max(1.0), top: plot.top };
    let (width, height) = (LEFT + WIDTH + 120.0, TOP + HEIGHT + 36.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"{LEFT}\" y=\"16\" font-size=\"13\">{}</text>\n",
        escape(plot.title)
    );
    axes.draw(&mut out, plot.unit);
    for (n, series) in plot.series.iter().enumerate() {
        axes.draw_series(&mut out, series, n);
    }
    out + "</svg>\n"
}

/// Sizes to the right in powers of two, numbers upwards.
struct Axes {
    min: f64,
    span: f64,
    top: f64,
}

impl Axes {
    fn x(&self, size: f64) -> f64 {
        LEFT + WIDTH * (size.log2() - self.min) / self.span
    }

    fn y(&self, number: f64) -> f64 {
        TOP + HEIGHT * (1.0 - number.min(self.top) / self.top)
    }

    fn draw(&self, out: &mut String, unit: &str) {
        let (bottom, right) = (TOP + HEIGHT, LEFT + WIDTH);
        for quarter in 0..=4 {
            let number = self.top * f64::from(quarter) / 4.0;
            let y = self.y(number);
            let _ = writeln!(
                out,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>",
                LEFT - 4.0,
                y + 4.0
            );
        }
        let n_octaves = self.span.ceil() as i32;
        for octave in (0..=n_octaves).step_by((n_octaves as usize / 8).max(1)) {
            let size = (self.min.ceil() + f64::from(octave)).exp2();
            if self.x(size) <= right + 0.5 {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{size:.0}</text>",
                    self.x(size),
                    bottom + 15.0
                );
            }
        }
        let _ = writeln!(out, "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{unit}</text>", bottom + 30.0);
    }

    fn draw_series(&self, out: &mut String, series: &Series, n: usize) {
        let colour = COLOURS[series.colour % COLOURS.len()];
        let dashes = if series.is_dashed { " stroke-dasharray=\"4 3\"" } else { "" };
        let line: Vec<String> =
            series.points.iter().map(|(size, s)| format!("{:.1},{:.1}", self.x(*size), self.y(s.median))).collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dashes} points=\"{}\"/>",
            line.join(" ")
        );
        for (size, s) in series.points.iter().filter(|_| !series.is_dashed) {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\" fill=\"{colour}\"/>",
                self.x(*size),
                self.y(s.median)
            );
        }
        for (size, range) in series.points.iter().filter(|(_, s)| s.max > s.min) {
            let x = self.x(*size);
            let (low, high) = (self.y(range.min), self.y(range.max));
            let _ = writeln!(
                out,
                "<line x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\" stroke=\"{colour}\" stroke-opacity=\"0.4\"/>"
            );
        }
        let (x, y) = (LEFT + WIDTH + 10.0, TOP + 8.0 + 15.0 * n as f64);
        let _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            x + 18.0,
            x + 23.0,
            y + 4.0,
            escape(&series.name)
        );
    }
}
