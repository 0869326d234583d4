//! Bars: what must be reached, what was measured, and whether that is enough. With the points behind them, for a record.

use std::fmt;
use std::path::Path;

/// What must be reached, in words; the figure, unless there is none without RTM; and whether it is enough.
struct Bar {
    what: String,
    bound: String,
    value: Option<f64>,
    is_reached: bool,
}

/// All bars of a run, and every repetition's numbers.
#[derive(Default)]
pub(crate) struct Bars {
    bars: Vec<Bar>,
    points: Vec<String>,
}

/// Why a bar about transactions has no figure.
pub(crate) const NO_RTM: &str = "no RTM";

impl Bars {
    /// A value that must be at least so much; none if that needs RTM and there is none.
    pub(crate) fn at_least(&mut self, what: &str, bar: f64, value: Option<f64>) {
        let is_reached = value.is_some_and(|value| value >= bar);
        self.bars.push(Bar { what: what.into(), bound: format!(">= {bar}"), value, is_reached });
    }

    /// Notes the numbers of all repetitions of something, for the record.
    pub(crate) fn note(&mut self, section: &str, what: &str, numbers: &[f64]) {
        let quoted = what.replace('"', "'");
        let line = |(n, number): (usize, &f64)| format!("{section},\"{quoted}\",{n},{number}");
        self.points.extend(numbers.iter().enumerate().map(line));
    }

    /// Writes all points and all bars into a folder.
    pub(crate) fn record(&self, folder: &Path) -> std::io::Result<()> {
        let points = format!("section,what,repetition,number\n{}\n", self.points.join("\n"));
        std::fs::write(folder.join("points.csv"), points)?;
        let bar = |bar: &Bar| {
            let value = bar.value.map_or(NO_RTM.to_string(), |value| value.to_string());
            format!("\"{}\",{},{value},{}", bar.what, bar.bound, bar.value.is_some() && bar.is_reached)
        };
        let bars: Vec<String> = self.bars.iter().map(bar).collect();
        std::fs::write(folder.join("bars.csv"), format!("bar,bound,measured,reached\n{}\n", bars.join("\n")))
    }

    /// A value that must be at most so much; none if that needs RTM and there is none.
    pub(crate) fn at_most(&mut self, what: &str, bar: f64, value: Option<f64>) {
        let is_reached = value.is_some_and(|value| value <= bar);
        self.bars.push(Bar { what: what.into(), bound: format!("<= {bar}"), value, is_reached });
    }
}

impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<72} {:>8} {:>9}", "bar", "", "measured")?;
        for Bar { what, bound, value, is_reached } in &self.bars {
            let word = if *is_reached { "reached" } else { "MISSED" };
            match value {
                Some(value) => writeln!(f, "{what:<72} {bound:>8} {value:>9.3}  {word}")?,
                None => writeln!(f, "{what:<72} {bound:>8} {:>9}  skipped: {NO_RTM}", "-")?,
            }
        }
        Ok(())
    }
}
