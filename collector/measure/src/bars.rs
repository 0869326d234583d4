//! Bars: what must be reached, what was measured, and whether that is enough.

use std::fmt;

/// What came of a bar.
enum Result {
    Measured { value: f64, is_reached: bool },
    Skipped(&'static str),
}

/// All bars of a run.
#[derive(Default)]
pub(crate) struct Bars(Vec<(String, String, Result)>);

/// Why a bar about transactions has no figure.
pub(crate) const NO_RTM: &str = "no RTM";

impl Bars {
    /// A value that must be at least so much.
    pub(crate) fn at_least(&mut self, what: &str, bar: f64, value: f64) {
        self.0.push((what.into(), format!(">= {bar}"), Result::Measured { value, is_reached: value >= bar }));
    }

    /// A value that must be at most so much.
    pub(crate) fn at_most(&mut self, what: &str, bar: f64, value: f64) {
        self.0.push((what.into(), format!("<= {bar}"), Result::Measured { value, is_reached: value <= bar }));
    }

    /// A bar that cannot be measured here.
    pub(crate) fn skip(&mut self, what: &str, bar: &str, why: &'static str) {
        self.0.push((what.into(), bar.into(), Result::Skipped(why)));
    }
}

impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<72} {:>8} {:>9}", "bar", "", "measured")?;
        for (what, bar, result) in &self.0 {
            match result {
                Result::Measured { value, is_reached } => {
                    let word = if *is_reached { "reached" } else { "MISSED" };
                    writeln!(f, "{what:<72} {bar:>8} {value:>9.3}  {word}")?;
                }
                Result::Skipped(why) => writeln!(f, "{what:<72} {bar:>8} {:>9}  skipped: {why}", "-")?,
            }
        }
        Ok(())
    }
}
