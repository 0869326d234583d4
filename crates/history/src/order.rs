//! That `psc` stays acyclic: edges among seq_cst events, old and new.
//!
//! An event that is added gets edges from older seq_cst events, and to older ones by what it passes over. In place of `psc` we
//! order by a relation that
//! is acyclic if and only if `psc` is: it also orders a seq_cst fence with every seq_cst event that it happens before or after.
//! Sets are closed under it, so a new edge closes a cycle exactly if its sources and its targets have an event in common.

use crate::clock::{NONE, Sources, Targets, join, meet, widen};
use crate::profile::Profile;
use crate::state::Histories;

/// A seq_cst event that was added, with all before it and all after it.
pub(crate) struct Node {
    pub(crate) sources: Vec<u16>,
    pub(crate) targets: Vec<u16>,
}

impl Histories {
    /// Orders all of `sources` before all of `targets`.
    fn add_edges(&mut self, profile: &Profile, sources: &Sources, targets: &Targets) {
        if sources.iter().all(|last| *last == 0) || targets.iter().all(|first| *first == NONE) {
            return;
        }
        self.for_sources(profile.shape(), &mut |set| {
            if meet(set, targets) {
                join(set, sources);
            }
        });
        self.for_targets(&mut |set| {
            if meet(sources, set) {
                widen(set, targets);
            }
        });
    }

    /// Orders the seq_cst fences that happen before an event of `thread` at this place before what comes behind it. False if that is a cycle.
    pub(crate) fn order_fences(&mut self, profile: &Profile, thread: usize, (cell, place): (usize, usize)) -> bool {
        let sources = self.threads[thread].current.part(profile.shape().fences()).to_vec();
        let targets = self.cells[cell].gaps[place].fence_targets.clone();
        let is_right = !meet(&sources, &targets);
        if is_right {
            self.add_edges(profile, &sources, &targets);
        }
        is_right
    }

    /// A seq_cst access of `thread` at this place; none if it would close a cycle.
    pub(crate) fn order_access(
        &mut self,
        profile: &Profile,
        thread: usize,
        (cell, place): (usize, usize),
        writes: bool,
    ) -> Option<Node> {
        let shape = profile.shape();
        let (knowledge, gap) = (&self.threads[thread], &self.cells[cell].gaps[place]);
        let mut sources = knowledge.own.clone();
        join(&mut sources, &knowledge.free);
        join(&mut sources, knowledge.current.part(shape.fences()));
        join(&mut sources, knowledge.current.part(shape.accesses(cell)));
        if writes {
            join(&mut sources, &gap.fences);
            join(&mut sources, &gap.accesses);
        }
        let targets = gap.targets.clone();
        (!meet(&sources, &targets)).then(|| self.add_node(profile, thread, sources, targets))
    }

    /// A seq_cst fence of `thread`.
    pub(crate) fn order_fence(&mut self, profile: &Profile, thread: usize) -> Node {
        let shape = profile.shape();
        let knowledge = &self.threads[thread];
        let current = &knowledge.current;
        let mut sources = knowledge.own.clone();
        join(&mut sources, current.part(shape.fences()));
        join(&mut sources, current.part(shape.overtaken()));
        for (cell, history) in self.cells.iter().enumerate() {
            join(&mut sources, current.part(shape.accesses(cell)));
            join(&mut sources, &history.gaps[current.seen(cell)].through);
            let written = current.written(shape, cell);
            if written > 0 {
                join(&mut sources, &history.gaps[written].accesses);
            }
        }
        self.add_node(profile, thread, sources, vec![NONE; shape.n_threads])
    }

    /// An event of `thread` that comes after `sources` and before `targets`.
    fn add_node(&mut self, profile: &Profile, thread: usize, mut sources: Vec<u16>, mut targets: Vec<u16>) -> Node {
        let mut last = 0;
        self.for_targets(&mut |set| {
            last = set.get(thread).filter(|first| **first != NONE).map_or(last, |first| last.max(*first))
        });
        sources[thread] = last + 1;
        targets[thread] = targets[thread].min(last + 1);
        self.add_edges(profile, &sources, &targets);
        Node { sources, targets }
    }
}
