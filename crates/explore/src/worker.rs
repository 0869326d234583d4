//! One worker: expands states of a level and puts what they lead to into the store.
//!
//! All buffers are kept and used again: nothing is allocated per state.

use crate::breadth::{Goal, Search, Violation};
use crate::store::{Put, Store};
use std::sync::atomic::Ordering::Relaxed;
use system::{Limit, PropertyIndex, Reached, Successors, TransitionSystem};

/// Expanded states between two looks at the limits.
const LOOK: usize = 16;
/// So many initial states are made before the limit of states ends that.
const MOST_INITIAL: usize = 1 << 17;
/// So many states are gathered before they are put into the store, at most.
const GATHERED: usize = 1 << 14;

pub(crate) struct Worker<'a, 'b, S: TransitionSystem + ?Sized, K: Store> {
    search: &'a Search<'b, S, K>,
    /// The system's own.
    scratch: S::Scratch,
    /// The store's own.
    batch: K::Batch,
    successors: Successors,
    transitions: u64,
    reached: Reached,
    /// What states violate.
    violated: Vec<PropertyIndex>,
    /// For each property found violated, the first state that showed it.
    violations: Vec<Violation>,
    /// How many of them the search knows.
    n_reported: usize,
}

impl<'a, 'b, S: TransitionSystem + ?Sized, K: Store> Worker<'a, 'b, S, K> {
    pub(crate) fn new(search: &'a Search<'b, S, K>) -> Self {
        Worker {
            search,
            scratch: search.system.scratch(),
            batch: search.store.batch(),
            successors: Successors::new(search.system.state_len()),
            transitions: 0,
            reached: Reached::default(),
            violated: Vec::new(),
            violations: Vec::new(),
            n_reported: 0,
        }
    }

    /// Puts the initial states.
    pub(crate) fn begin(&mut self) {
        // Many initial states may be one: they are counted when they are put.
        self.successors.most =
            self.search.options.limits.max_states.map_or(usize::MAX, |most| MOST_INITIAL.max(most as usize));
        self.search.system.initial(&mut self.successors);
        if self.successors.is_full() {
            self.search.stop(Limit::States);
        }
        self.successors.most = usize::MAX;
        if !self.search.is_cut() {
            self.search.store.gather(None, &self.successors, &mut self.batch);
            self.put(0);
        }
    }

    /// Expands some states.
    pub(crate) fn expand<'c>(&mut self, states: impl Iterator<Item = &'c [u32]>) {
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
            self.search.store.gather(Some(state), &self.successors, &mut self.batch);
            if K::n_gathered(&self.batch) >= GATHERED {
                self.put(level + 1);
            }
        }
        self.put(level + 1);
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

    /// Puts the gathered states, which are of this level, into the store, and looks at the new ones.
    fn put(&mut self, level: usize) {
        self.look_at_new(level, |store, batch, visit| store.put(batch, visit));
    }

    /// Looks at what the level that has ended has found, as far as that was not known before.
    pub(crate) fn settle(&mut self, level: usize) {
        self.look_at_new(level, |store, _, visit| store.settle(visit));
    }

    /// Looks at the states that are new, which are of this level.
    fn look_at_new(&mut self, level: usize, put: impl FnOnce(&K, &mut K::Batch, &mut dyn FnMut(&[u32])) -> Put) {
        let Worker { search, scratch, batch, reached, violated, violations, .. } = self;
        let mut is_cut = false;
        let put = put(search.store, batch, &mut |state| {
            let n_known = violated.len();
            match search.goal {
                _ if is_cut => {}
                Goal::FirstViolation => violated.extend(search.system.inspect(state, scratch, reached)),
                Goal::EveryProperty => search.system.inspect_all(state, scratch, reached, violated),
            }
            let new = &violated[n_known..];
            is_cut |= !new.is_empty() && search.is_cut();
            for property in new.iter().filter(|_| !is_cut) {
                note(violations, *property, state, level);
            }
        });
        if let Some(limit) = put.limit {
            search.stop(limit);
        }
        self.report(put.n_new);
    }

    /// Adds this worker's counts to the search's.
    fn report(&mut self, n_new: u64) {
        let search = self.search;
        let states = search.states.fetch_add(n_new, Relaxed) + n_new;
        search.transitions.fetch_add(std::mem::take(&mut self.transitions), Relaxed);
        search.reached.add_all(&self.reached);
        for violation in &self.violations[self.n_reported..] {
            note(&mut search.violations(), violation.property, &violation.state, violation.level);
        }
        self.n_reported = self.violations.len();
        if !search.watch.has_room(states) {
            search.stop(Limit::States);
        }
    }

    /// The level has ended.
    pub(crate) fn hand_in(&mut self) {
        self.search.store.hand_in(&mut self.batch);
    }
}

/// Notes a violation, unless one of the same property was noted before.
fn note(violations: &mut Vec<Violation>, property: PropertyIndex, state: &[u32], level: usize) {
    if violations.iter().all(|other| other.property != property) {
        violations.push(Violation { property, state: state.to_vec(), level });
    }
}
