//! What a long search says while it runs, and how it is stopped.

use crate::terminal;
use report::table::{bytes, thousands};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use system::{Limits, Statistics};

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

    /// Rate, depth, frontier, memory, and how much of the limits is used.
    pub(crate) fn show(&self, now: &Statistics) {
        if !self.is_shown || now.seconds < 0.5 {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(|e| e.into_inner());
        let rate = (now.states - last.1) as f64 / (now.seconds - last.0).max(1e-3);
        *last = (now.seconds, now.states);
        let line = format!(
            "{}: {} states, {}/s, depth {}, frontier {}, {}{}",
            self.label,
            thousands(now.states),
            thousands(rate as u64),
            now.depth,
            thousands(now.frontier),
            bytes(now.peak_bytes),
            self.estimate(now, rate),
        );
        terminal::rewrite_line(&line);
    }

    /// How long until a limit is reached at this rate. How long until the end nobody knows.
    fn estimate(&self, now: &Statistics, rate: f64) -> String {
        let by_time = self.limits.timeout.map(|t| t.as_secs_f64() - now.seconds);
        let by_states = self.limits.max_states.map(|max| max.saturating_sub(now.states) as f64 / rate.max(1.0));
        let per_second = now.peak_bytes as f64 / now.seconds.max(1e-3);
        let by_bytes = self.limits.max_bytes.map(|max| max.saturating_sub(now.peak_bytes) as f64 / per_second.max(1.0));
        let least = [by_time, by_states, by_bytes].into_iter().flatten().min_by(f64::total_cmp);
        least.map_or(String::new(), |seconds| format!(", limit in {seconds:.0} s"))
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
