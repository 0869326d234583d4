//! Breadth-first search, level by level: the first violation found is at the least depth.
//!
//! Workers take states of the current level and put what they lead to into the store; a level ends when
//! all its states are expanded. A level that shows a violation is finished first, so that the number
//! of states does not depend on the number of workers.

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::save::Saver;
use crate::result::{EveryResult, SearchOptions, SearchResult};
use crate::store::Store;
use crate::worker::Worker;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};
use system::{
    Control, Limit, PropertyIndex, Reached, SharedReached, Statistics, Successors, Ticker, TransitionSystem, Verdict,
    Watch,
};

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
/// How long the path to a violation is looked for after a limit is hit.
const GRACE: Duration = Duration::from_millis(300);

/// A state that violates a property, and the steps that lead there.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    pub(crate) property: PropertyIndex,
    pub(crate) state: Vec<u32>,
    pub(crate) level: usize,
}

pub(crate) struct Search<'a, S: ?Sized, K> {
    pub(crate) system: &'a S,
    pub(crate) options: &'a SearchOptions,
    pub(crate) control: &'a Control<'a>,
    pub(crate) store: &'a K,
    pub(crate) watch: Watch<'a>,
    pub(crate) states: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) reached: SharedReached,
    peak_bytes: AtomicU64,
    pub(crate) goal: Goal,
    /// For each property found violated, the first state that shows it; the first found comes first.
    pub(crate) violations: Mutex<Vec<Violation>>,
    limit: Mutex<Option<Limit>>,
    stopped: AtomicBool,
    /// Writes checkpoints.
    pub(crate) saver: Option<Mutex<Saver<'a>>>,
    /// Held for reading by workers at work; who holds it for writing finds every chunk either untouched or expanded.
    at_work: RwLock<()>,
    /// Whether the search begins within a level, as a checkpoint has left it.
    is_within_level: AtomicBool,
    /// Time that was spent before this process.
    seconds_before: f64,
}

impl<'a, S: TransitionSystem + ?Sized, K: Store> Search<'a, S, K> {
    pub(crate) fn new(
        store: &'a K,
        system: &'a S,
        options: &'a SearchOptions,
        control: &'a Control<'a>,
        goal: Goal,
    ) -> Self {
        Search {
            system,
            options,
            control,
            store,
            watch: Watch::new(&options.limits, control, system.budget()),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            reached: SharedReached::default(),
            peak_bytes: AtomicU64::new(0),
            goal,
            violations: Mutex::default(),
            limit: Mutex::default(),
            stopped: AtomicBool::new(false),
            saver: None,
            at_work: RwLock::new(()),
            is_within_level: AtomicBool::new(false),
            seconds_before: 0.0,
        }
    }

    /// Takes over what was known at a checkpoint.
    pub(crate) fn continue_with(&mut self, manifest: &Manifest) {
        self.states = AtomicU64::new(manifest.states);
        self.transitions = AtomicU64::new(manifest.transitions);
        self.depth = AtomicU64::new(manifest.depth);
        self.peak_bytes = AtomicU64::new(manifest.peak_bytes);
        self.reached.add_all(&manifest.reached);
        self.violations = Mutex::new(manifest.violations.clone());
        self.is_within_level = AtomicBool::new(true);
        self.seconds_before = manifest.seconds;
    }

    pub(crate) fn run(self) -> Self {
        self.go();
        // The last call of the system may have been cut.
        self.is_cut();
        self
    }

