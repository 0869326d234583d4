//! Where the search of all stops, and how far it is.

use crate::flow::{Flow, Right};
use crate::member::Member;
use crate::news::{Count, News};
use std::time::{Duration, Instant};
use system::{Limit, Statistics, Travelling};

/// How often a worker says how far it is.
const COUNT: Duration = Duration::from_millis(50);

impl<S: Travelling + ?Sized> Member<'_, S> {
    /// Looks at the limits, and says how far it is; whether the search is over.
    pub(crate) fn look(&mut self, flow: &mut Flow<'_>) -> bool {
        if self.is_done() || self.right.is_none() {
            return self.is_done();
        }
        let (last, n_counted) = self.counted;
        let max = self.task.options.limits.max_states.unwrap_or(u64::MAX);
        let n_often = (max / (4 * self.place.n_workers as u64)).clamp(16, 1 << 18);
        if last.elapsed() >= COUNT || self.states - n_counted >= n_often {
            self.counted = (Instant::now(), self.states);
            self.process.hold(
                self.place.index % self.place.per_process,
                self.part.bytes(),
                self.task.system.own_bytes(),
            );
            let count = News::Count(self.count(0)).write();
            flow.send(self.right.as_ref().expect("it is there"), 0, count);
        }
        if let Some(limit) = self.watch.limit(self.states, self.process.peak()) {
            self.stop(flow, limit);
        }
        self.is_done()
    }

    /// Whether a computation of the system was cut: then the search stops.
    pub(crate) fn is_cut(&mut self, flow: &mut Flow<'_>) -> bool {
        let cut = self.task.system.cut();
        cut.into_iter().for_each(|limit| self.stop(flow, limit));
        cut.is_some()
    }

    /// Stops the search of all.
    pub(crate) fn stop(&mut self, flow: &Flow<'_>, limit: Limit) {
        if self.is_done() {
            return;
        }
        if let Some(right) = self.right.take() {
            self.broadcast(flow, &right, News::Stop(limit));
        }
        self.limit = Some(limit);
        self.rest = 0..0;
    }

    pub(crate) fn broadcast(&self, flow: &Flow<'_>, right: &Right, news: News) {
        (0..self.place.n_workers).for_each(|to| flow.send(right, to, news.write()));
    }

    pub(crate) fn count(&self, level: u64) -> Count {
        Count {
            worker: self.place.index as u32,
            states: self.states,
            transitions: self.transitions,
            frontier: self.rest.len() as u64 + self.n_found,
            bytes: if self.place.is_first_here() { self.process.peak() } else { 0 },
            level,
        }
    }

    /// What all have done so far, as far as the first worker knows.
    pub(crate) fn statistics(&self) -> Statistics {
        let sum = |number: fn(&Count) -> u64| self.counts.iter().map(number).sum();
        Statistics {
            states: sum(|count| count.states),
            transitions: sum(|count| count.transitions),
            depth: self.level as u64,
            frontier: sum(|count| count.frontier),
            seconds: self.seconds_before + self.watch.seconds(),
            peak_bytes: sum(|count| count.bytes),
            ..Statistics::default()
        }
    }
}
