//! What the simulator says about machines, one per core, with one estimate for all.

use super::watch::Stage;
use crate::parallel;
use laboratory::curve::Curve;
use laboratory::{Machine, Plan, Prediction, compare, fit, present, published};
use std::sync::atomic::{AtomicU64, Ordering};

/// A machine, and the thousandths of it that are done.
type Job<'a> = (&'a Machine, AtomicU64);

/// Every machine; the one at hand is fitted to what was measured. `keep` is told what is done.
pub(super) fn all(
    machines: &[Machine],
    plan: &Plan,
    measured: &[Curve],
    stage: &Stage<'_>,
    keep: &(dyn Fn(&Prediction) + Sync),
) -> Vec<Prediction> {
    let plan = plan.clone().simulated();
    let jobs: Vec<Job<'_>> = machines.iter().map(|machine| (machine, AtomicU64::new(0))).collect();
    let stops = |job: &Job<'_>, done: f64| {
        job.1.store((done * 1000.0) as u64, Ordering::Relaxed);
        let sum: u64 = jobs.iter().map(|(_, done)| done.load(Ordering::Relaxed)).sum();
        stage.stops(sum as f64 / (1000 * jobs.len()) as f64)
    };
    parallel::map(&jobs, |job| {
        let measured = if job.0.name == present::NAME { measured } else { &[] };
        let prediction = one(job.0, &plan, measured, &mut |done| stops(job, done));
        job.1.store(1000, Ordering::Relaxed);
        keep(&prediction);
        prediction
    })
}

fn one(machine: &Machine, plan: &Plan, measured: &[Curve], stops: &mut dyn FnMut(f64) -> bool) -> Prediction {
    let machine = fit::fit(machine, measured);
    // Numbers of others need finer steps than a quick look has.
    let others = if plan.is_quick() { &[] } else { machine.published.as_slice() };
    let share = if others.is_empty() { 1.0 } else { 0.5 };
    let (curves, _) = compare::predict(&machine, plan, &mut |done| stops(done * share));
    let comparisons = compare::compare(&machine, &curves, measured);
    let published = published::beside(&machine, others, &mut |done| stops(share + done * (1.0 - share)));
    Prediction { machine, curves, comparisons, published }
}
