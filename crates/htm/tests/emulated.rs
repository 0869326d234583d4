//! The assembly, executed on processors without RTM by `htm-emulator`.

use htm::{Abort, Cause, Policy, Rtm, Tally, Transaction, transaction};
use htm_emulator::{Emulator, Fate};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

static WORDS: [AtomicU64; 8] = [const { AtomicU64::new(0) }; 8];

fn words() -> [u64; 8] {
    std::array::from_fn(|idx| WORDS[idx].load(Ordering::Relaxed))
}

fn store_all(value: u64) {
    WORDS.iter().for_each(|word| word.store(value, Ordering::Relaxed));
}

#[test]
fn every_instruction_does_what_the_manual_says() {
    let _turn = crate::turn();
    let emulator = match htm_emulator::install() {
        Ok(emulator) => emulator,
        Err(why) => return eprintln!("skipped: {why}; see `hardware`"),
    };
    let rtm = emulator.rtm();
    [commits, aborts, drops, nests, says_inside, outlives, suspends].iter().for_each(|check| check(rtm));
    [decodes, follows_the_policy].iter().for_each(|check| check(emulator));
}

/// Lets the next beginnings abort at once, with these statuses.
fn abort_next(emulator: Emulator, statuses: &[u32]) {
    statuses.iter().for_each(|status| emulator.decide(&[Fate::Aborts { status: *status }]));
}

fn commits(rtm: Rtm) {
    assert_eq!(rtm.attempt(|_| store_all(7)), Ok(()));
    assert_eq!(words(), [7; 8]);
    let (a, b) = (black_box(1.5_f64), black_box(3_u64));
    assert_eq!(rtm.attempt(|_| (a * 2.0, b + 1)), Ok((3.0, 4)));
}

/// Loads while tracking is suspended have their values, and the transaction continues.
fn suspends(rtm: Rtm) {
    let tracking = rtm.load_tracking().expect("the emulation executes both instructions");
    store_all(5);
    let sum = rtm.attempt(|inside| tracking.suspended(inside, || words().iter().sum::<u64>()) + words()[0]);
    assert_eq!(sum, Ok(45));
}

fn aborts(rtm: Rtm) {
    store_all(1);
    let mut local = black_box([1_u64; 16]);
    let result: Result<(), Abort> = rtm.attempt(|transaction| {
        store_all(2);
        local = black_box([2; 16]);
        transaction.abort::<42>()
    });
    assert_eq!(result, Err(Abort::explicit(42)));
    assert_eq!((words(), local), ([1; 8], [1; 16]));
}

fn decodes(emulator: Emulator) {
    store_all(1);
    for (status, cause) in
        [(0, Cause::Unexplained), (0x6, Cause::Conflict), (0x8, Cause::Capacity), (0x10, Cause::Debug)]
    {
        abort_next(emulator, &[status]);
        assert_eq!(emulator.rtm().attempt(|_| store_all(3)).map_err(Abort::cause), Err(cause));
    }
    assert_eq!(words(), [1; 8], "no body ran");
}

fn drops(rtm: Rtm) {
    let result = rtm.begin().map(|transaction| {
        store_all(4);
        drop(transaction);
    });
    assert_eq!(result, Err(Abort::explicit(transaction::DROPPED)));
    assert_eq!(words(), [1; 8]);
}

fn nests(rtm: Rtm) {
    let result = rtm.attempt(|_| {
        store_all(5);
        let inner: Result<(), Abort> = rtm.attempt(|inner| inner.abort::<9>());
        inner.is_err()
    });
    let abort = result.expect_err("the outer transaction aborts too");
    assert!(abort.cause() == Cause::Explicit(9) && abort.is_nested(), "{abort}");
    assert_eq!(rtm.attempt(|_| rtm.attempt(|_| 6)), Ok(Ok(6)));
}

fn says_inside(rtm: Rtm) {
    assert!(!rtm.is_inside());
    assert_eq!(rtm.attempt(|_| rtm.is_inside()), Ok(true));
    assert!(!rtm.is_inside());
}

#[inline(never)]
fn open(rtm: Rtm, depth: u32) -> Result<Transaction, Abort> {
    if depth == 0 { rtm.begin() } else { black_box(open(rtm, depth - 1)) }
}

fn outlives(rtm: Rtm) {
    let transaction = match open(rtm, 5) {
        // The frames of `open` are overwritten here; the abort brings them back.
        Ok(transaction) => {
            black_box([9_u64; 64]);
            transaction.abort::<1>()
        }
        Err(abort) => {
            assert_eq!(abort, Abort::explicit(1));
            open(rtm, 5).expect("nothing aborts this one")
        }
    };
    transaction.commit();
    assert!(!rtm.is_inside());
}

fn follows_the_policy(emulator: Emulator) {
    let rtm = emulator.rtm();
    // Two conflicts are repeated; capacity and status 0 ask for a change each; then it commits.
    abort_next(emulator, &[0x6, 0x6, 0x8, 0]);
    let mut changes = Vec::new();
    let outcome = Policy::USUAL.run(
        rtm,
        |_| 5,
        |abort| {
            changes.push(abort.cause());
            true
        },
    );
    assert_eq!(outcome.result, Ok(5));
    assert_eq!(changes, [Cause::Capacity, Cause::Unexplained]);
    assert_eq!(outcome.tally, Tally { attempts: 5, commits: 1, aborts: [0, 1, 2, 0, 0, 0, 1] });

    abort_next(emulator, &[0x8]);
    let outcome = Policy::USUAL.run(rtm, |_| 5, |_| false);
    assert_eq!(outcome.result.map_err(Abort::cause), Err(Cause::Capacity), "nothing could be changed");

    abort_next(emulator, &[0x6; 10]);
    let outcome = Policy::USUAL.run(rtm, |_| 5, |_| true);
    assert_eq!((outcome.result.is_err(), outcome.tally.attempts), (true, 10), "attempts are bounded");
}
