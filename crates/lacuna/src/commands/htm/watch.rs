//! When a run of the laboratory stops, and what it says meanwhile: how far it is, how long it may still take, each case that is done.

use super::record::Record;
use crate::args::HtmArgs;
use crate::exit::Error;
use crate::limits;
use crate::progress::STOP;
use crate::terminal;
use laboratory::sweep::Follower;
use laboratory::{Case, Findings, Sweep, curve};
use report::laboratory as pages;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An estimate is not worth much before.
const SOON: Duration = Duration::from_secs(2);

/// When to stop, and what to say meanwhile.
pub(super) struct Watch {
    started: Instant,
    deadline: Option<Instant>,
    is_quiet: bool,
    is_shown: bool,
    pub(super) has_stopped: AtomicBool,
}

impl Watch {
    pub(super) fn new(args: &HtmArgs) -> Result<Watch, Error> {
        let started = Instant::now();
        let deadline = limits::timeout(args.timeout)?.map(|limit| started + limit);
        let is_shown = !args.quiet && std::io::stderr().is_terminal();
        Ok(Watch { started, deadline, is_quiet: args.quiet, is_shown, has_stopped: AtomicBool::new(false) })
    }

    /// Shows what is going on; says whether to stop.
    pub(super) fn stops(&self, what: &str, done: f64) -> bool {
        if self.is_shown {
            terminal::rewrite_line(&format!("{what}: {:.0} %{}", done * 100.0, left(self.started.elapsed(), done)));
        }
        let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let stops = is_over || STOP.load(Ordering::Relaxed);
        self.has_stopped.fetch_or(stops, Ordering::Relaxed);
        stops
    }

    /// Says a line that stays.
    fn say(&self, line: &str) {
        self.clear();
        if !self.is_quiet {
            terminal::complain(line);
        }
    }

    pub(super) fn clear(&self) {
        if self.is_shown {
            terminal::rewrite_line("");
        }
    }
}

/// How long it may still take, if the rest goes as what is done.
fn left(elapsed: Duration, done: f64) -> String {
    if elapsed < SOON || done <= 0.0 || done >= 1.0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - done) / done;
    match seconds {
        ..90.0 => format!(", about {seconds:.0} s left"),
        _ => format!(", about {:.0} min left", seconds / 60.0),
    }
}

/// Follows a sweep of this processor: shows it, and records what there is after every case.
pub(super) struct Following<'a> {
    pub(super) watch: &'a Watch,
    pub(super) record: &'a Record,
    /// What is known besides.
    pub(super) so_far: Findings,
}

impl Follower for Following<'_> {
    fn stops(&mut self, done: f64) -> bool {
        self.watch.stops("measuring", done)
    }

    fn case_is_done(&mut self, case: &Case, is_last: bool, so_far: &Sweep) {
        let measured = curve::curves(so_far);
        if let Some(curve) = measured.iter().find(|curve| curve.case == *case).filter(|_| is_last) {
            self.watch.say(&pages::row(curve));
        }
        if self.record.is_wanted() {
            let (cells, is_cut_short) = (so_far.cells.clone(), true);
            self.record.keep(&Findings { measured, cells, is_cut_short, ..self.so_far.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_estimated_by_what_is_done() {
        let after = |seconds, done| left(Duration::from_secs(seconds), done);
        assert_eq!(after(1, 0.5), "", "too early");
        assert_eq!(after(10, 0.5), ", about 10 s left");
        assert_eq!(after(120, 0.1), ", about 18 min left");
        assert_eq!(after(120, 1.0), "");
    }
}
