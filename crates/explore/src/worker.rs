//! One worker: expands chunks of a level and puts what is new into the seen set.
//!
//! All buffers are kept and used again: nothing is allocated per state.

use crate::breadth::{Goal, Search, Violation};
use crate::frontier::Segment;
use crate::seen::{Shard, mark};
use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;
use system::{Limit, PropertyIndex, Reached, Successors, TransitionSystem, hash};

/// Expanded states between two looks at the limits.
const LOOK: usize = 16;
/// So many states are gathered before they are put into the seen set, at most.
const GATHERED: usize = 1 << 14;

pub(crate) struct Worker<'a, S: TransitionSystem + ?Sized> {
    search: &'a Search<'a, S>,
    /// The system's own.
    scratch: S::Scratch,
    successors: Successors,
    /// The successors of a chunk, in order: words, hashes, marks of their parents, and whether they are new.
    words: Vec<u32>,
    hashes: Vec<u64>,
    parents: Vec<u8>,
    are_new: Vec<bool>,
    /// For each shard, which of them belong there.
    by_shard: Vec<Vec<u32>>,
    /// Shards that somebody else had.
    waiting: Vec<usize>,
    /// What is new on this level.
    found: Segment,
    transitions: u64,
    reached: Reached,
    /// What one state violates.
    violated: Vec<PropertyIndex>,
    /// For each property found violated, the first state that showed it.
    violations: Vec<Violation>,
    /// How many of them the search knows.
    n_told: usize,
}

impl<'a, S: TransitionSystem + ?Sized> Worker<'a, S> {
    pub(crate) fn new(search: &'a Search<'a, S>) -> Self {
        Worker {
            search,
            scratch: search.system.scratch(),
            successors: Successors::new(search.system.state_len()),
            words: Vec::new(),
            hashes: Vec::new(),
            parents: Vec::new(),
            are_new: Vec::new(),
            by_shard: vec![Vec::new(); search.seen.n_shards()],
            waiting: Vec::new(),
            found: Segment::default(),
            transitions: 0,
            reached: Reached::default(),
            violated: Vec::new(),
            violations: Vec::new(),
            n_told: 0,
        }
    }

    /// Puts the initial states.
    pub(crate) fn begin(&mut self) {
        self.search.system.initial(&mut self.successors);
        if !self.search.is_cut() {
            self.gather(0);
            self.insert(0);
        }
    }

    /// Expands the states of a chunk.
    pub(crate) fn expand<'b>(&mut self, states: impl Iterator<Item = &'b [u32]>) {
        let level = self.search.level();
        for (n, state) in states.enumerate() {
            if n % LOOK == LOOK - 1 && self.search.is_over() {
                break;
            }
            self.successors.clear();
            self.search.system.new_successors(state, &mut self.scratch, &mut self.successors);
            if self.search.is_cut() {
                break;
            }
            if self.successors.is_empty() {
                self.ended(state, level);
            }
            if let Some(property) = self.successors.violated {
                note(&mut self.violations, property, state, level);
            }
            self.transitions += self.successors.n_steps();
            self.gather(mark(hash(state)));
            if self.hashes.len() >= GATHERED {
                self.insert(level + 1);
            }
        }
        self.insert(level + 1);
    }

    /// A state without steps: final, or stuck.
    fn ended(&mut self, state: &[u32], level: usize) {
        (self.search.control.ended)(state);
        if !self.successors.discarded
            && let Some(property) = self.search.system.stuck(state, &mut self.scratch)
            && !self.search.is_cut()
        {
            note(&mut self.violations, property, state, level);
        }
    }

    /// Adds the successors of a state with the mark `parent` to those of the chunk.
    fn gather(&mut self, parent: u8) {
        for (state, _) in self.successors.iter() {
            let hash = hash(state);
            self.by_shard[self.search.seen.shard_of(hash)].push(self.hashes.len() as u32);
            self.words.extend_from_slice(state);
            self.hashes.push(hash);
            self.parents.push(parent);
        }
    }

    /// Puts the gathered states, which are of this level, into the seen set, shard by shard, and keeps the new ones in order.
    fn insert(&mut self, level: usize) {
        self.are_new.resize(self.hashes.len(), false);
        for shard in 0..self.by_shard.len() {
            // A worker that holds the lock may have lost its core: rather go on than wait.
            match self.search.seen.try_lock(shard) {
                Some(guard) => self.insert_into(shard, guard),
                None => self.waiting.push(shard),
            }
        }
        while let Some(shard) = self.waiting.pop() {
            self.insert_into(shard, self.search.seen.lock(shard));
        }
        self.keep_new(level);
    }

    fn insert_into(&mut self, shard: usize, mut guard: MutexGuard<'_, Shard>) {
        let state_len = self.search.system.state_len();
        let indices = &mut self.by_shard[shard];
        let budget = self.search.system.budget();
        guard.touch(indices.iter().map(|i| self.hashes[*i as usize]));
        for i in indices.drain(..).map(|i| i as usize) {
            let state = &self.words[i * state_len..(i + 1) * state_len];
            match guard.insert(state, self.hashes[i], self.parents[i], budget) {
                Ok(position) => self.are_new[i] = position.is_some(),
                Err(limit) => self.search.stop(limit),
            }
        }
    }

    fn keep_new(&mut self, level: usize) {
        let states = self.words.chunks_exact(self.search.system.state_len().max(1));
        let system = self.search.system;
        for (state, _) in states.zip(&self.are_new).filter(|(_, is_new)| **is_new) {
            if !self.found.push(state) {
                self.search.stop(Limit::Memory);
            }
            self.violated.clear();
            match self.search.goal {
                Goal::FirstViolation => {
                    self.violated.extend(system.inspect(state, &mut self.scratch, &mut self.reached))
                }
                Goal::EveryProperty => {
                    let violated = &mut |property| self.violated.push(property);
                    system.inspect_all(state, &mut self.scratch, &mut self.reached, violated);
                }
            }
            if !self.violated.is_empty() && self.search.is_cut() {
                break;
            }
            for property in &self.violated {
                note(&mut self.violations, *property, state, level);
            }
        }
        let n_new = self.are_new.iter().filter(|is_new| **is_new).count() as u64;
        self.search.frontier_bytes.fetch_add(n_new * 4 * system.state_len() as u64, Relaxed);
        self.words.clear();
        self.hashes.clear();
        self.parents.clear();
        self.are_new.clear();
        self.report(n_new);
    }

    /// Adds this worker's counts to the search's.
    fn report(&mut self, n_new: u64) {
        let search = self.search;
        let states = search.states.fetch_add(n_new, Relaxed) + n_new;
        search.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        search.reached.add_all(&self.reached);
        for violation in &self.violations[self.n_told..] {
            note(&mut search.violations(), violation.property, &violation.state, violation.level);
        }
        self.n_told = self.violations.len();
        if search.options.limits.max_states.is_some_and(|max| states >= max) {
            search.stop(Limit::States);
        }
    }

    /// What was found on the level that has ended.
    pub(crate) fn take_found(&mut self) -> Segment {
        std::mem::take(&mut self.found)
    }
}

/// Notes a violation, unless one of the same property was noted before.
fn note(violations: &mut Vec<Violation>, property: PropertyIndex, state: &[u32], level: usize) {
    if violations.iter().all(|other| other.property != property) {
        violations.push(Violation { property, state: state.to_vec(), level });
    }
}
