//! Many small jobs on all cores, results in the order of the jobs.

use crate::rows::OFTEN;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

/// Bytes of stack of a worker: trees of texts are walked by recursion.
const STACK: usize = 1 << 26;

/// One worker per core.
pub fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `work` of every job; one job per core at a time.
pub fn map<T: Sync, R: Send>(jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut results = Vec::with_capacity(jobs.len());
    in_order(jobs, work, |delivered| results.extend(delivered.map(|(_, result)| result)));
    results
}

/// As `map`, but each job and its result are delivered as soon as it and all before it are there; nothing is delivered when none has come for
/// a while.
pub fn in_order<'a, T: Sync, R: Send>(
    jobs: &'a [T],
    work: impl Fn(&T) -> R + Sync,
    mut deliver: impl FnMut(Option<(&'a T, R)>),
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..n_cores().min(jobs.len()) {
            let go = |sender: mpsc::Sender<(usize, R)>| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    // Nobody stops to listen before all results are there.
                    let _ = sender.send((index, work(job)));
                }
            };
            let (first, second) = (sender.clone(), sender.clone());
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || go(first));
            // Where so much address space is not allowed, the stack is what it is.
            if worker.is_err() {
                scope.spawn(move || go(second));
            }
        }
        drop(sender);
        let (mut n_delivered, mut waiting) = (0, BTreeMap::new());
        loop {
            match results.recv_timeout(OFTEN) {
                Ok((index, result)) => waiting.insert(index, result),
                Err(RecvTimeoutError::Timeout) => {
                    deliver(None);
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            while let Some(result) = waiting.remove(&n_delivered) {
                deliver(Some((&jobs[n_delivered], result)));
                n_delivered += 1;
            }
        }
    });
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
        in_order(&jobs, slow_at_first, |result| delivered.extend(result));
        assert!(delivered.iter().copied().eq(jobs.iter().map(|job| (job, job * 2))), "{delivered:?}");
        assert_eq!(map(&jobs, |job| job + 1).last(), Some(&100));
    }

    #[test]
    fn while_a_job_takes_its_time_that_is_said() {
        let is_noticed = std::sync::atomic::AtomicBool::new(false);
        let work = |_: &()| {
            while !is_noticed.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        in_order(&[()], work, |result| is_noticed.store(result.is_none(), Ordering::Relaxed));
    }
}
