//! Tests of the tests on the real machine code: a protocol from which a part is left out is found out, with emulated RTM.
//!
//! Not every part: that the last look must be in a transaction too is seen in some hundreds of runs or not at all, because the look
//! is short. `omissions.rs` has all of them, by schedules.

use crate::emulation::{Setting, emulation};
use htm_emulator::Faults;
use methods::{Compare, Copying, Moves, Omission};
use programs::Kind;

/// Each was found in the first forty runs whenever it was tried.
const MAX_RUNS: u64 = 400;
const KINDS: [Kind; 4] = [Kind::Twins, Kind::WriteFromStack, Kind::List, Kind::Cache];

fn setting(omission: Omission, seed: u64) -> Setting {
    let pick = |divisor: u64, n: u64| (seed / divisor % n) as usize;
    let optimistic = [Compare::Shadow, Compare::Hash].map(Copying::Optimistic);
    Setting {
        kind: KINDS[pick(1, 4)],
        n_mutators: [2, 1, 4][pick(4, 3)],
        n_steps: 80,
        copying: [optimistic[0], Copying::Direct, optimistic[1]][pick(3, 3)],
        aborts_per_mille: 0,
        omission,
        moves: Moves::InTransactions,
        seed,
    }
}

/// Whether one of the first runs shows that something is wrong; where nothing is emulated, nothing is asked for.
fn is_found_out(omission: Omission, at_begin_per_mille: u32) -> bool {
    let faults = Faults { at_begin_per_mille, delayed_per_mille: 300, ..Faults::NONE };
    let Some((emulator, _turn)) = emulation(faults) else { return true };
    let found = (0..MAX_RUNS).find_map(|seed| setting(omission, seed).run(emulator).err());
    println!("{omission:?}: {found:?}");
    found.is_some()
}

#[test]
fn nothing_left_out_is_nothing_found() {
    let Some((emulator, _turn)) = emulation(Faults { delayed_per_mille: 300, ..Faults::NONE }) else { return };
    for seed in 0..30 {
        setting(Omission::None, seed).run(emulator).unwrap_or_else(|message| panic!("{message}"));
    }
}

#[test]
fn the_counter_must_be_looked_at() {
    assert!(is_found_out(Omission::Counter, 0));
}

#[test]
fn roots_must_be_fixed() {
    assert!(is_found_out(Omission::Roots, 0));
}

#[test]
fn slots_logged_late_must_be_updated() {
    assert!(is_found_out(Omission::Tail, 0));
}

#[test]
fn slots_must_be_logged_before_the_first_is_looked_at() {
    assert!(is_found_out(Omission::Recording, 0));
}

#[test]
fn mutators_must_run_in_transactions_before_objects_move() {
    assert!(is_found_out(Omission::Handshake, 0));
}

#[test]
fn roots_must_be_fixed_before_forwarding_is_used_again() {
    assert!(is_found_out(Omission::Reuse, 0));
}

/// Most transactions abort, so that mutators need vetoes.
#[test]
fn vetoes_must_be_heeded() {
    assert!(is_found_out(Omission::Veto, 600));
}
