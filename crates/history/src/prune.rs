//! The canonical form: what no later event can depend on is dropped, and the rest is numbered anew.

use crate::clock::{NONE, join};
use crate::profile::Profile;
use crate::state::{Histories, Knowledge};
use crate::view::{Shape, View};

impl Histories {
    /// Brings the state to its canonical form.
    pub(crate) fn prune(&mut self, profile: &Profile) {
        if !profile.has_acquire_fences {
            self.threads.iter_mut().for_each(|thread| thread.acquired = thread.current.clone());
        }
        for cell in 0..self.cells.len() {
            self.drop_unreadable(profile, cell);
        }
        self.drop_known(profile);
        self.drop_targets(profile);
        self.number_anew(profile.shape());
        self.threads.iter_mut().for_each(|thread| thread.drop_run(profile.shape()));
    }

    /// Drops the writes to `cell` that no thread can read any more.
    fn drop_unreadable(&mut self, profile: &Profile, cell: usize) {
        let shape = profile.shape();
        let last = self.cells[cell].messages.len() - 1;
        let threads = self.threads.iter().enumerate().filter(|(_, knowledge)| !knowledge.has_ended);
        let concerned = threads.filter(|(thread, _)| profile.is_concerned(*thread, cell));
        let first = concerned.map(|(_, thread)| thread.current.seen(cell)).min().unwrap_or(last);
        let overtaken: Vec<Vec<u16>> = self.cells[cell].gaps[..=first].iter().map(|gap| gap.accesses.clone()).collect();
        self.views_mut().for_each(|view| view.forget(shape, cell, first, &overtaken));
        let history = &mut self.cells[cell];
        history.messages.drain(..first);
        history.gaps.drain(..first);
        history.messages[0].is_attached = false;
    }

    /// Drops from views what everybody knows who may still get them.
    fn drop_known(&mut self, profile: &Profile) {
        let current: Vec<View> = self.threads.iter().map(|thread| thread.current.clone()).collect();
        let going: Vec<usize> = (0..current.len()).filter(|thread| !self.threads[*thread].has_ended).collect();
        for (cell, history) in self.cells.iter_mut().enumerate() {
            for (position, message) in history.messages.iter_mut().enumerate() {
                let reads = |thread: &usize| profile.accesses[*thread][cell] && current[*thread].seen(cell) <= position;
                message.view.drop_known(going.iter().copied().filter(reads).map(|thread| &current[thread]));
            }
        }
        for (thread, knowledge) in self.threads.iter_mut().enumerate() {
            let others = || going.iter().filter(|other| **other != thread).map(|other| &current[*other]);
            knowledge.released.drop_known(others());
            for (_, view) in &mut knowledge.sequences {
                view.drop_known(others());
                view.drop_known([&knowledge.released].into_iter());
            }
            knowledge.sequences.retain(|(_, view)| view.0.iter().any(|number| *number > 0));
        }
        self.region.drop_known(going.iter().map(|thread| &current[*thread]));
    }

    /// Drops targets that no write can pass over any more.
    fn drop_targets(&mut self, profile: &Profile) {
        for (cell, history) in self.cells.iter_mut().enumerate() {
            let threads = self.threads.iter().enumerate().filter(|(_, knowledge)| !knowledge.has_ended);
            let accesses = threads.filter(|(thread, _)| profile.accesses[*thread][cell]);
            let first = accesses.map(|(_, thread)| thread.current.seen(cell)).min().unwrap_or(usize::MAX);
            for gap in history.gaps.iter_mut().enumerate().filter(|(place, _)| *place <= first).map(|(_, gap)| gap) {
                gap.targets.fill(NONE);
                gap.fence_targets.fill(NONE);
            }
        }
    }

    /// Numbers seq_cst events anew: those that are some target, and with each the later ones up to the next.
    fn number_anew(&mut self, shape: Shape) {
        if !shape.fences && !shape.accesses {
            return;
        }
        let mut firsts: Vec<Vec<u16>> = vec![Vec::new(); shape.n_threads];
        self.for_targets(&mut |set| {
            firsts
                .iter_mut()
                .zip(set)
                .filter(|(_, first)| **first != NONE)
                .for_each(|(firsts, first)| firsts.push(*first));
        });
        firsts.iter_mut().for_each(|firsts| {
            firsts.sort_unstable();
            firsts.dedup();
        });
        let rank = |firsts: &Vec<u16>, number: u16| firsts.partition_point(|first| *first <= number) as u16;
        self.for_sources(shape, &mut |set| {
            set.iter_mut().zip(&firsts).for_each(|(last, firsts)| *last = rank(firsts, *last))
        });
        self.for_targets(&mut |set| {
            let numbers = set.iter_mut().zip(&firsts).filter(|(first, _)| **first != NONE);
            numbers.for_each(|(first, firsts)| *first = rank(firsts, *first));
        });
    }
}

impl View {
    /// The writes before `first` are dropped. What seq_cst accesses come before a write that is dropped, or that is now the first, is settled.
    fn forget(&mut self, shape: Shape, cell: usize, first: usize, overtaken: &[Vec<u16>]) {
        let written = self.written(shape, cell);
        if written > 0 && written <= first {
            join(self.part_mut(shape.overtaken()), &overtaken[written]);
        }
        for index in (cell..shape.n_positions()).step_by(shape.n_cells) {
            self.0[index] = self.0[index].saturating_sub(first as u16);
        }
    }

    /// Forgets what all of `others` know.
    fn drop_known<'a>(&mut self, others: impl Iterator<Item = &'a View>) {
        let mut known = vec![u16::MAX; self.0.len()];
        others.for_each(|other| crate::clock::widen(&mut known, &other.0));
        let numbers = self.0.iter_mut().zip(known).filter(|(mine, known)| **mine <= *known);
        numbers.for_each(|(mine, _)| *mine = 0);
    }
}

impl Knowledge {
    /// Forgets which cell it accessed last where that changes nothing.
    fn drop_run(&mut self, shape: Shape) {
        let passed = self.current.part(shape.passed());
        if self.free == passed && self.own.iter().zip(passed).all(|(own, passed)| own <= passed) {
            self.run = None;
        }
    }
}
