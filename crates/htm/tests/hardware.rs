//! Transactions on this processor. Where there are none, each test passes and says that it was skipped.
//!
//! A transaction may abort for no reason, so a test asks for one commit in many attempts; what must never be seen is
//! checked after every attempt.

use htm::{Abort, Cause, Policy, Rtm, Tally, area, transaction};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const ATTEMPTS: u32 = 100_000;

/// The proof, or a word about why the test does not run.
fn rtm() -> Option<Rtm> {
    Rtm::detect().inspect_err(|missing| eprintln!("skipped: no RTM: {missing}")).ok()
}

/// The first of many attempts that `matches`.
fn first<T: PartialEq>(
    rtm: Rtm,
    body: impl Fn(&htm::Transaction) -> T,
    matches: impl Fn(&Result<T, Abort>) -> bool,
) -> bool {
    (0..ATTEMPTS).any(|_| matches(&rtm.attempt(&body)))
}

#[test]
fn a_commit_publishes_all_stores() {
    let Some(rtm) = rtm() else { return };
    let words = [const { AtomicU64::new(0) }; 64];
    let store_all = |_: &htm::Transaction| words.iter().for_each(|word| word.store(7, Ordering::Relaxed));
    assert!(first(rtm, store_all, Result::is_ok), "no transaction of 64 stores committed");
    assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 7));
}

#[test]
fn an_abort_takes_every_store_back() {
    let Some(rtm) = rtm() else { return };
    let word = AtomicU64::new(1);
    for _ in 0..1000 {
        let mut local = 1;
        let result: Result<(), Abort> = rtm.attempt(|transaction| {
            word.store(2, Ordering::Relaxed);
            local = std::hint::black_box(2);
            transaction.abort::<3>()
        });
        assert!(result.is_err());
        assert_eq!((word.load(Ordering::Relaxed), local), (1, 1));
    }
}

#[test]
fn the_code_of_an_explicit_abort_comes_through() {
    let Some(rtm) = rtm() else { return };
    let is = |code: u8| move |result: &Result<(), Abort>| *result == Err(Abort::explicit(code));
    assert!(first(rtm, |transaction| transaction.abort::<0>(), is(0)));
    assert!(first(rtm, |transaction| transaction.abort::<42>(), is(42)));
    assert!(first(rtm, |transaction| transaction.abort::<254>(), is(254)));
}

#[test]
fn a_dropped_transaction_aborts() {
    let Some(rtm) = rtm() else { return };
    let word = AtomicU64::new(1);
    let seen = (0..ATTEMPTS).any(|_| {
        let result = rtm.begin().map(|transaction| {
            word.store(2, Ordering::Relaxed);
            drop(transaction);
        });
        assert_eq!(word.load(Ordering::Relaxed), 1);
        result == Err(Abort::explicit(transaction::DROPPED))
    });
    assert!(seen, "no transaction reached its drop");
}

#[test]
fn a_panic_inside_leaves_no_transaction_open() {
    let Some(rtm) = rtm() else { return };
    let word = AtomicU64::new(1);
    let result: Result<(), Abort> = rtm.attempt(|_| {
        word.store(2, Ordering::Relaxed);
        panic!("rolled back, so never printed");
    });
    assert!(result.is_err() && !rtm.is_inside());
    assert_eq!(word.load(Ordering::Relaxed), 1);
}

#[test]
fn inside_is_inside() {
    let Some(rtm) = rtm() else { return };
    assert!(!rtm.is_inside());
    assert!(first(rtm, |_| rtm.is_inside(), |result| *result == Ok(true)));
    assert!(!rtm.is_inside());
}

#[test]
fn an_inner_abort_is_an_abort_of_the_outermost() {
    let Some(rtm) = rtm() else { return };
    let word = AtomicU64::new(1);
    let nested = |_: &htm::Transaction| {
        word.store(2, Ordering::Relaxed);
        // The inner error is never seen: the outer transaction's beginning returns it.
        let inner: Result<(), Abort> = rtm.attempt(|inner| inner.abort::<9>());
        inner.is_err()
    };
    let is_nested = |result: &Result<bool, Abort>| {
        assert_ne!(*result, Ok(true));
        matches!(result, Err(abort) if abort.cause() == Cause::Explicit(9) && abort.is_nested())
    };
    assert!(first(rtm, nested, is_nested));
    assert_eq!(word.load(Ordering::Relaxed), 1);
}

