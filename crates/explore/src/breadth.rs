//! Breadth-first search, level by level: the first violation found is at the least depth.
//!
//! Workers take chunks of the current level and put what is new into the seen set; a level ends when
//! all its chunks are done. A level that shows a violation is finished first, so that the number
//! of states does not depend on the number of workers.

use crate::frontier::{CHUNK, Level, Segment};
use crate::seen::SeenSet;
use crate::worker::Worker;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};
use system::{Limit, Limits, PropertyIndex, Reached, SharedReached, Statistics, Successors, TransitionSystem, Verdict};

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many workers; 1 gives the same numbers on every machine.
    pub workers: usize,
    /// Where to stop.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { workers: 1, limits: Limits::default() }
    }
}

/// How a search and its surroundings talk to one another.
pub struct Control<'a> {
    /// Set by others to stop the search.
    pub stop: &'a AtomicBool,
    /// Called now and then with what has been done so far.
    pub progress: &'a (dyn Fn(&Statistics) + Sync),
    /// Called with every quiescent or stuck state, that is, with every state without steps.
    pub ended: &'a (dyn Fn(&[u32]) + Sync),
}

impl Control<'static> {
    /// Nobody stops the search, and nobody is told of it.
    pub fn quiet() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Control { stop: &NEVER, progress: &|_| {}, ended: &|_| {} }
    }
}

/// What a search has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}

/// What a search of everything has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct EveryOutcome {
    /// Each property that is violated, with a shortest path that shows it.
    pub violated: Vec<(PropertyIndex, Vec<Vec<u32>>)>,
    /// The limit that stopped the search before it had seen everything.
    pub limit: Option<Limit>,
    /// What was done.
    pub statistics: Statistics,
    /// What was reached.
    pub reached: Reached,
}

/// When a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// After the level that shows a violation.
    FirstViolation,
    /// When every state has been seen.
    EveryProperty,
}

/// A search of fewer states is not worth a second worker.
const SMALL: u64 = 4096;
/// How often bytes are counted and progress is told.
const TICK: Duration = Duration::from_millis(200);
/// How long the path to a violation is looked for after a limit is hit.
const GRACE: Duration = Duration::from_millis(300);

/// A state that violates a property, and the steps that lead there.
#[derive(Clone)]
pub(crate) struct Violation {
    pub(crate) property: PropertyIndex,
    pub(crate) state: Vec<u32>,
    pub(crate) level: usize,
}

pub(crate) struct Search<'a, S: ?Sized> {
    pub(crate) system: &'a S,
    pub(crate) options: &'a SearchOptions,
    pub(crate) control: &'a Control<'a>,
    pub(crate) seen: SeenSet,
    started: Instant,
    level: RwLock<Level>,
    next_chunk: AtomicUsize,
    /// What the workers found on this level.
    found: Mutex<Vec<Segment>>,
    pub(crate) states: AtomicU64,
    pub(crate) transitions: AtomicU64,
    depth: AtomicU64,
    pub(crate) reached: SharedReached,
    /// Bytes of the states that are to be expanded.
    pub(crate) frontier_bytes: AtomicU64,
    peak_bytes: AtomicU64,
    pub(crate) goal: Goal,
    /// For each property found violated, the first state that shows it; the first found comes first.
    pub(crate) violations: Mutex<Vec<Violation>>,
    limit: Mutex<Option<Limit>>,
    stopped: AtomicBool,
}

/// Searches `system` breadth-first, up to the first violation.
pub fn search<S: TransitionSystem + ?Sized>(system: &S, options: &SearchOptions, control: &Control<'_>) -> Outcome {
    Search::run(system, options, control, Goal::FirstViolation).outcome()
}

/// Searches `system` breadth-first and goes on after violations: each property's first violation is at the least depth.
pub fn search_every<S: TransitionSystem + ?Sized>(
    system: &S,
    options: &SearchOptions,
    control: &Control<'_>,
) -> EveryOutcome {
    Search::run(system, options, control, Goal::EveryProperty).every_outcome()
}

