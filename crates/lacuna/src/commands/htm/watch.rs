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
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An estimate is not worth much before.
const SOON: Duration = Duration::from_secs(2);

/// How often it says how far it is where lines stay: in a file, not on a terminal.
const NOW_AND_THEN: Duration = Duration::from_secs(60);

/// When to stop, and what to say meanwhile.
pub(super) struct Watch {
    deadline: Option<Instant>,
    is_quiet: bool,
    is_terminal: bool,
    /// When it last said how far it is.
    said: Mutex<Instant>,
    pub(super) has_stopped: AtomicBool,
}

/// A part of the run, with its own time and its own estimate.
pub(super) struct Stage<'a> {
    watch: &'a Watch,
    name: &'static str,
    started: Instant,
}

impl Watch {
    pub(super) fn new(args: &HtmArgs) -> Result<Watch, Error> {
        let started = Instant::now();
        let deadline = limits::timeout(args.timeout)?.map(|limit| started + limit);
        let (is_terminal, said) = (std::io::stderr().is_terminal(), Mutex::new(started));
        Ok(Watch { deadline, is_quiet: args.quiet, is_terminal, said, has_stopped: AtomicBool::new(false) })
    }

    /// Another part begins.
    pub(super) fn stage(&self, name: &'static str) -> Stage<'_> {
        Stage { watch: self, name, started: Instant::now() }
    }

    /// Shows how far it is: always on a terminal, now and then where lines stay.
    fn show(&self, line: &str) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.is_quiet, self.is_terminal) {
            (true, _) => {}
            (false, true) => terminal::rewrite_line(line),
            (false, false) if said.elapsed() < NOW_AND_THEN => {}
            (false, false) => {
                terminal::complain(line);
                *said = Instant::now();
            }
        }
    }

    fn stops(&self) -> bool {
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
        if !self.is_quiet && self.is_terminal {
            terminal::rewrite_line("");
        }
    }
}

impl Stage<'_> {
    /// Shows what is going on; says whether to stop.
    pub(super) fn stops(&self, done: f64) -> bool {
        self.watch.show(&format!("{}: {:.0} %{}", self.name, done * 100.0, left(self.started.elapsed(), done)));
        self.watch.stops()
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
    pub(super) stage: Stage<'a>,
    pub(super) record: &'a Record,
    /// What is known besides.
    pub(super) so_far: Findings,
}

impl Follower for Following<'_> {
    fn stops(&mut self, done: f64) -> bool {
        self.stage.stops(done)
    }

    fn case_is_done(&mut self, case: &Case, is_last: bool, so_far: &Sweep) {
        let measured = curve::curves(so_far);
        if let Some(curve) = measured.iter().find(|curve| curve.case == *case).filter(|_| is_last) {
            self.stage.watch.say(&pages::row(curve));
        }
        if self.record.is_wanted() {
            let cells = so_far.cells.clone();
            self.record.keep(&Findings { measured, cells, ..self.so_far.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;
    use laboratory::Plan;
    use laboratory::sweep::{Subject, sweep};

    #[test]
    fn what_is_left_is_estimated_by_what_is_done() {
        let after = |seconds, done| left(Duration::from_secs(seconds), done);
        assert_eq!(after(1, 0.5), "", "too early");
        assert_eq!(after(10, 0.5), ", about 10 s left");
        assert_eq!(after(120, 0.1), ", about 18 min left");
        assert_eq!(after(120, 1.0), "");
    }

    /// Commits everything.
    struct Toy;

    impl Subject for Toy {
        fn can_try(&self, _case: &Case) -> bool {
            true
        }
        fn start_trial(&mut self, _case: &Case, _n_bytes: usize) {}
        fn attempt(&mut self, _case: &Case, _n_bytes: usize) -> Result<(), htm::Cause> {
            Ok(())
        }
    }

    /// Stops before a cell, as Ctrl-C does.
    struct Stopping<'a>(Following<'a>, usize);

    impl Follower for Stopping<'_> {
        fn stops(&mut self, done: f64) -> bool {
            self.1 -= 1;
            self.0.stops(done) || self.1 == 0
        }
        fn case_is_done(&mut self, case: &Case, is_last: bool, so_far: &Sweep) {
            self.0.case_is_done(case, is_last, so_far);
        }
    }

    #[test]
    fn what_was_measured_is_in_the_files_though_the_run_does_not_end() {
        let folder = std::env::temp_dir().join(format!("lacuna-htm-following-{}", std::process::id()));
        let line = ["lacuna", "htm", "--quick", "--quiet", "--record", folder.to_str().expect("plain")];
        let Command::Htm(args) = Arguments::parse_from(line).command else { panic!("another command") };
        let (watch, record) = (Watch::new(&args).expect("a watch"), Record::new(&args).expect("a folder"));
        let following = Following { stage: watch.stage("measuring"), record: &record, so_far: Findings::default() };
        let plan = Plan { repetitions: 1, ..Plan::quick() };
        let n_sizes = plan.curves[0].1.len();
        let swept = sweep(&plan, &mut Toy, &mut Stopping(following, n_sizes + 2));
        assert!(swept.is_cut_short && swept.cells.len() == n_sizes + 1);
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("written");
        assert_eq!(read("repetitions.csv").lines().count(), 1 + n_sizes, "the first case, and the head");
        assert!(read("htm.json").contains("\"complete\": false"));
        assert!(read("summary.txt").contains("read 64-bit distinct"));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
