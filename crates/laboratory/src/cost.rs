//! What a transaction costs beside a compare-and-swap and a fence.
//!
//! All are timed in turn, many times over, and the loop's own cost is listed, not subtracted.

use crate::curve::Spread;
use htm::Rtm;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::time::Instant;

/// Executions for one number.
const ROUNDS: u32 = 20_000;

/// The cost of one operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Which operation.
    pub name: &'static str,
    /// Nanoseconds, over the repetitions.
    pub ns: Spread,
}

/// An operation that every machine has.
type Plain = fn(&[AtomicU64]);
/// An operation that needs RTM.
type Transactional = fn(Rtm, &[AtomicU64]);

const PLAIN: [(&str, Plain); 5] = [
    ("nothing (the loop itself)", |_| {}),
    ("load", |words| _ = black_box(words[0].load(Ordering::Relaxed))),
    ("compare-and-swap", |words| {
        let old = words[0].load(Ordering::Relaxed);
        let _ = words[0].compare_exchange(old, old + 1, Ordering::SeqCst, Ordering::SeqCst);
    }),
    ("exchange", |words| _ = words[0].swap(1, Ordering::SeqCst)),
    ("full fence", |_| fence(Ordering::SeqCst)),
];

const TRANSACTIONAL: [(&str, Transactional); 6] = [
    ("empty transaction", |rtm, _| _ = black_box(rtm.attempt(|_| ()))),
    ("transaction with a load and a test", |rtm, words| {
        _ = black_box(rtm.attempt(|_| words[0].load(Ordering::Relaxed) == 0));
    }),
    ("transaction with a store", |rtm, words| {
        _ = black_box(rtm.attempt(|_| words[0].store(1, Ordering::Relaxed)));
    }),
    ("transaction with 8 loads", |rtm, words| {
        let load = |sum, word: &AtomicU64| sum ^ word.load(Ordering::Relaxed);
        _ = black_box(rtm.attempt(|_| words.iter().step_by(8).fold(0, load)));
    }),
    ("transaction with 8 stores", |rtm, words| {
        _ = black_box(rtm.attempt(|_| words.iter().step_by(8).for_each(|word| word.store(1, Ordering::Relaxed))));
    }),
    ("begin and explicit abort", |rtm, _| _ = black_box(rtm.attempt::<()>(|transaction| transaction.abort::<1>()))),
];

/// Times every operation that there is, until `stops` says so.
pub fn costs(rtm: Option<Rtm>, repetitions: usize, stops: &mut dyn FnMut() -> bool) -> Vec<Cost> {
    let words: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
    let n_transactional = if rtm.is_some() { TRANSACTIONAL.len() } else { 0 };
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); PLAIN.len() + n_transactional];
    for _ in 0..repetitions {
        if stops() {
            break;
        }
        for (idx, (_, operation)) in PLAIN.iter().enumerate() {
            times[idx].push(time(|| operation(&words)));
        }
        let Some(rtm) = rtm else { continue };
        for (idx, (_, operation)) in TRANSACTIONAL.iter().enumerate() {
            times[PLAIN.len() + idx].push(time(|| operation(rtm, &words)));
        }
    }
    let names = PLAIN.iter().map(|(name, _)| *name).chain(TRANSACTIONAL.iter().map(|(name, _)| *name));
    names.zip(times).filter_map(|(name, times)| Some(Cost { name, ns: Spread::of(times)? })).collect()
}

/// Nanoseconds for one execution.
#[inline(always)]
fn time(operation: impl Fn()) -> f64 {
    let started = Instant::now();
    for _ in 0..ROUNDS {
        operation();
    }
    started.elapsed().as_nanos() as f64 / f64::from(ROUNDS)
}
