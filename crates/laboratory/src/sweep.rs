//! How it is tried: every size of every case, many trials, each tried again until it commits or the cap is reached.
//!
//! The repetitions are outermost, so that whatever else the machine does is spread over all cases. First-attempt
//! success is not a probability: attempts leave traces in the caches. So attempts until commit, their cap and the share
//! that never committed are kept too, and every number is reported with its range over the repetitions.

use crate::case::{Case, Mode, Operation, Pattern, Width};
use htm::Cause;

/// What is swept: the processor, or a simulation.
pub trait Subject {
    /// Whether it can say anything about this case.
    fn can_try(&self, case: &Case) -> bool;
    /// Another case begins.
    fn start_case(&mut self, _case: &Case) {}
    /// Another trial begins: a fresh area, where the mode asks for one.
    fn start_trial(&mut self, case: &Case, n_bytes: usize);
    /// One attempt, with what the mode does before.
    fn attempt(&mut self, case: &Case, n_bytes: usize) -> Result<(), Cause>;
}

/// What to try, and how often.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases, each with its sizes in bytes.
    pub curves: Vec<(Case, Vec<usize>)>,
    /// Repetitions of everything.
    pub repetitions: usize,
    /// Trials of one size, if it has at most 1 MB; a quarter of them above.
    pub trials: usize,
    /// Attempts of one trial.
    pub max_attempts: u32,
    /// Leave out the larger sizes of a curve after so many at which nothing commits.
    pub ends_after_failures: Option<usize>,
}

/// One size of one case in one repetition.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Which case of the plan.
    pub case: Case,
    /// The size of the area.
    pub n_bytes: usize,
    /// Which repetition.
    pub repetition: usize,
    /// Trials made.
    pub trials: u32,
    /// Trials whose first attempt committed.
    pub first_commits: u32,
    /// Trials that committed at last.
    pub commits: u32,
    /// Attempts of the trials that committed.
    pub attempts: u64,
    /// Aborts of all attempts, in the order of [`Cause::ALL`].
    pub aborts: [u64; Cause::ALL.len()],
}

/// The cells of a plan, and whether all of it was done.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// In the order in which they were measured.
    pub cells: Vec<Cell>,
    /// It was stopped before its end.
    pub is_cut_short: bool,
}

/// Sizes of sequential areas, in kilobytes: close to one another where first-level caches end.
const KILOBYTES: [usize; 44] = [
    1, 4, 8, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 31, 32, 36, 40, 42, 44, 45, 46, 47, 48, 52, 56, 64, 72, 80, 96,
    112, 128, 160, 192, 256, 384, 512, 768, 1024, 2048, 3072, 4096, 6144, 8192, 16384,
];

/// The same for a quick look.
const QUICK_KILOBYTES: [usize; 22] =
    [4, 16, 18, 20, 24, 28, 30, 32, 40, 44, 46, 48, 64, 80, 96, 112, 128, 160, 256, 1024, 4096, 16384];

/// Numbers of lines of strided areas.
const LINES: [usize; 22] = [2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 3072];

/// Above, there are fewer trials and attempts.
const LARGE: usize = 1 << 20;

/// Strides in bytes: from all sets of a first-level cache to one of them.
pub const STRIDES: [usize; 4] = [128, 512, 2048, 4096];

/// The modes of strided accesses.
const STRIDED_MODES: [Mode; 2] = [Mode::Distinct, Mode::Warm(5)];

impl Plan {
    /// Everything the laboratory measures.
    pub fn full() -> Plan {
        let mut curves = Vec::new();
        for operation in [Operation::Read, Operation::Write] {
            for width in [Width::Bits32, Width::Bits64] {
                for mode in Mode::ALL {
                    let case = Case { operation, pattern: Pattern::Sequential(width), mode };
                    curves.push((case, kilobytes(&KILOBYTES)));
                }
            }
            curves.extend(strided(operation, &STRIDES));
        }
        Plan { curves, repetitions: 5, trials: 48, max_attempts: 16, ends_after_failures: None }
    }

