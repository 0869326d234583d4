//! A run: mutator threads with a program each, and the collector beside them.

use crate::access::Access;
use crate::collector::Collector;
use crate::delay;
use crate::method::Method;
use crate::mutator::{Mutator, Program, Progress};
use crate::options::{Options, Trigger};
use crate::schedule;
use crate::stats::{CollectorStats, MutatorStats};
use crate::world::World;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The result of a run that found nothing wrong.
#[derive(Clone, Debug)]
pub struct RunResult<P> {
    /// The programs as they ended.
    pub programs: Vec<P>,
    /// What each mutator counted.
    pub mutators: Vec<MutatorStats>,
    /// What the collector counted.
    pub collector: CollectorStats,
    /// Time from start to end.
    pub elapsed: Duration,
}

impl<P> RunResult<P> {
    /// Steps of all mutators.
    pub fn n_steps(&self) -> u64 {
        self.mutators.iter().map(|stats| stats.n_steps).sum()
    }

    /// The longest time for which others had the processor of one of the threads.
    pub fn delay(&self) -> Duration {
        self.mutators.iter().map(|stats| stats.delay).fold(self.collector.delay, Duration::max)
    }

    /// How long each handshake or stop held each mutator.
    pub fn waits_ns(&self) -> Vec<u64> {
        self.mutators.iter().flat_map(|stats| stats.waits_ns.iter().copied()).collect()
    }
}

/// Runs each program in a mutator of its own; what is wrong, if anything is.
pub fn run<M: Method, P: Program>(options: Options, programs: Vec<P>) -> Result<RunResult<P>, String> {
    let world = World::new(options, programs.len());
    let started = Instant::now();
    let (ended, collector) = std::thread::scope(|scope| {
        let spawned: Vec<_> = programs
            .into_iter()
            .enumerate()
            .map(|(id, program)| {
                let world = &world;
                scope.spawn(move || mutate::<M, P>(world, id, program))
            })
            .collect();
        let collector = scope.spawn(|| collect::<M>(&world));
        wait(&world, options.limit);
        let ended: Vec<_> = spawned.into_iter().map(|thread| thread.join().expect("panics are caught")).collect();
        (ended, collector.join().expect("panics are caught"))
    });
    if let Some(message) = world.failure() {
        return Err(message);
    }
    let elapsed = started.elapsed();
    let (programs, mutators) = ended.into_iter().unzip();
    Ok(RunResult { programs, mutators, collector, elapsed })
}

fn mutate<M: Method, P: Program>(world: &World, id: usize, mut program: P) -> (P, MutatorStats) {
    let _turn = schedule::enter(world.schedule.as_ref(), id);
    let mut mutator = Mutator::<M>::new(world, id);
    match catch_unwind(AssertUnwindSafe(|| mutator.run(&mut program))) {
        Ok(Progress::Wrong(message)) => world.fail(format!("mutator {id}: {message}")),
        Ok(_) => {}
        Err(panic) => {
            mutator.access.abandon();
            world.fail(format!("mutator {id}: {}", words_of(panic.as_ref())));
        }
    }
    mutator.detach();
    mutator.stats.n_steps = mutator.local.n_steps;
    mutator.stats.delay = delay::so_far();
    (program, mutator.stats)
}

fn collect<M: Method>(world: &World) -> CollectorStats {
    let _turn = schedule::enter(world.schedule.as_ref(), world.controls.len());
    let mut collector = Collector::<M>::new(world);
    if world.options.trigger == Trigger::Never {
        return collector.stats;
    }
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| collector.run())) {
        world.fail(format!("collector: {}", words_of(panic.as_ref())));
    }
    // Whoever stands still continues.
    world.resumed.0.store(u64::MAX, Ordering::Release);
    collector.stats.delay = delay::so_far();
    collector.stats
}

/// Waits for the end of all programs, or of the time.
fn wait(world: &World, limit: Option<Duration>) {
    let started = Instant::now();
    while !world.is_deserted() {
        if limit.is_some_and(|limit| started.elapsed() >= limit) && !world.is_over() {
            world.end();
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("panicked")
}
