//! What a program may and may not do inside: faults are invisible, forbidden instructions abort and are named.

use crate::alone::alone;
use htm::{Abort, Cause, Features, Rtm, area};
use htm_emulator::{Emulator, Fate, Forbidden};
use std::hint::{black_box, spin_loop};
use std::sync::atomic::AtomicU64;

/// The status of `body`'s abort, executed step by step.
fn stepped(emulator: Emulator, body: impl Fn()) -> Result<(), u32> {
    emulator.decide(&[Fate::Stepped]);
    emulator.rtm().attempt(|_| body()).map_err(|abort| abort.status)
}

/// Asserts that `body` meets a forbidden instruction, and what it is called.
fn offends(emulator: Emulator, forbidden: Forbidden, body: impl Fn()) {
    let before = emulator.counts();
    assert_eq!(stepped(emulator, body), Err(forbidden.status()), "{forbidden}");
    assert_eq!(emulator.counts().since(&before).n_forbidden, 1, "{forbidden}");
    let met = emulator.offences();
    assert!(met.iter().any(|offence| offence.forbidden == forbidden && !offence.file.is_empty()), "{met:?}");
}

#[test]
fn forbidden_instructions_abort_and_are_named() {
    let Some((emulator, _turn)) = alone() else { return };
    assert_eq!(stepped(emulator, || _ = black_box(3)), Ok(()));
    let word = AtomicU64::new(1);
    offends(emulator, Forbidden::Pause, spin_loop);
    offends(emulator, Forbidden::SystemCall, std::thread::yield_now);
    offends(emulator, Forbidden::Cpuid, || _ = black_box(Features::read()));
    offends(emulator, Forbidden::Flush, || area::flush(std::slice::from_ref(&word)));
}

#[test]
fn a_system_call_aborts_though_nobody_steps() {
    let Some((emulator, _turn)) = alone() else { return };
    let before = emulator.counts();
    assert_eq!(emulator.rtm().attempt(|_| std::thread::yield_now()), Err(Abort { status: 0 }));
    assert_eq!(emulator.counts().since(&before).n_forbidden, 1);
    std::thread::yield_now();
}

#[test]
#[allow(unsafe_code, reason = "faults on purpose; every block names its invariant")]
fn a_fault_inside_is_an_abort_without_a_cause() {
    let Some((emulator, _turn)) = alone() else { return };
    let nowhere = black_box(8_usize);
    // SAFETY: nothing is there, and the transaction aborts for it.
    let result = emulator.rtm().attempt(|_| unsafe { (nowhere as *const u64).read_volatile() });
    assert_eq!(result.map_err(Abort::cause), Err(Cause::Unexplained));
    // SAFETY: the transaction aborts before the end of the process.
    let result = emulator.rtm().attempt(|_| unsafe { core::arch::asm!("ud2") });
    assert_eq!(result.map_err(Abort::cause), Err(Cause::Unexplained));
    // SAFETY: a breakpoint changes nothing, and the transaction aborts for it.
    let result = emulator.rtm().attempt(|_| unsafe { core::arch::asm!("int3") });
    assert_eq!(result.map_err(Abort::cause), Err(Cause::Debug));
}

#[test]
fn a_panic_inside_never_happened() {
    let Some((emulator, _turn)) = alone() else { return };
    let result: Result<(), Abort> = emulator.rtm().attempt(|_| panic!("rolled back, so never printed"));
    assert!(result.is_err() && !std::thread::panicking() && !emulator.rtm().is_inside());
}

fn nested(rtm: Rtm, depth: u32) -> Result<u32, Abort> {
    rtm.attempt(|_| if depth == 1 { Ok(1) } else { nested(rtm, depth - 1).map(|inner| inner + 1) })?
}

#[test]
fn seven_levels_commit_and_eight_do_not() {
    let Some((emulator, _turn)) = alone() else { return };
    let before = emulator.counts();
    assert_eq!(nested(emulator.rtm(), 7), Ok(7));
    assert_eq!(nested(emulator.rtm(), 8).map_err(Abort::cause), Err(Cause::Nested));
    assert_eq!(emulator.counts().since(&before).tally.attempts, 2, "only the outermost count");
}

#[test]
fn inside_is_inside_in_its_own_thread_only() {
    let Some((emulator, _turn)) = alone() else { return };
    let rtm = emulator.rtm();
    assert!(!rtm.is_inside());
    assert_eq!(rtm.attempt(|_| rtm.is_inside()), Ok(true));
    std::thread::scope(|scope| {
        let other = scope.spawn(|| (0..200).any(|_| rtm.is_inside()));
        (0..200).for_each(|_| assert_eq!(rtm.attempt(|_| rtm.is_inside()), Ok(true)));
        assert!(!other.join().expect("it asks"));
    });
    assert_eq!(stepped(emulator, || assert!(rtm.is_inside())), Ok(()));
}
