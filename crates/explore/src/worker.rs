//! One worker: expands chunks of a level and puts what is new into the seen set.
//!
//! All buffers are kept and used again: nothing is allocated per state.

use crate::breadth::{Goal, Search};
use crate::frontier::Segment;
use crate::seen::{NO_PARENT, Shard, StateNumber, hash};
use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;
use system::{Limit, PropertyIndex, Successors, TransitionSystem};

/// A successor's place in the seen set, if it was there before.
const OLD: StateNumber = u32::MAX;

pub(crate) struct Worker<'a, S: ?Sized> {
    search: &'a Search<'a, S>,
    successors: Successors,
    /// The successors of a chunk, in order: words, hashes, parents, and numbers once they have one.
    words: Vec<u32>,
    hashes: Vec<u64>,
    parents: Vec<StateNumber>,
    numbers: Vec<StateNumber>,
    /// For each shard, which of them belong there.
    by_shard: Vec<Vec<u32>>,
    /// Shards that somebody else had.
    waiting: Vec<usize>,
    /// What is new on this level.
    found: Segment,
    transitions: u64,
    covers: u64,
    /// For each property found violated, the first state that showed it.
    violations: Vec<(PropertyIndex, StateNumber)>,
    /// How many of them the search knows.
    n_told: usize,
}

impl<'a, S: TransitionSystem + ?Sized> Worker<'a, S> {
    pub(crate) fn new(search: &'a Search<'a, S>) -> Self {
        Worker {
            search,
            successors: Successors::new(search.system.state_len()),
            words: Vec::new(),
            hashes: Vec::new(),
            parents: Vec::new(),
            numbers: Vec::new(),
            by_shard: vec![Vec::new(); search.seen.n_shards()],
            waiting: Vec::new(),
            found: Segment::default(),
            transitions: 0,
            covers: 0,
            violations: Vec::new(),
            n_told: 0,
        }
    }

    /// Puts the initial states.
    pub(crate) fn begin(&mut self) {
        self.search.system.initial(&mut self.successors);
        self.gather(NO_PARENT);
        self.insert();
    }

    /// Expands the states of a chunk.
    pub(crate) fn expand<'b>(&mut self, states: impl Iterator<Item = (&'b [u32], StateNumber)>) {
        for (state, number) in states {
            self.successors.clear();
            self.search.system.successors(state, &mut self.successors);
            if self.successors.is_empty() {
                self.ended(state, number);
            }
            self.transitions += self.successors.len() as u64;
            self.gather(number);
        }
        self.insert();
    }

    /// A state without steps: final, or stuck.
    fn ended(&mut self, state: &[u32], number: StateNumber) {
        (self.search.control.ended)(state);
        if !self.successors.discarded
            && let Some(property) = self.search.system.stuck(state)
        {
            note(&mut self.violations, property, number);
        }
    }

    /// Adds the successors of the state numbered `parent` to those of the chunk.
    fn gather(&mut self, parent: StateNumber) {
        for (state, _) in self.successors.iter() {
            let hash = hash(state);
            self.by_shard[self.search.seen.shard_of(hash)].push(self.hashes.len() as u32);
            self.words.extend_from_slice(state);
            self.hashes.push(hash);
            self.parents.push(parent);
        }
    }

    /// Puts the gathered states into the seen set, shard by shard, and keeps the new ones in order.
    fn insert(&mut self) {
        self.numbers.resize(self.hashes.len(), OLD);
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
        self.keep_new();
    }

    fn insert_into(&mut self, shard: usize, mut guard: MutexGuard<'_, Shard>) {
        let state_len = self.search.system.state_len();
        let indices = &mut self.by_shard[shard];
        guard.reserve(indices.len());
        guard.touch(indices.iter().map(|i| self.hashes[*i as usize]));
        for i in indices.drain(..).map(|i| i as usize) {
            let state = &self.words[i * state_len..(i + 1) * state_len];
            if let Some(position) = guard.insert(state, self.hashes[i], self.parents[i]) {
                self.numbers[i] = self.search.seen.number(shard, position);
                if position >= self.search.seen.shard_capacity() {
                    self.search.stop(Limit::Memory);
                }
            }
        }
    }

    fn keep_new(&mut self) {
        let states = self.words.chunks_exact(self.search.system.state_len().max(1));
        for (state, number) in states.zip(&self.numbers).filter(|(_, number)| **number != OLD) {
            self.found.push(state, *number);
            let (system, violations) = (self.search.system, &mut self.violations);
            match self.search.goal {
                Goal::FirstViolation => {
                    let violated = system.inspect(state, &mut self.covers);
                    violated.into_iter().for_each(|property| note(violations, property, *number));
                }
                Goal::EveryProperty => {
                    system.inspect_all(state, &mut self.covers, &mut |property| note(violations, property, *number));
                }
            }
        }
        let n_new = self.numbers.iter().filter(|number| **number != OLD).count() as u64;
        self.words.clear();
        self.hashes.clear();
        self.parents.clear();
        self.numbers.clear();
        self.report(n_new);
    }

    /// Adds this worker's counts to the search's.
    fn report(&mut self, n_new: u64) {
        let search = self.search;
        let states = search.states.fetch_add(n_new, Relaxed) + n_new;
        search.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        search.covers.fetch_or(self.covers, Relaxed);
        for (property, number) in &self.violations[self.n_told..] {
            note(&mut search.violations(), *property, *number);
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
fn note(violations: &mut Vec<(PropertyIndex, StateNumber)>, property: PropertyIndex, number: StateNumber) {
    if violations.iter().all(|(other, _)| *other != property) {
        violations.push((property, number));
    }
}
