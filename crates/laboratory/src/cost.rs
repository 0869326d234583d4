//! What a transaction costs beside a compare-and-swap and a fence.
//!
//! All are timed in turn, many times over, and the loop's own cost is listed, not subtracted.

use crate::curve::Spread;
use htm::Rtm;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::time::Instant;

/// Executions for one number, usually.
pub const ROUNDS: u32 = 20_000;

/// The cost of one operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Which operation.
    pub name: &'static str,
    /// Nanoseconds, over the repetitions.
    pub ns: Spread,
}

/// An operation, timed once.
type Timed<'a> = (&'static str, Box<dyn Fn(u32) -> f64 + 'a>);

/// The operation is compiled into the loop that times it.
fn timed<'a>(name: &'static str, operation: impl Fn() + 'a) -> Timed<'a> {
    (name, Box::new(move |rounds| time(&operation, rounds)))
}

/// Operations that every machine has.
fn plain(words: &[AtomicU64]) -> Vec<Timed<'_>> {
    let word = &words[0];
    vec![
        timed("nothing (the loop itself)", || _ = black_box(0)),
        timed("load", || _ = black_box(word.load(Ordering::Relaxed))),
        timed("compare-and-swap", || {
            let old = word.load(Ordering::Relaxed);
            let _ = black_box(word.compare_exchange(old, old + 1, Ordering::SeqCst, Ordering::SeqCst));
        }),
        timed("exchange", || _ = black_box(word.swap(1, Ordering::SeqCst))),
        // Without the black box the compiler makes one fence of all.
        timed("full fence", || {
            fence(Ordering::SeqCst);
            black_box(0);
        }),
    ]
}

/// Operations that need RTM.
fn transactional(rtm: Rtm, words: &[AtomicU64]) -> Vec<Timed<'_>> {
    let word = &words[0];
    let lines = || words.iter().step_by(8);
    vec![
        timed("empty transaction", move || _ = black_box(rtm.attempt(|_| ()))),
        timed("transaction with a load and a test", move || {
            _ = black_box(rtm.attempt(|_| word.load(Ordering::Relaxed) == 0));
        }),
        timed("transaction with a store", move || {
            _ = black_box(rtm.attempt(|_| word.store(1, Ordering::Relaxed)));
        }),
        timed("transaction with 8 loads", move || {
            _ = black_box(rtm.attempt(|_| lines().fold(0, |sum, word| sum ^ word.load(Ordering::Relaxed))));
        }),
        timed("transaction with 8 stores", move || {
            _ = black_box(rtm.attempt(|_| lines().for_each(|word| word.store(1, Ordering::Relaxed))));
        }),
        timed("begin and explicit abort", move || {
            _ = black_box(rtm.attempt::<()>(|transaction| transaction.abort::<1>()));
        }),
    ]
}

/// Times every operation that there is, `rounds` executions for each number, until `stops` says so.
pub fn costs(rtm: Option<Rtm>, repetitions: usize, rounds: u32, stops: &mut dyn FnMut() -> bool) -> Vec<Cost> {
    let words: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
    let mut operations = plain(&words);
    operations.extend(rtm.into_iter().flat_map(|rtm| transactional(rtm, &words)));
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); operations.len()];
    for _ in 0..repetitions {
        if stops() {
            break;
        }
        for ((_, operation), times) in operations.iter().zip(&mut times) {
            times.push(operation(rounds));
        }
    }
    let named = operations.iter().map(|(name, _)| *name).zip(times);
    named.filter_map(|(name, times)| Some(Cost { name, ns: Spread::of(times)? })).collect()
}

/// Nanoseconds for one execution.
#[inline(always)]
fn time(operation: &impl Fn(), rounds: u32) -> f64 {
    let started = Instant::now();
    for _ in 0..rounds {
        operation();
    }
    started.elapsed().as_nanos() as f64 / f64::from(rounds)
}