#[test]
fn a_transaction_outlives_the_function_that_began_it() {
    let Some(rtm) = rtm() else { return };
    #[inline(never)]
    fn open(rtm: Rtm, depth: u32) -> Result<htm::Transaction, Abort> {
        if depth == 0 { rtm.begin() } else { std::hint::black_box(open(rtm, depth - 1)) }
    }
    let (mut n_commits, mut n_aborts) = (0, 0);
    for n in 0..ATTEMPTS {
        match open(rtm, 5) {
            // The frames of `open` are gone and overwritten here; the abort brings them back.
            Ok(transaction) if n % 2 == 0 => {
                std::hint::black_box([n; 64]);
                transaction.abort::<1>()
            }
            Ok(transaction) => {
                transaction.commit();
                n_commits += 1;
            }
            Err(_) => n_aborts += 1,
        }
    }
    assert!(n_commits > 0 && n_aborts >= ATTEMPTS / 2);
    assert_eq!(n_commits + n_aborts, ATTEMPTS);
}

/// Strong isolation: the other thread uses no transactions.
#[test]
fn a_plain_store_of_another_thread_is_a_conflict() {
    let Some(rtm) = rtm() else { return };
    let (word, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let saw_conflict = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                word.fetch_add(1, Ordering::Relaxed);
            }
        });
        let read_twice = |_: &htm::Transaction| {
            let before = word.load(Ordering::Relaxed);
            let between: u64 = (0..500).map(std::hint::black_box).sum();
            (before, word.load(Ordering::Relaxed), between)
        };
        let is_conflict = |result: &Result<(u64, u64, u64), Abort>| {
            if let Ok((before, after, _)) = result {
                assert_eq!(before, after, "a committed transaction saw two values of one word");
            }
            matches!(result, Err(abort) if abort.cause() == Cause::Conflict)
        };
        // The other thread may have to wait for a processor.
        let seen = (0..100).any(|_| {
            std::thread::yield_now();
            first(rtm, read_twice, is_conflict)
        });
        done.store(true, Ordering::Relaxed);
        seen
    });
    assert!(saw_conflict);
}

#[test]
fn what_does_not_fit_is_an_abort_for_want_of_capacity() {
    let Some(rtm) = rtm() else { return };
    let area: Vec<AtomicU64> = (0..1 << 20).map(|_| AtomicU64::new(0)).collect();
    area::touch_writes(&area);
    let write_all = |_: &htm::Transaction| area.iter().step_by(8).for_each(|word| word.store(1, Ordering::Relaxed));
    let mut tally = Tally::default();
    for _ in 0..100 {
        tally.count(&rtm.attempt(write_all));
    }
    assert_eq!(tally.commits, 0, "8 MB of stores committed");
    assert!(tally.aborts_by(Cause::Capacity) > 0, "{tally:?}");
    assert!(area.iter().all(|word| word.load(Ordering::Relaxed) == 0));
}

#[test]
fn increments_under_a_policy_are_never_lost() {
    let Some(rtm) = rtm() else { return };
    let (word, n_threads, n_rounds) = (AtomicU64::new(0), 4, 20_000_u64);
    let n_fallbacks = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                for _ in 0..n_rounds {
                    let increment =
                        |_: &htm::Transaction| word.store(word.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                    if Policy::USUAL.run(rtm, increment, |_| true).result.is_err() {
                        // Atomic by itself, and a conflict to every transaction: a sound fallback for this one word.
                        word.fetch_add(1, Ordering::Relaxed);
                        n_fallbacks.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(word.load(Ordering::Relaxed), n_threads * n_rounds);
    assert!(n_fallbacks.load(Ordering::Relaxed) < n_threads * n_rounds, "no increment committed");
}
