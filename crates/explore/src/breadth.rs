//! Breadth-first search, level by level: the first violation found is at the least depth.
//!
//! Workers take chunks of the current level and put what is new into the seen set; a level ends when
//! all its chunks are done. A level that shows a violation is finished first, so that the number
//! of states does not depend on the number of workers.

use crate::seen::{Batch, NO_PARENT, SeenSet, StateNumber, hash};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};
use system::{Limit, Limits, PropertyIndex, Statistics, Successors, TransitionSystem, Verdict};

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

/// What a search has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What was done.
    pub statistics: Statistics,
}

/// States per chunk.
const CHUNK: usize = 256;
/// States per batch that goes into a shard.
const BATCH: usize = 64;
/// A search of fewer states is not worth a second worker.
const SMALL: u64 = 4096;
/// How often limits are looked at and progress is told.
const TICK: Duration = Duration::from_millis(200);

struct Search<'a, S: ?Sized> {
    system: &'a S,
    options: &'a SearchOptions,
    control: &'a Control<'a>,
    seen: SeenSet,
    started: Instant,
    /// The chunks of the level: a shard and a range of positions.
    chunks: Mutex<Vec<(usize, std::ops::Range<usize>)>>,
    next_chunk: AtomicUsize,
    states: AtomicU64,
    transitions: AtomicU64,
    depth: AtomicU64,
    covers: AtomicU64,
    peak_bytes: AtomicU64,
    violation: Mutex<Option<(PropertyIndex, StateNumber)>>,
    limit: Mutex<Option<Limit>>,
    stopped: AtomicBool,
}

/// Searches `system` breadth-first.
pub fn search<S: TransitionSystem + ?Sized>(system: &S, options: &SearchOptions, control: &Control<'_>) -> Outcome {
    let shard_bits = if options.workers > 1 { 6 } else { 0 };
    let search = Search {
        system,
        options,
        control,
        seen: SeenSet::new(system.state_len(), shard_bits),
        started: Instant::now(),
        chunks: Mutex::default(),
        next_chunk: AtomicUsize::new(0),
        states: AtomicU64::new(0),
        transitions: AtomicU64::new(0),
        depth: AtomicU64::new(0),
        covers: AtomicU64::new(0),
        peak_bytes: AtomicU64::new(0),
        violation: Mutex::default(),
        limit: Mutex::default(),
        stopped: AtomicBool::new(false),
    };
    search.begin();
    search.run();
    search.outcome()
}

impl<S: TransitionSystem + ?Sized> Search<'_, S> {
    fn begin(&self) {
        let mut initial = Successors::new(self.system.state_len());
        self.system.initial(&mut initial);
        let mut worker = Worker::new(self);
        for (state, _) in initial.iter() {
            let hash = hash(state);
            worker.batches[self.seen.shard_of(hash)].push(state, hash, NO_PARENT);
        }
        worker.insert_batches();
        worker.flush();
    }

    /// Goes through the levels; alone while they are small, then with all workers.
    fn run(&self) {
        let mut starts = vec![0; self.seen.n_shards()];
        while self.states.load(Relaxed) < SMALL || self.options.workers < 2 {
            if !self.lay_out_level(&mut starts) {
                return;
            }
            self.expand_level(true);
        }
        let barrier = Barrier::new(self.options.workers);
        let done = AtomicBool::new(false);
        let starts = Mutex::new(starts);
        std::thread::scope(|scope| {
            for worker in 0..self.options.workers {
                let (barrier, done, starts) = (&barrier, &done, &starts);
                scope.spawn(move || {
                    loop {
                        if worker == 0 {
                            let mut starts = starts.lock().unwrap_or_else(|e| e.into_inner());
                            done.store(!self.lay_out_level(&mut starts), Relaxed);
                        }
                        barrier.wait();
                        if done.load(Relaxed) {
                            return;
                        }
                        self.expand_level(worker == 0);
                        barrier.wait();
                    }
                });
            }
        });
    }

    /// Cuts the states that the last level found into chunks. False if the search is over.
    fn lay_out_level(&self, starts: &mut [usize]) -> bool {
        let ends = self.seen.lengths();
        let mut chunks = Vec::new();
        for (shard, (start, end)) in starts.iter_mut().zip(ends).enumerate() {
            chunks.extend((*start..end).step_by(CHUNK).map(|lo| (shard, lo..end.min(lo + CHUNK))));
            *start = end;
        }
        let over = chunks.is_empty()
            || self.stopped.load(Relaxed)
            || self.violation.lock().unwrap_or_else(|e| e.into_inner()).is_some();
        if !over {
            *self.chunks.lock().unwrap_or_else(|e| e.into_inner()) = chunks;
            self.next_chunk.store(0, Relaxed);
            self.depth.fetch_add(1, Relaxed);
        }
        !over
    }

    fn expand_level(&self, is_first: bool) {
        let mut worker = Worker::new(self);
        let mut ticked = Instant::now();
        let mut states = Vec::new();
        loop {
            let index = self.next_chunk.fetch_add(1, Relaxed);
            let chunk = self.chunks.lock().unwrap_or_else(|e| e.into_inner()).get(index).cloned();
            let Some((shard, range)) = chunk else { break };
            if self.stopped.load(Relaxed) {
                break;
            }
            states.clear();
            states.extend_from_slice(self.seen.lock(shard).words(range.clone()));
            worker.expand(&states, self.seen.number(shard, range.start), self.seen.number(0, 1));
            worker.flush();
            if is_first && ticked.elapsed() > TICK {
                ticked = Instant::now();
                self.tick();
            }
        }
        worker.insert_batches();
        worker.flush();
        if is_first {
            self.check_limits();
        }
    }

    fn tick(&self) {
        self.check_limits();
        (self.control.progress)(&self.statistics());
    }

    fn check_limits(&self) {
        let bytes = self.seen.bytes() + self.system.own_bytes();
        self.peak_bytes.fetch_max(bytes, Relaxed);
        let limits = &self.options.limits;
        let limit = if self.control.stop.load(Relaxed) {
            Limit::Interrupted
        } else if limits.max_states.is_some_and(|max| self.states.load(Relaxed) >= max) {
            Limit::States
        } else if limits.max_bytes.is_some_and(|max| bytes >= max) {
            Limit::Memory
        } else if limits.timeout.is_some_and(|max| self.started.elapsed() >= max) {
            Limit::Time
        } else {
            return;
        };
        self.stop(limit);
    }

    fn stop(&self, limit: Limit) {
        self.limit.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(limit);
        self.stopped.store(true, Relaxed);
    }

    fn statistics(&self) -> Statistics {
        let left =
            self.chunks.lock().unwrap_or_else(|e| e.into_inner()).len().saturating_sub(self.next_chunk.load(Relaxed));
        Statistics {
            states: self.states.load(Relaxed),
            transitions: self.transitions.load(Relaxed),
            depth: self.depth.load(Relaxed).saturating_sub(1),
            frontier: (left * CHUNK) as u64,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_bytes: self.peak_bytes.load(Relaxed),
            covers: self.covers.load(Relaxed) | self.system.covers(),
        }
    }

    fn outcome(&self) -> Outcome {
        let violation = *self.violation.lock().unwrap_or_else(|e| e.into_inner());
        let limit = *self.limit.lock().unwrap_or_else(|e| e.into_inner());
        let verdict = match (violation, limit) {
            (Some((property, state)), _) => Verdict::Violated { property, path: self.path(state) },
            (None, Some(limit)) => Verdict::Inconclusive(limit),
            (None, None) => Verdict::Holds,
        };
        let mut statistics = Statistics { frontier: 0, ..self.statistics() };
        if let Verdict::Violated { path, .. } = &verdict {
            statistics.depth = path.len() as u64 - 1;
        }
        Outcome { verdict, statistics }
    }

    fn path(&self, mut number: StateNumber) -> Vec<Vec<u32>> {
        let mut path = Vec::new();
        while number != NO_PARENT {
            let (state, parent) = self.seen.get(number);
            path.push(state);
            number = parent;
        }
        path.reverse();
        path
    }
}

