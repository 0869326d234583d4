//! All obligations, on all cores.

use crate::confirm::begins_with;
use crate::discharge::{ObligationResult, Patience, StepProof, discharge};
use crate::problem::{Problem, Refused};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The time for one obligation.
    pub each: Option<Duration>,
    /// The time for all.
    pub timeout: Option<Duration>,
}

/// How a run is stopped from outside, and whom it tells how many steps of all are done.
pub struct Control<'a> {
    /// Set to stop.
    pub stop: &'a AtomicBool,
    /// Called after each step, from any worker.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// The result of all obligations.
#[derive(Clone, Debug)]
pub struct Proof {
    /// By step.
    pub steps: Vec<StepProof>,
    /// What is false or violated at the start, by its rows.
    pub false_at_the_start: Vec<usize>,
    /// Whether the plain interpreter begins with one of these, too: the circuits may begin where `check` does not.
    pub is_violated_at_the_start: bool,
    /// Wall time.
    pub seconds: f64,
}

impl Proof {
    /// Every obligation with the position of its step.
    pub fn obligations(&self) -> impl Iterator<Item = (usize, &crate::Obligation)> {
        self.steps.iter().enumerate().flat_map(|(step, of)| of.obligations.iter().map(move |o| (step, o)))
    }

    /// Whether every obligation is discharged, and every invariant true at the start.
    pub fn is_complete(&self) -> bool {
        let is_discharged = |outcome: &ObligationResult| {
            matches!(outcome, ObligationResult::Untouched | ObligationResult::Discharged(_))
        };
        self.false_at_the_start.is_empty() && self.obligations().all(|(_, o)| is_discharged(&o.outcome))
    }
}

/// Discharges the obligations of `problem`.
pub fn prove(problem: &Problem<'_>, workers: usize, limits: Limits, control: &Control<'_>) -> Result<Proof, Refused> {
    let started = Instant::now();
    let deadline = limits.timeout.map(|timeout| started + timeout);
    let patience = Patience { each: limits.each, deadline, stop: control.stop };
    let n_steps = problem.steps.len();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<Result<StepProof, Refused>>>> = Mutex::new(vec![None; n_steps]);
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, n_steps.max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(step) = problem.steps.get(index) else { break };
                    let result = discharge(problem, index, patience).map_err(|at| problem.endless(step.thread, at));
                    results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
                    (control.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, n_steps);
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let steps =
        results.into_iter().map(|result| result.expect("every step was looked at")).collect::<Result<_, _>>()?;
    let false_at_the_start = problem.false_at_the_start()?;
    let time_left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let is_violated_at_the_start = begins_with(problem, &false_at_the_start, time_left);
    let seconds = started.elapsed().as_secs_f64();
    Ok(Proof { steps, false_at_the_start, is_violated_at_the_start, seconds })
}
