//! Many small jobs on all cores, results in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes of stack of a worker: trees of texts are walked by recursion.
const STACK: usize = 1 << 26;

/// One worker per core.
pub fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `work` of every job; one job per core at a time.
pub fn map<T: Sync, R: Send>(jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut results = Vec::with_capacity(jobs.len());
    in_order(jobs, work, |_, result| results.push(result));
    results
}

/// As `map`, but each result is delivered as soon as it and all before it are there.
pub fn in_order<T: Sync, R: Send>(jobs: &[T], work: impl Fn(&T) -> R + Sync, deliver: impl FnMut(&T, R) + Send) {
    let next = AtomicUsize::new(0);
    let ordered = Mutex::new(Ordered { n_delivered: 0, waiting: BTreeMap::new(), deliver });
    std::thread::scope(|scope| {
        for _ in 0..n_cores().min(jobs.len()) {
            let go = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let result = work(job);
                    ordered.lock().unwrap_or_else(PoisonError::into_inner).add(jobs, index, result);
                }
            };
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, go);
            // Where so much address space is not allowed, the stack is what it is.
            if worker.is_err() {
                scope.spawn(go);
            }
        }
    });
}

/// Results that are there, and how many of them have been delivered.
struct Ordered<R, F> {
    n_delivered: usize,
    waiting: BTreeMap<usize, R>,
    deliver: F,
}

impl<R, F> Ordered<R, F> {
    fn add<T>(&mut self, jobs: &[T], index: usize, result: R)
    where
        F: FnMut(&T, R),
    {
        self.waiting.insert(index, result);
        while let Some(result) = self.waiting.remove(&self.n_delivered) {
            (self.deliver)(&jobs[self.n_delivered], result);
            self.n_delivered += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_delivered_in_the_order_of_the_jobs() {
        let jobs: Vec<u64> = (0..100).collect();
        let slow_at_first = |job: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(if job.is_multiple_of(7) { 500 } else { 1 }));
            job * 2
        };
        let mut delivered = Vec::new();
        in_order(&jobs, slow_at_first, |job, result| delivered.push((*job, result)));
        assert!(delivered.iter().copied().eq(jobs.iter().map(|job| (*job, job * 2))), "{delivered:?}");
        assert_eq!(map(&jobs, |job| job + 1).last(), Some(&100));
    }
}