    /// A part of it that takes seconds.
    pub fn quick() -> Plan {
        let mut curves = Vec::new();
        for operation in [Operation::Read, Operation::Write] {
            for mode in [Mode::Distinct, Mode::Reused, Mode::Flushed, Mode::Warm(5)] {
                curves.push((Case::sequential(operation, mode), kilobytes(&QUICK_KILOBYTES)));
            }
            curves.extend(strided(operation, &[4096]));
        }
        Plan { curves, repetitions: 3, trials: 12, max_attempts: 8, ends_after_failures: None }
    }

    /// The same for a simulation: to it, words of one line are one access, and fewer trials will do.
    pub fn simulated(self) -> Plan {
        let one_width = |case: &Case| case.pattern != Pattern::Sequential(Width::Bits32);
        let repetitions = if self.is_quick() { 1 } else { 2 };
        let curves = self.curves.into_iter().filter(|(case, _)| one_width(case)).collect();
        Plan { curves, repetitions, trials: 24, max_attempts: 4, ends_after_failures: Some(3) }
    }

    /// Whether it has the few sizes of a quick look.
    pub fn is_quick(&self) -> bool {
        self.curves.iter().all(|(_, sizes)| sizes.len() < KILOBYTES.len())
    }

    fn trials_of(&self, n_bytes: usize) -> u32 {
        (if n_bytes > LARGE { (self.trials / 4).max(1) } else { self.trials }) as u32
    }

    /// How long a size takes, roughly, in bytes accessed: what fails is prepared again for every attempt.
    fn work(&self, case: &Case, n_bytes: usize) -> f64 {
        let passes = match case.mode {
            Mode::Warm(passes) => 1 + passes,
            Mode::Flushed | Mode::Invalidated => 4,
            _ => 1,
        };
        f64::from(self.trials_of(n_bytes)) * (n_bytes as f64 * f64::from(passes) + 65_536.0)
    }
}

fn kilobytes(sizes: &[usize]) -> Vec<usize> {
    sizes.iter().map(|n| n * 1024).collect()
}

fn strided(operation: Operation, strides: &[usize]) -> Vec<(Case, Vec<usize>)> {
    let with_mode = |stride: usize| STRIDED_MODES.map(|mode| (stride, mode));
    let curve = |(stride, mode)| {
        let sizes = LINES.iter().map(|n| n * stride).collect();
        (Case { operation, pattern: Pattern::Strided(stride), mode }, sizes)
    };
    strides.iter().copied().flat_map(with_mode).map(curve).collect()
}

/// Whoever follows a sweep.
pub trait Follower {
    /// Asked before every cell, and told which share of the work is done: whether to stop.
    fn stops(&mut self, done: f64) -> bool;
    /// A case has all its sizes, in one repetition or, if `is_last`, in all.
    fn case_is_done(&mut self, _case: &Case, _is_last: bool, _so_far: &Sweep) {}
}

impl<F: FnMut(f64) -> bool + ?Sized> Follower for F {
    fn stops(&mut self, done: f64) -> bool {
        self(done)
    }
}

/// Tries everything, until the follower says so.
pub fn sweep(plan: &Plan, subject: &mut dyn Subject, follower: &mut (impl Follower + ?Sized)) -> Sweep {
    let curves: Vec<_> = plan.curves.iter().filter(|(case, _)| subject.can_try(case)).collect();
    let work = |(case, sizes): &&(Case, Vec<usize>)| sizes.iter().map(|n| plan.work(case, *n)).sum::<f64>();
    let all = plan.repetitions as f64 * curves.iter().map(work).sum::<f64>();
    let mut result = Sweep::default();
    let mut done = 0.0;
    for repetition in 0..plan.repetitions {
        for (case, sizes) in &curves {
            subject.start_case(case);
            let mut n_failures = 0;
            for &n_bytes in sizes {
                if plan.ends_after_failures.is_none_or(|limit| n_failures < limit) {
                    if follower.stops(done / all) {
                        result.is_cut_short = true;
                        return result;
                    }
                    let cell = try_size(plan, subject, case, n_bytes, repetition);
                    n_failures = if cell.commits == 0 { n_failures + 1 } else { 0 };
                    result.cells.push(cell);
                }
                done += plan.work(case, n_bytes);
            }
            follower.case_is_done(case, repetition + 1 == plan.repetitions, &result);
        }
    }
    result
}

