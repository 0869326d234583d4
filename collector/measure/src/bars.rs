//! Bars: what must be reached, what was measured, and whether that is enough.

use std::fmt;

/// What must be reached, in words; the figure, unless there is none without RTM; and whether it is enough.
struct Bar {
    what: String,
    bound: String,
    value: Option<f64>,
    is_reached: bool,
}

/// All bars of a run.
#[derive(Default)]
pub(crate) struct Bars(Vec<Bar>);

/// Why a bar about transactions has no figure.
pub(crate) const NO_RTM: &str = "no RTM";

impl Bars {
    /// A value that must be at least so much; none if that needs RTM and there is none.
    pub(crate) fn at_least(&mut self, what: &str, bar: f64, value: Option<f64>) {
        let is_reached = value.is_some_and(|value| value >= bar);
        self.0.push(Bar { what: what.into(), bound: format!(">= {bar}"), value, is_reached });
    }

    /// A value that must be at most so much; none if that needs RTM and there is none.
    pub(crate) fn at_most(&mut self, what: &str, bar: f64, value: Option<f64>) {
        let is_reached = value.is_some_and(|value| value <= bar);
        self.0.push(Bar { what: what.into(), bound: format!("<= {bar}"), value, is_reached });
    }
}

impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<72} {:>8} {:>9}", "bar", "", "measured")?;
        for Bar { what, bound, value, is_reached } in &self.0 {
            let word = if *is_reached { "reached" } else { "MISSED" };
            match value {
                Some(value) => writeln!(f, "{what:<72} {bound:>8} {value:>9.3}  {word}")?,
                None => writeln!(f, "{what:<72} {bound:>8} {:>9}  skipped: {NO_RTM}", "-")?,
            }
        }
        Ok(())
    }
}
