//! Software transactions are what the tests of the protocols rest on: atomic, isolated also from plain accesses, and undone by aborts.

use heap::{Addr, Heap, Size};
use htm::Cause;
use methods::{Access, Code, Emulated, Engine, Injection};
use std::collections::HashSet;

const ONE: Addr = Addr::of_word(600);
const OTHER: Addr = Addr::of_word(700);
const N_ROUNDS: u64 = if cfg!(miri) { 20 } else { 2000 };

fn heap() -> Heap {
    Heap::new(Size { n_regions: 2, region_shift: 9 })
}

/// One transaction; whether it committed.
fn transaction<'h>(
    access: &mut Emulated<'h>,
    body: impl FnOnce(&mut Emulated<'h>) -> Result<(), htm::Abort>,
) -> Result<(), htm::Abort> {
    access.begin()?;
    match body(access) {
        Ok(()) => access.commit(),
        Err(abort) => Err(access.roll_back(abort)),
    }
}

fn add(access: &mut Emulated<'_>, at: Addr, n: u64) -> Result<(), htm::Abort> {
    let value = access.load(at)?;
    access.store(at, value.wrapping_add(n))
}

#[test]
fn transactions_are_atomic_and_see_no_half_of_another() {
    let (heap, engine) = (heap(), Engine::new(None, Injection::default(), usize::MAX));
    std::thread::scope(|scope| {
        for seed in 0..3 {
            let mut access = Emulated::open(&heap, &engine, seed);
            scope.spawn(move || {
                for _ in 0..N_ROUNDS {
                    let _ = transaction(&mut access, |access| {
                        let (one, other) = (access.load(ONE)?, access.load(OTHER)?);
                        assert_eq!(one, other.wrapping_neg(), "half of a transaction was seen");
                        add(access, ONE, 1)?;
                        add(access, OTHER, u64::MAX)
                    });
                }
            });
        }
    });
    assert_eq!(heap.words.load(ONE), heap.words.load(OTHER).wrapping_neg());
}

#[test]
fn no_plain_store_is_lost_in_a_transaction() {
    let (heap, engine) = (heap(), Engine::new(None, Injection::default(), usize::MAX));
    let n_commits = std::thread::scope(|scope| {
        let mut plain = Emulated::open(&heap, &engine, 1);
        let writer = scope.spawn(move || {
            for round in 0..N_ROUNDS {
                plain.store(OTHER, round).expect("outside a transaction nothing aborts");
            }
        });
        let mut access = Emulated::open(&heap, &engine, 2);
        let copies = (0..N_ROUNDS).filter(|_| {
            transaction(&mut access, |access| {
                let value = access.load(OTHER)?;
                access.store(ONE, value)?;
                // Isolation: nobody changes it before the commit.
                assert_eq!(access.load(OTHER)?, value);
                Ok(())
            })
            .is_ok()
        });
        let n_commits = copies.count();
        writer.join().expect("no panic");
        n_commits
    });
    assert!(n_commits > 0);
    assert_eq!(heap.words.load(OTHER), N_ROUNDS - 1);
}

#[test]
fn an_abort_leaves_nothing_behind() {
    let (heap, engine) = (heap(), Engine::new(None, Injection::default(), usize::MAX));
    let mut access = Emulated::open(&heap, &engine, 1);
    let result = transaction(&mut access, |access| {
        access.store(ONE, 5)?;
        Err(access.give_up(Code::Veto))
    });
    assert_eq!(result, Err(htm::Abort::explicit(Code::Veto as u8)));
    assert_eq!(heap.words.load(ONE), 0);
}

#[test]
fn capacity_and_injection_abort() {
    let heap = heap();
    let small = Engine::new(None, Injection::default(), 10);
    let mut access = Emulated::open(&heap, &small, 1);
    let result = transaction(&mut access, |access| (0..100).try_for_each(|n| access.store(ONE.plus(n), 1)));
    assert_eq!(result.map_err(htm::Abort::cause), Err(Cause::Capacity));
    let unlucky = Engine::new(None, Injection { per_mille: 1000 }, usize::MAX);
    let mut access = Emulated::open(&heap, &unlucky, 1);
    let causes: HashSet<Cause> = (0..100)
        .map(|_| transaction(&mut access, |access| access.store(ONE, 1)).expect_err("no transaction commits").cause())
        .collect();
    let injected = [Cause::Explicit(Code::Injected as u8), Cause::Conflict, Cause::Unexplained];
    assert_eq!(causes, HashSet::from(injected));
    assert_eq!(heap.words.load(ONE), 0);
}