fn try_size(plan: &Plan, subject: &mut dyn Subject, case: &Case, n_bytes: usize, repetition: usize) -> Cell {
    let trials = plan.trials_of(n_bytes);
    let max_attempts = if n_bytes > LARGE { plan.max_attempts.div_ceil(4) } else { plan.max_attempts };
    let mut cell = Cell {
        case: *case,
        n_bytes,
        repetition,
        trials,
        first_commits: 0,
        commits: 0,
        attempts: 0,
        aborts: [0; Cause::ALL.len()],
    };
    for _ in 0..trials {
        subject.start_trial(case, n_bytes);
        for attempt in 1..=max_attempts {
            match subject.attempt(case, n_bytes) {
                Ok(()) => {
                    cell.first_commits += u32::from(attempt == 1);
                    cell.commits += 1;
                    cell.attempts += u64::from(attempt);
                    break;
                }
                Err(cause) => cell.aborts[cause.index()] += 1,
            }
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commits below a size, at the second attempt of every other trial.
    struct Toy {
        trial: u32,
        attempt: u32,
    }

    impl Subject for Toy {
        fn can_try(&self, case: &Case) -> bool {
            case.operation == Operation::Write
        }

        fn start_trial(&mut self, _case: &Case, _n_bytes: usize) {
            self.trial += 1;
            self.attempt = 0;
        }

        fn attempt(&mut self, _case: &Case, n_bytes: usize) -> Result<(), Cause> {
            self.attempt += 1;
            let commits = n_bytes <= 4096 && self.attempt > self.trial % 2;
            if commits { Ok(()) } else { Err(Cause::Capacity) }
        }
    }

    fn plan() -> Plan {
        let case = |operation| (Case::sequential(operation, Mode::Distinct), kilobytes(&[4, 8, 16, 32]));
        let curves = vec![case(Operation::Read), case(Operation::Write)];
        Plan { curves, repetitions: 2, trials: 10, max_attempts: 3, ends_after_failures: None }
    }

    #[test]
    fn attempts_until_commit_and_failures_are_counted_apart() {
        let sweep = sweep(&plan(), &mut Toy { trial: 0, attempt: 0 }, &mut |_| false);
        assert_eq!(sweep.cells.len(), 8, "two repetitions of four sizes; reads cannot be tried");
        let (fits, fails) = (&sweep.cells[0], &sweep.cells[1]);
        assert_eq!((fits.trials, fits.first_commits, fits.commits, fits.attempts), (10, 5, 10, 15));
        assert_eq!((fails.commits, fails.attempts, fails.aborts[Cause::Capacity.index()]), (0, 0, 30));
    }

    #[test]
    fn a_sweep_can_be_stopped_and_says_so() {
        let mut n_asked = 0;
        let mut stops = |_| {
            n_asked += 1;
            n_asked > 3
        };
        let sweep = sweep(&plan(), &mut Toy { trial: 0, attempt: 0 }, &mut stops);
        assert!(sweep.is_cut_short);
        assert_eq!(sweep.cells.len(), 3);
    }

    #[test]
    fn larger_sizes_may_be_left_out() {
        let plan = Plan { ends_after_failures: Some(2), ..plan() };
        let sweep = sweep(&plan, &mut Toy { trial: 0, attempt: 0 }, &mut |_| false);
        assert_eq!(sweep.cells.len(), 6);
    }
}
