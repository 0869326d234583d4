//! Measures beside their bars. A bar that is missed is named again at the end, and the run fails.

use rustix::time::{ClockId, clock_gettime};
use std::process::ExitCode;

/// A build that notices overflow, as `./test` has it, is given so many times the time.
const SLOW: f64 = if cfg!(debug_assertions) { 6.0 } else { 1.0 };

/// What was missed so far.
#[derive(Default)]
pub(crate) struct Bars {
    missed: Vec<String>,
}

impl Bars {
    /// A time that must not be longer than the bar.
    pub(crate) fn time(&mut self, what: &str, measured: f64, bar: f64, unit: &str) {
        self.most(what, measured, bar * SLOW, unit);
    }

    /// A rate that must not be lower than the bar.
    pub(crate) fn rate(&mut self, what: &str, measured: f64, bar: f64, unit: &str) {
        self.least(what, measured, bar / SLOW, unit);
    }

    /// A measure that must not be greater than the bar.
    pub(crate) fn most(&mut self, what: &str, measured: f64, bar: f64, unit: &str) {
        self.hold(format!("{what}: {measured:.3} {unit} (bar: at most {bar} {unit})"), measured <= bar);
    }

    /// A measure that must not be less than the bar.
    pub(crate) fn least(&mut self, what: &str, measured: f64, bar: f64, unit: &str) {
        self.hold(format!("{what}: {measured:.3} {unit} (bar: at least {bar} {unit})"), measured >= bar);
    }

    fn hold(&mut self, line: String, is_met: bool) {
        println!("{line}{}", if is_met { "" } else { ": MISSED" });
        if !is_met {
            self.missed.push(line);
        }
    }

    /// The exit code of the run: 1 if something was missed.
    pub(crate) fn finish(self) -> ExitCode {
        for line in &self.missed {
            eprintln!("missed    {line}");
        }
        if self.missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Processor time of this process so far, in seconds.
pub(crate) fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Processor time of the processes that this one has started and waited for, in seconds. None where the system does not say.
pub(crate) fn children_seconds() -> Option<f64> {
    /// How many the system counts in a second.
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may have blanks. User and system time of children are the fields 16 and 17.
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_that_is_missed_is_remembered() {
        let mut bars = Bars::default();
        bars.most("a", 1.0, 1.0, "s");
        bars.least("b", 1.0, 1.0, "s");
        assert!(bars.missed.is_empty());
        bars.most("c", 1.1, 1.0, "s");
        bars.least("d", 0.9, 1.0, "s");
        assert_eq!(bars.missed.len(), 2);
        assert!(bars.missed[0].starts_with("c: 1.100 s"));
    }

    #[test]
    fn time_of_children_counts_what_they_did() {
        let Some(before) = children_seconds() else { return };
        let work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        let status = std::process::Command::new("sh").args(["-c", work]).status().expect("there is a shell");
        assert!(status.success() && children_seconds().is_some_and(|after| after > before));
    }
}
