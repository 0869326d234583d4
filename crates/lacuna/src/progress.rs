//! What a long search says while it runs, and how it is stopped.

use crate::terminal;
use report::table::{bytes, thousands};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use system::{Limit, Limits, Statistics};

/// Set by Ctrl-C, SIGTERM and SIGHUP: the search stops and says what it knows.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// A request that comes so soon after the first is the same one: `timeout` sends it to the program and to its group.
const SAME: Duration = Duration::from_millis(300);

/// Lets Ctrl-C and requests to terminate stop searches; a second one ends the program.
pub(crate) fn listen() {
    let mut first: Option<Instant> = None;
    // Fails only if a handler is set already, which does no harm.
    let _ = ctrlc::set_handler(move || {
        STOP.store(true, Ordering::SeqCst);
        if first.get_or_insert_with(Instant::now).elapsed() > SAME {
            std::process::exit(130);
        }
    });
}

/// A line on standard error, rewritten while a search runs; silent where nobody is looking.
pub(crate) struct SearchLine {
    label: String,
    limits: Limits,
    is_shown: bool,
    last: Mutex<(f64, u64)>,
}

impl SearchLine {
    pub(crate) fn new(label: String, limits: Limits, quiet: bool) -> Self {
        let is_shown = !quiet && std::io::stderr().is_terminal();
        SearchLine { label, limits, is_shown, last: Mutex::new((0.0, 0)) }
    }

    /// Time, rate, depth, frontier, memory, and which limit is near.
    pub(crate) fn show(&self, now: &Statistics) {
        if !self.is_shown || now.seconds < 0.5 {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(|e| e.into_inner());
        let rate = (now.states - last.1) as f64 / (now.seconds - last.0).max(1e-3);
        *last = (now.seconds, now.states);
        terminal::rewrite_line(&self.line(now, rate));
    }

    fn line(&self, now: &Statistics, rate: f64) -> String {
        format!(
            "{}: {:.0} s, {} states, {}/s, depth {}, frontier {}, {}{}",
            self.label,
            now.seconds,
            thousands(now.states),
            thousands(rate as u64),
            now.depth,
            thousands(now.frontier),
            bytes(now.peak_bytes),
            self.estimate(now, rate),
        )
    }

    /// How long until a limit is reached at this rate. How long until the end nobody knows.
    fn estimate(&self, now: &Statistics, rate: f64) -> String {
        let by_time = self.limits.timeout.map(|t| t.as_secs_f64() - now.seconds);
        let by_states = self.limits.max_states.map(|max| max.saturating_sub(now.states) as f64 / rate.max(1.0));
        let per_second = now.peak_bytes as f64 / now.seconds.max(1e-3);
        let by_bytes = self.limits.max_bytes.map(|max| max.saturating_sub(now.peak_bytes) as f64 / per_second.max(1.0));
        let limits = [(by_time, Limit::Time), (by_states, Limit::States), (by_bytes, Limit::Memory)];
        let seconds = limits.into_iter().filter_map(|(seconds, limit)| Some((seconds?, limit)));
        let nearest = seconds.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or(String::new(), |(seconds, limit)| format!(", {} in {:.0} s", limit.name(), seconds.max(0.0)))
    }

    pub(crate) fn clear(&self) {
        if self.is_shown {
            terminal::rewrite_line("");
        }
    }
}

/// A line on standard error that counts jobs; silent where nobody is looking.
pub(crate) struct Counter {
    label: String,
    total: usize,
    is_shown: bool,
    done: AtomicUsize,
}

impl Counter {
    pub(crate) fn new(label: String, total: usize, quiet: bool) -> Self {
        let is_shown = !quiet && std::io::stderr().is_terminal();
        Counter { label, total, is_shown, done: AtomicUsize::new(0) }
    }

    /// One job more is done.
    pub(crate) fn count(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown {
            terminal::rewrite_line(&format!("{}: {done} of {}", self.label, self.total));
        }
    }

    pub(crate) fn clear(&self) {
        if self.is_shown {
            terminal::rewrite_line("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(limits: Limits, now: Statistics) -> String {
        SearchLine::new("original wr tso".into(), limits, true).line(&now, 1000.0)
    }

    #[test]
    fn a_line_says_the_time_and_the_nearest_limit() {
        let now = Statistics { seconds: 12.0, states: 5000, ..Statistics::default() };
        let limits = Limits { timeout: Some(Duration::from_secs(60)), max_states: Some(9000), max_bytes: None };
        let line = line(limits, now);
        assert!(line.starts_with("original wr tso: 12 s, 5 000 states, 1 000/s"), "{line}");
        assert!(line.ends_with(", max-states in 4 s"), "{line}");
    }

    #[test]
    fn a_limit_that_is_over_is_not_in_the_past() {
        let now = Statistics { seconds: 61.0, ..Statistics::default() };
        let limits = Limits { timeout: Some(Duration::from_secs(60)), max_states: None, max_bytes: None };
        assert!(line(limits, now).ends_with(", timeout in 0 s"));
        assert!(!line(Limits { timeout: None, max_states: None, max_bytes: None }, now).contains(" in "));
    }
}