/// One worker's buffers: nothing is allocated per state.
struct Worker<'a, S: ?Sized> {
    search: &'a Search<'a, S>,
    successors: Successors,
    /// What was found, by shard.
    batches: Vec<Batch>,
    /// Shards whose batch is full.
    full: Vec<usize>,
    transitions: u64,
    new_states: u64,
    covers: u64,
    violation: Option<(PropertyIndex, StateNumber)>,
}

impl<'a, S: TransitionSystem + ?Sized> Worker<'a, S> {
    fn new(search: &'a Search<'a, S>) -> Self {
        Worker {
            search,
            successors: Successors::new(search.system.state_len()),
            batches: (0..search.seen.n_shards()).map(|_| Batch::default()).collect(),
            full: Vec::new(),
            transitions: 0,
            new_states: 0,
            covers: 0,
            violation: None,
        }
    }

    /// Expands `states`, the first of which is numbered `first`, the next `first + stride`, and so on.
    fn expand(&mut self, states: &[u32], first: StateNumber, stride: StateNumber) {
        let mut number = first;
        for state in states.chunks_exact(self.search.system.state_len()) {
            self.successors.clear();
            self.search.system.successors(state, &mut self.successors);
            if self.successors.is_empty() {
                (self.search.control.ended)(state);
                if !self.successors.discarded
                    && let Some(property) = self.search.system.stuck(state)
                {
                    self.violated(property, number);
                }
            }
            self.transitions += self.successors.len() as u64;
            for (next, _) in self.successors.iter() {
                let hash = hash(next);
                let shard = self.search.seen.shard_of(hash);
                self.batches[shard].push(next, hash, number);
                if self.batches[shard].len() == BATCH {
                    self.full.push(shard);
                }
            }
            number = number.wrapping_add(stride);
            while let Some(shard) = self.full.pop() {
                self.insert_batch(shard);
            }
        }
    }

    /// Puts all that was found into the seen set.
    fn insert_batches(&mut self) {
        for shard in 0..self.batches.len() {
            self.insert_batch(shard);
        }
    }

    fn insert_batch(&mut self, shard: usize) {
        let (search, seen) = (self.search, &self.search.seen);
        let (new_states, covers, violation) = (&mut self.new_states, &mut self.covers, &mut self.violation);
        seen.lock(shard).insert_all(&mut self.batches[shard], |state, position| {
            *new_states += 1;
            if position >= seen.shard_capacity() {
                search.stop(Limit::Memory);
            }
            if let Some(property) = search.system.inspect(state, covers) {
                violation.get_or_insert((property, seen.number(shard, position)));
            }
        });
    }

    fn violated(&mut self, property: PropertyIndex, number: StateNumber) {
        self.violation.get_or_insert((property, number));
    }

    /// Adds this worker's counts to the search's.
    fn flush(&mut self) {
        let search = self.search;
        let states = search.states.fetch_add(std::mem::take(&mut self.new_states), Relaxed);
        search.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        search.covers.fetch_or(self.covers, Relaxed);
        if let Some(violation) = self.violation.take() {
            search.violation.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(violation);
        }
        if search.options.limits.max_states.is_some_and(|max| states >= max) {
            search.stop(Limit::States);
        }
    }
}
