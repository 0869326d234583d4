//! The choice between transactions and short stops, on the real machine code with emulated RTM: prices are given, because the clock
//! of an emulation says nothing, and conflicts are injected.

use crate::emulation::{Paced, Setting, emulation};
use htm_emulator::{Emulator, Faults};
use methods::{Compare, Copying, MovedBy, Moves, Omission, Price, Prices, RunResult};
use programs::Kind;

/// Such that small batches move in transactions if they commit at once, and in stops if they do not.
const PRICE: Price = Price { handshake_ns: 10.0, attempt_ns: 3.5, stop_ns: 5.0 };
const MOVES: Moves = Moves::Cheapest(Prices::Given(PRICE));

/// Batches of which half is enough to learn.
const ENOUGH: usize = 40;

fn run(emulator: Emulator, moves: Moves, compare: Compare, seed: u64, n_steps: u64) -> RunResult<Paced> {
    let setting = Setting {
        kind: Kind::ALL[seed as usize % Kind::ALL.len()],
        n_mutators: 1 + seed % 2,
        n_steps,
        copying: Copying::Optimistic(compare),
        aborts_per_mille: 0,
        omission: Omission::None,
        moves,
        seed,
    };
    setting.run(emulator).unwrap_or_else(|message| panic!("{message}"))
}

/// What moved the batches of a run that were not small, in order. How many there are depends on the machine, so the run gets more steps until
/// there are enough.
fn moved(kind: Kind, faults: Faults, moves: Moves) -> Option<Vec<MovedBy>> {
    let (emulator, _turn) = emulation(faults)?;
    let seed = Kind::ALL.iter().position(|other| *other == kind)? as u64;
    let mut n_steps = 1500;
    loop {
        let batches = run(emulator, moves, Compare::Shadow, seed, n_steps).collector.batches;
        // A stop is always cheaper for a few objects.
        let large: Vec<MovedBy> = batches.iter().filter(|batch| batch.n_objects >= 8).map(|batch| batch.by).collect();
        if large.len() >= ENOUGH || n_steps > 100_000 {
            return Some(large);
        }
        n_steps *= 2;
    }
}

fn count(batches: &[MovedBy], by: MovedBy) -> usize {
    batches.iter().filter(|moved| **moved == by).count()
}

fn conflicts(per_mille: u32) -> Faults {
    Faults { at_begin_per_mille: per_mille, causes: htm_emulator::Causes::Conflicts, ..Faults::NONE }
}

#[test]
fn without_conflicts_large_batches_commit() {
    let Some(batches) = moved(Kind::Graph, conflicts(0), MOVES) else { return };
    assert!(
        10 * count(&batches, MovedBy::Commit) > 9 * batches.len(),
        "cold regions move in transactions: {batches:?}"
    );
}

/// After some batches in vain the choice has learnt, but for a region in 64 that learns again.
#[test]
fn injected_conflicts_turn_transactions_into_short_stops() {
    let Some(batches) = moved(Kind::Graph, conflicts(1000), MOVES) else { return };
    assert_eq!(count(&batches, MovedBy::Commit), 0, "{batches:?}");
    let learnt = &batches[ENOUGH / 2..];
    assert!(4 * count(learnt, MovedBy::Stop) > 3 * learnt.len(), "{batches:?}");
    let Some(batches) = moved(Kind::Graph, conflicts(1000), Moves::InTransactions) else { return };
    assert_eq!(count(&batches, MovedBy::Fallback), batches.len(), "no stop is chosen where none may be: {batches:?}");
}

/// Every other attempt conflicts and is repeated: that is still cheaper than a stop. Mutators that log slots in the meantime, as a machine
/// has time for them, are what leads to stops: up to the first one only the conflicts count. That may be one batch, so several runs count.
#[test]
fn with_some_conflicts_most_batches_commit() {
    let mut batches = Vec::new();
    for _ in 0..5 {
        let Some(moved) = moved(Kind::Graph, conflicts(500), MOVES) else { return };
        batches.extend(moved.into_iter().take_while(|batch| *batch != MovedBy::Stop));
    }
    assert!(2 * count(&batches, MovedBy::Commit) > batches.len(), "{batches:?}");
}

/// To an emulated transaction, which is slow, mutators have time to log many slots. They commit after a few of them, so that the collector's
/// transaction takes in what it finds.
#[test]
fn slots_logged_meanwhile_are_taken_in() {
    let Some(batches) = moved(Kind::Tree, conflicts(0), MOVES) else { return };
    assert!(4 * count(&batches, MovedBy::Commit) > 3 * batches.len(), "{batches:?}");
}

/// Where steps decide, ways change with the load of the machine; whichever is taken, every program finds what it expects.
#[test]
fn where_steps_decide_nothing_is_lost() {
    for kind in [Kind::Graph, Kind::List, Kind::Cache] {
        let Some(batches) = moved(kind, conflicts(300), Moves::Cheapest(Prices::Measured)) else { return };
        assert!(count(&batches, MovedBy::Stop) > 0, "{kind:?}: what was never tried is tried");
    }
}

/// TSXLDTRK: the shadow is compared while loads are not tracked; the emulation executes both instructions.
#[test]
fn untracked_comparison_passes() {
    let Some((emulator, _turn)) = emulation(Faults { stepped_per_mille: 20, ..Faults::NONE }) else { return };
    assert!(emulator.rtm().load_tracking().is_some());
    let outcomes: Vec<_> =
        (0..4).map(|seed| run(emulator, Moves::InTransactions, Compare::Untracked, seed, 300).collector).collect();
    assert!(outcomes.iter().any(|collector| collector.tally.commits > 0));
}
