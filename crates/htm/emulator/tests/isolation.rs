//! Nobody sees a transaction half done, though threads come and go.

use crate::alone::alone;
use htm_emulator::{Faults, Stepping};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

const N_INCREMENTS: u64 = 200;

/// Two words that are equal between transactions.
#[derive(Default)]
struct Pair([AtomicU64; 2]);

impl Pair {
    fn increment(&self) {
        let [one, other] = &self.0;
        one.store(one.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        // Long enough for others to look, if they could.
        (0..200).for_each(|n| _ = std::hint::black_box(n));
        other.store(other.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Whether neither word, read first, is larger than the other, read later: both only grow.
    fn is_plausible(&self) -> bool {
        let [one, other] = &self.0;
        let (early, late) = (other.load(Ordering::Acquire), one.load(Ordering::Acquire));
        let (early_too, late_too) = (one.load(Ordering::Acquire), other.load(Ordering::Acquire));
        early <= late && early_too <= late_too
    }
}

/// Two threads increment, two look, and one makes threads all the time.
fn increments(faults: Faults) {
    let Some((emulator, _turn)) = alone() else { return };
    emulator.set(faults);
    let (pair, done) = (Pair::default(), AtomicBool::new(false));
    let before = emulator.counts();
    thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..N_INCREMENTS {
                        while emulator.rtm().attempt(|_| pair.increment()).is_err() {}
                    }
                })
            })
            .collect();
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert!(pair.is_plausible());
                }
            });
        }
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                thread::spawn(|| assert!(vec![1_u64; 100].iter().sum::<u64>() == 100)).join().expect("it adds");
            }
        });
        writers.into_iter().for_each(|writer| writer.join().expect("it increments"));
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(pair.0.map(AtomicU64::into_inner), [2 * N_INCREMENTS; 2]);
    let counts = emulator.counts().since(&before);
    assert_eq!(counts.tally.commits, 2 * N_INCREMENTS);
    assert_eq!(counts.tally.attempts, counts.tally.commits + counts.tally.aborts.iter().sum::<u64>());
    assert_eq!(counts.tally.aborts.iter().sum::<u64>() > 0, faults != Faults::NONE);
}

#[test]
fn increments_are_whole_to_those_who_look() {
    increments(Faults::NONE);
}

#[test]
fn increments_are_whole_where_transactions_abort_at_random() {
    let stepping = Stepping::AbortsWithin(1000);
    increments(Faults {
        at_begin_per_mille: 100,
        stepped_per_mille: 200,
        stepping,
        delayed_per_mille: 100,
        seed: 3,
        ..Faults::NONE
    });
}

/// What those who look would see between the two stores.
#[test]
fn a_half_is_not_plausible() {
    assert!(!Pair([AtomicU64::new(1), AtomicU64::new(0)]).is_plausible());
}