    /// Goes through the levels; alone while they are small, then with all workers.
    fn go(&self) {
        let mut worker = Worker::new(self);
        if !self.is_within_level.load(Relaxed) {
            worker.begin();
            worker.hand_in();
        }
        while self.states.load(Relaxed) < SMALL || self.options.workers < 2 {
            if !self.next_level(&mut worker) {
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
                done.store(!self.next_level(&mut worker), Relaxed);
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
    fn next_level(&self, worker: &mut Worker<'_, '_, S, K>) -> bool {
        if self.is_within_level.swap(false, Relaxed) {
            return true;
        }
        if !self.stopped.load(Relaxed) {
            worker.settle(self.depth.load(Relaxed) as usize);
        }
        let is_shown = self.goal == Goal::FirstViolation && !self.violations().is_empty();
        let continues = !self.stopped.load(Relaxed) && !is_shown && self.store.next_level();
        self.depth.fetch_add(u64::from(continues), Relaxed);
        continues
    }

    fn expand_level(&self, worker: &mut Worker<'_, '_, S, K>, is_first: bool) {
        let mut ticker = Ticker::new();
        while self.expand_some(worker) {
            if is_first && ticker.is_due() {
                self.count_bytes();
                (self.control.progress)(&self.statistics(self.store.n_waiting()));
            }
            if is_first {
                self.save_if_due();
            }
        }
        worker.hand_in();
        if is_first {
            self.count_bytes();
            self.is_over();
        }
    }

    /// Expands some states of the level; false if there are none, or the search is over.
    fn expand_some(&self, worker: &mut Worker<'_, '_, S, K>) -> bool {
        let _at_work = self.at_work.read().unwrap_or_else(|e| e.into_inner());
        let Some(states) = self.store.take().filter(|_| !self.is_over()) else { return false };
        worker.expand(states.chunks_exact(self.system.state_len().max(1)));
        true
    }

    /// Writes a checkpoint if it is time to, while all other workers wait.
    fn save_if_due(&self) {
        let Some(saver) = &self.saver else { return };
        let mut saver = saver.lock().unwrap_or_else(|e| e.into_inner());
        if !saver.is_due() {
            return;
        }
        let _nobody_works = self.at_work.write().unwrap_or_else(|e| e.into_inner());
        // What was stopped may have left states half expanded.
        if !self.is_over() && !self.is_cut() && saver.save(self).is_err() {
            self.stop(Limit::Disk);
        }
    }

    /// Counts what is held.
    fn count_bytes(&self) {
        let bytes = self.store.bytes() + self.system.own_bytes();
        self.peak_bytes.fetch_max(bytes, Relaxed);
    }

    /// Whether a limit is hit: then the search stops.
    pub(crate) fn is_over(&self) -> bool {
        if !self.stopped.load(Relaxed)
            && let Some(limit) = self.watch.limit(self.states.load(Relaxed), self.peak_bytes.load(Relaxed))
        {
            self.stop(limit);
        }
        self.stopped.load(Relaxed)
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

    pub(crate) fn statistics(&self, frontier: u64) -> Statistics {
        Statistics {
            states: self.states.load(Relaxed),
            transitions: self.transitions.load(Relaxed),
            depth: self.depth.load(Relaxed).saturating_sub(1),
            frontier,
            seconds: self.seconds_before + self.watch.seconds(),
            peak_bytes: self.peak_bytes.load(Relaxed),
            ..Statistics::default()
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

    pub(crate) fn every_result(&self) -> EveryResult {
        let violations = self.violations().clone();
        let violated = violations.into_iter().filter_map(|v| Some((v.property, self.path(v)?))).collect();
        let statistics = self.statistics(0);
        EveryResult { violated, limit: self.limit(), statistics, reached: self.reached() }
    }

    pub(crate) fn outcome(&self) -> SearchResult {
        let violation = self.violations().first().cloned();
        let found = violation.and_then(|violation| Some((violation.property, self.path(violation)?)));
        let verdict = match (found, self.limit()) {
            (Some((property, path)), _) => Verdict::Violated { property, path },
            (None, Some(limit)) => Verdict::Inconclusive(limit),
            (None, None) => Verdict::Holds,
        };
        let mut statistics = self.statistics(0);
        if let Verdict::Violated { path, .. } = &verdict {
            statistics.depth = path.len() as u64 - 1;
        }
        SearchResult { verdict, statistics, reached: self.reached() }
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
            let parent = self.store.parent(state, level, |from| is_given_up() || leads_to(from, state));
            if let Some(limit) = self.store.failed() {
                self.stop(limit);
                return None;
            }
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
