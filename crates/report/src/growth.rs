//! A chart: one bar per scope, its number of states on a logarithmic scale.

use crate::html::escape;
use std::fmt::Write;

/// What a bar stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BarKind {
    /// A search that saw everything.
    Measured,
    /// A search that found a violation.
    Violated,
    /// A search that was stopped.
    Stopped,
    /// A forecast.
    Forecast,
}

impl BarKind {
    fn style(self) -> &'static str {
        match self {
            BarKind::Measured => "fill=\"#0072b2\"",
            BarKind::Violated => "fill=\"#d55e00\"",
            BarKind::Stopped => "fill=\"#999999\"",
            BarKind::Forecast => "fill=\"none\" stroke=\"#0072b2\" stroke-dasharray=\"4 3\"",
        }
    }
}

/// One bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Below it.
    pub label: String,
    /// How high.
    pub value: f64,
    /// What it stands for.
    pub kind: BarKind,
}

const LEFT: f64 = 170.0;
const WIDTH: f64 = 520.0;
const STEP: f64 = 22.0;

/// How long a bar is, as a share of the longest: by the logarithm of its value.
pub fn share(value: f64, greatest: f64) -> f64 {
    let log = |value: f64| value.max(1.0).log10();
    if log(greatest) == 0.0 { 0.0 } else { (log(value) / log(greatest)).clamp(0.0, 1.0) }
}

/// The chart: bars to the right, one below the other.
pub fn svg(title: &str, bars: &[Bar]) -> String {
    let greatest = bars.iter().map(|bar| bar.value).fold(1.0, f64::max);
    let height = 40.0 + STEP * bars.len() as f64;
    let width = LEFT + WIDTH + 110.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"8\" y=\"16\" font-size=\"13\">{}</text>\n",
        escape(title)
    );
    for (n, bar) in bars.iter().enumerate() {
        let y = 30.0 + STEP * n as f64;
        let length = WIDTH * share(bar.value, greatest);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{length:.1}\" height=\"14\" {}/>\
             <text x=\"{:.1}\" y=\"{}\">{:.0}</text>",
            LEFT - 6.0,
            y + 11.0,
            escape(&bar.label),
            bar.kind.style(),
            LEFT + length + 5.0,
            y + 11.0,
            bar.value,
        );
    }
    out + "</svg>\n"
}