impl<'a, S: TransitionSystem + ?Sized> Search<'a, S> {
    fn run(system: &'a S, options: &'a SearchOptions, control: &'a Control<'a>, goal: Goal) -> Self {
        // Several shards for each worker, so that two seldom want the same.
        let shard_bits = if options.workers > 1 { (options.workers * 8).ilog2().min(8) } else { 0 };
        let search = Search {
            system,
            options,
            control,
            seen: SeenSet::new(system.state_len(), shard_bits),
            started: Instant::now(),
            level: RwLock::default(),
            next_chunk: AtomicUsize::new(0),
            found: Mutex::default(),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            reached: SharedReached::default(),
            frontier_bytes: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
            goal,
            violations: Mutex::default(),
            limit: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        search.go();
        // The last that was asked of the system may have been cut.
        search.is_cut();
        search
    }

    /// Goes through the levels; alone while they are small, then with all workers.
    fn go(&self) {
        let mut worker = Worker::new(self);
        worker.begin();
        self.hand_in(&mut worker);
        while self.states.load(Relaxed) < SMALL || self.options.workers < 2 {
            if !self.next_level() {
                return;
            }
            self.expand_level(&mut worker, true);
        }
        let barrier = Barrier::new(self.options.workers);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for index in 0..self.options.workers {
                let (barrier, done) = (&barrier, &done);
                scope.spawn(move || self.work(index == 0, barrier, done));
            }
        });
    }

    /// One of several workers: level after level, together with the others.
    fn work(&self, is_first: bool, barrier: &Barrier, done: &AtomicBool) {
        let mut worker = Worker::new(self);
        loop {
            if is_first {
                done.store(!self.next_level(), Relaxed);
            }
            barrier.wait();
            if done.load(Relaxed) {
                return;
            }
            self.expand_level(&mut worker, is_first);
            barrier.wait();
        }
    }

    /// Goes on to the states that the last level found. False if the search is over.
    fn next_level(&self) -> bool {
        let found = std::mem::take(&mut *self.found.lock().unwrap_or_else(|e| e.into_inner()));
        let level = Level::new(found);
        let over = level.len() == 0
            || self.stopped.load(Relaxed)
            || self.goal == Goal::FirstViolation && !self.violations().is_empty();
        if !over {
            *self.level.write().unwrap_or_else(|e| e.into_inner()) = level;
            self.next_chunk.store(0, Relaxed);
            self.seen.begin_level();
            self.depth.fetch_add(1, Relaxed);
        }
        !over
    }

    fn expand_level(&self, worker: &mut Worker<'_, S>, is_first: bool) {
        let mut ticked = Instant::now();
        let level = self.level.read().unwrap_or_else(|e| e.into_inner());
        while let Some(chunk) = level.take(self.next_chunk.fetch_add(1, Relaxed)) {
            if self.is_over() {
                break;
            }
            worker.expand(chunk.chunks_exact(self.system.state_len().max(1)));
            self.frontier_bytes.fetch_sub(chunk.len() as u64 * 4, Relaxed);
            if is_first && ticked.elapsed() > TICK {
                ticked = Instant::now();
                self.count_bytes();
                (self.control.progress)(&self.statistics(&level));
            }
        }
        self.hand_in(worker);
        if is_first {
            self.count_bytes();
            self.is_over();
        }
    }

    fn hand_in(&self, worker: &mut Worker<'_, S>) {
        self.found.lock().unwrap_or_else(|e| e.into_inner()).push(worker.take_found());
    }

    /// Counts what is held.
    fn count_bytes(&self) {
        let bytes = self.seen.bytes() + self.system.own_bytes() + self.frontier_bytes.load(Relaxed);
        self.peak_bytes.fetch_max(bytes, Relaxed);
    }

    /// Whether a limit is hit: then the search stops.
    pub(crate) fn is_over(&self) -> bool {
        if !self.stopped.load(Relaxed)
            && let Some(limit) = self.limit_now()
        {
            self.stop(limit);
        }
        self.stopped.load(Relaxed)
    }

    fn limit_now(&self) -> Option<Limit> {
        let limits = &self.options.limits;
        if self.control.stop.load(Relaxed) {
            Some(Limit::Interrupted)
        } else if limits.max_states.is_some_and(|max| self.states.load(Relaxed) >= max) {
            Some(Limit::States)
        } else if limits.max_bytes.is_some_and(|max| self.peak_bytes.load(Relaxed) >= max) {
            Some(Limit::Memory)
        } else if limits.timeout.is_some_and(|max| self.started.elapsed() >= max) {
            Some(Limit::Time)
        } else {
            self.system.budget()?.look()
        }
    }

    /// Whether a computation of the system was cut: then the search stops, and what it gave last counts for nothing.
    pub(crate) fn is_cut(&self) -> bool {
        let cut = self.system.cut();
        if let Some(limit) = cut {
            self.stop(limit);
        }
        cut.is_some()
    }

    pub(crate) fn stop(&self, limit: Limit) {
        self.limit.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(limit);
        self.stopped.store(true, Relaxed);
    }

    fn statistics(&self, level: &Level) -> Statistics {
        let left = level.len().saturating_sub(self.next_chunk.load(Relaxed));
        Statistics {
            states: self.states.load(Relaxed),
            transitions: self.transitions.load(Relaxed),
            depth: self.depth.load(Relaxed).saturating_sub(1),
            frontier: (left * CHUNK) as u64,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_bytes: self.peak_bytes.load(Relaxed),
        }
    }

    pub(crate) fn violations(&self) -> MutexGuard<'_, Vec<Violation>> {
        self.violations.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What states and steps have reached.
    fn reached(&self) -> Reached {
        let mut reached = self.reached.get();
        reached.add_all(&self.system.reached());
        reached
    }

    fn limit(&self) -> Option<Limit> {
        *self.limit.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn every_outcome(&self) -> EveryOutcome {
        let violations = self.violations().clone();
        let violated = violations.into_iter().filter_map(|v| Some((v.property, self.path(v)?))).collect();
        let statistics = self.statistics(&Level::default());
        EveryOutcome { violated, limit: self.limit(), statistics, reached: self.reached() }
    }

    fn outcome(&self) -> Outcome {
        let violation = self.violations().first().cloned();
        let found = violation.and_then(|violation| Some((violation.property, self.path(violation)?)));
        let verdict = match (found, self.limit()) {
            (Some((property, path)), _) => Verdict::Violated { property, path },
            (None, Some(limit)) => Verdict::Inconclusive(limit),
            (None, None) => Verdict::Holds,
        };
        let mut statistics = self.statistics(&Level::default());
        if let Verdict::Violated { path, .. } = &verdict {
            statistics.depth = path.len() as u64 - 1;
        }
        Outcome { verdict, statistics, reached: self.reached() }
    }

    /// A path to a violation: for each state one of the level before that leads there. None if a limit ends the search for it.
    fn path(&self, violation: Violation) -> Option<Vec<Vec<u32>>> {
        let mut late_since = None;
        let is_late = || self.is_over() && matches!(self.limit(), Some(Limit::Time | Limit::Interrupted));
        let mut is_given_up = || is_late() && late_since.get_or_insert_with(Instant::now).elapsed() > GRACE;
        let mut successors = Successors::new(self.system.state_len());
        let mut scratch = self.system.scratch();
        let mut leads_to = |from: &[u32], to: &[u32]| {
            successors.clear();
            self.system.successors(from, &mut scratch, &mut successors);
            successors.iter().any(|(state, _)| state == to)
        };
        let mut path = vec![violation.state];
        for level in (0..violation.level).rev() {
            let state = &path[path.len() - 1];
            let mark = self.seen.parent_mark(state).expect("every state of a path is stored");
            let parent = self.seen.find_in_level(level, mark, |from| is_given_up() || leads_to(from, state));
            if is_given_up() || parent.is_none() && self.is_cut() {
                return None;
            }
            path.push(parent.expect("every state has a parent one level above"));
        }
        path.reverse();
        Some(path)
    }

    /// The level of the states that are expanded now.
    pub(crate) fn level(&self) -> usize {
        (self.depth.load(Relaxed) as usize).saturating_sub(1)
    }
}
