//! The choice between transactions and short stops, on the real machine code with emulated RTM: prices are given, because the clock
//! of an emulation says nothing, and conflicts are injected.

use crate::emulation::{Paced, Setting, emulation};
use htm_emulator::{Emulator, Faults};
use methods::{CollectorStats, Compare, Copying, MovedBy, Moves, Omission, Price, Prices, RunResult};
use programs::Kind;

/// Such that small batches move in transactions if they commit at once, and in stops if they do not.
const PRICE: Price = Price { handshake_ns: 10.0, attempt_ns: 3.5, stop_ns: 5.0 };
const MOVES: Moves = Moves::Cheapest(Prices::Given(PRICE));

fn run(emulator: Emulator, moves: Moves, compare: Compare, seed: u64) -> RunResult<Paced> {
    let setting = Setting {
        kind: Kind::ALL[seed as usize % Kind::ALL.len()],
        n_mutators: 1 + seed % 2,
        n_steps: 300,
        copying: Copying::Optimistic(compare),
        aborts_per_mille: 0,
        omission: Omission::None,
        moves,
        seed,
    };
    setting.run(emulator).unwrap_or_else(|message| panic!("{message}"))
}

/// The collectors of eight runs.
fn collectors(faults: Faults, moves: Moves) -> Option<Vec<CollectorStats>> {
    let (emulator, _turn) = emulation(faults)?;
    Some((0..8).map(|seed| run(emulator, moves, Compare::Shadow, seed).collector).collect())
}

/// Batches by what moved them: commits, fallbacks, chosen stops.
fn moved(faults: Faults, moves: Moves) -> Option<[usize; 3]> {
    let collectors = collectors(faults, moves)?;
    let count = |by| collectors.iter().map(|collector| collector.n_moved(by)).sum();
    Some([MovedBy::Commit, MovedBy::Fallback, MovedBy::Stop].map(count))
}

fn conflicts(per_mille: u32) -> Faults {
    Faults { at_begin_per_mille: per_mille, causes: htm_emulator::Causes::Conflicts, ..Faults::NONE }
}

#[test]
fn without_conflicts_large_batches_commit() {
    let Some([commits, _, _]) = moved(conflicts(0), MOVES) else { return };
    assert!(commits > 0, "cold regions move in transactions");
}

#[test]
fn injected_conflicts_turn_transactions_into_short_stops() {
    let Some(collectors) = collectors(conflicts(1000), MOVES) else { return };
    let mut n_stops = 0;
    for batches in collectors.iter().map(|collector| &collector.batches) {
        assert!(batches.iter().all(|batch| batch.by != MovedBy::Commit), "{batches:?}");
        // How many batches a run has depends on the machine; the first ones learn.
        let learnt = batches.iter().skip_while(|batch| batch.by != MovedBy::Stop);
        let n = learnt.clone().count();
        let n_stopped = learnt.filter(|batch| batch.by == MovedBy::Stop).count();
        assert!(2 * n_stopped >= n, "{batches:?}");
        n_stops += n_stopped;
    }
    assert!(n_stops > 0, "some runs learn");
    let Some([commits, fallbacks, stops]) = moved(conflicts(1000), Moves::InTransactions) else { return };
    assert!(commits == 0 && fallbacks > 0 && stops == 0, "no stop is chosen where none may be: {stops}");
}

/// The choice follows what attempts meet: the share of batches that commit falls with the conflicts, and stops take their place.
#[test]
fn the_more_conflicts_the_fewer_commits() {
    let mut shares = Vec::new();
    for per_mille in [0, 600, 1000] {
        let Some([commits, fallbacks, stops]) = moved(conflicts(per_mille), MOVES) else { return };
        let all = (commits + fallbacks + stops) as f64;
        assert!(all > 0.0, "something moves");
        shares.push([commits, stops].map(|n| n as f64 / all));
    }
    let [[none, _], [some, _], [all, stops]] = [shares[0], shares[1], shares[2]];
    assert!(none > some && some > all && all == 0.0 && stops > 0.0, "{shares:?}");
}

/// TSXLDTRK: the shadow is compared while loads are not tracked; the emulation executes both instructions.
#[test]
fn untracked_comparison_passes() {
    let Some((emulator, _turn)) = emulation(Faults { stepped_per_mille: 20, ..Faults::NONE }) else { return };
    assert!(emulator.rtm().load_tracking().is_some());
    let outcomes: Vec<_> =
        (0..4).map(|seed| run(emulator, Moves::InTransactions, Compare::Untracked, seed).collector).collect();
    assert!(outcomes.iter().any(|collector| collector.tally.commits > 0));
}
