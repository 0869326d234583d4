//! The transactional method on its real machine code, with emulated RTM: every program, for 1, 2 and 4 mutators, sanity on.
//!
//! A run ends when its programs have taken their steps; rounds are repeated until enough was committed.

use crate::emulation::{Paced, Setting, emulation};
use htm::Cause;
use htm_emulator::{Counts, Emulator, Faults, Stepping};
use methods::{Compare, Copying, Moves, Omission, RunResult};
use programs::Kind;

const COPYINGS: [Copying; 3] =
    [Copying::Direct, Copying::Optimistic(Compare::Shadow), Copying::Optimistic(Compare::Hash)];
const N_MUTATORS: [u64; 3] = [1, 2, 4];
/// A round is repeated at most so often.
const MAX_ROUNDS: u64 = 5;

/// What must come of all runs together.
struct Enough {
    batches: u64,
    steps_inside: u64,
    /// Instructions that were looked at, one by one.
    stepped: u64,
}

/// What all runs have in common.
#[derive(Clone, Copy)]
struct Runs<'a> {
    /// Taken in turn.
    copyings: &'a [Copying],
    n_steps: u64,
    aborts_per_mille: u32,
}

/// Every program with every number of mutators until it was enough.
fn passes(emulator: Emulator, runs: Runs, enough: Enough) -> (Vec<RunResult<Paced>>, Counts) {
    let Runs { copyings, n_steps, aborts_per_mille } = runs;
    let before = emulator.counts();
    let mut outcomes = Vec::new();
    for seed in 0..MAX_ROUNDS {
        for (idx, kind) in Kind::ALL.into_iter().enumerate() {
            for (n, n_mutators) in N_MUTATORS.into_iter().enumerate() {
                let copying = copyings[(idx + n) % copyings.len()];
                let omission = Omission::None;
                let moves = Moves::InTransactions;
                let setting = Setting { kind, n_mutators, n_steps, copying, aborts_per_mille, omission, moves, seed };
                outcomes.push(setting.run(emulator).unwrap_or_else(|message| panic!("{message}")));
            }
        }
        let counts = emulator.counts().since(&before);
        let (batches, steps_inside) = (n_batches(&outcomes), n_steps_inside(&outcomes));
        println!("{} rounds, {batches} batches, {steps_inside} steps inside, {counts:?}", seed + 1);
        let is_enough = batches >= enough.batches && steps_inside >= enough.steps_inside;
        if is_enough && counts.n_stepped >= enough.stepped {
            return (outcomes, counts);
        }
    }
    panic!("{MAX_ROUNDS} rounds are not enough");
}

/// The ways to copy in turn, `n_steps` steps in each mutator.
fn all(n_steps: u64) -> Runs<'static> {
    Runs { copyings: &COPYINGS, n_steps, aborts_per_mille: 0 }
}

fn n_batches(outcomes: &[RunResult<Paced>]) -> u64 {
    outcomes.iter().map(|outcome| outcome.collector.tally.commits).sum()
}

fn n_steps_inside(outcomes: &[RunResult<Paced>]) -> u64 {
    outcomes.iter().flat_map(|outcome| &outcome.mutators).map(|stats| stats.n_transactional_steps).sum()
}

fn n_vetoed_steps(outcomes: &[RunResult<Paced>]) -> u64 {
    outcomes.iter().flat_map(|outcome| &outcome.mutators).map(|stats| stats.n_vetoed_steps).sum()
}

/// What the collector and the mutators have counted is what the emulation has.
fn agrees(outcomes: &[RunResult<Paced>], counts: &Counts) {
    let collectors = outcomes.iter().map(|outcome| &outcome.collector.tally);
    let mutators = outcomes.iter().flat_map(|outcome| &outcome.mutators).map(|stats| &stats.tally);
    let mut sum = htm::Tally::default();
    collectors.chain(mutators).for_each(|tally| sum.add(tally));
    assert_eq!(sum, counts.tally);
}

#[test]
fn every_way_to_copy_passes() {
    let Some((emulator, _turn)) = emulation(Faults { delayed_per_mille: 200, ..Faults::NONE }) else { return };
    for copying in COPYINGS {
        let enough = Enough { batches: 150, steps_inside: 5000, stepped: 0 };
        let (outcomes, counts) =
            passes(emulator, Runs { copyings: &[copying], n_steps: 400, aborts_per_mille: 0 }, enough);
        agrees(&outcomes, &counts);
        assert_eq!(counts.tally.aborts_by(Cause::Explicit(0)), counts.tally.aborts.iter().sum(), "all others commit");
        assert_eq!(counts.n_forbidden, 0, "{:?}", emulator.offences());
    }
}

/// Aborts for no reason of the program's.
fn n_injected(counts: &Counts) -> u64 {
    [Cause::Unexplained, Cause::Conflict, Cause::Capacity].map(|cause| counts.tally.aborts_by(cause)).iter().sum()
}

#[test]
fn aborts_at_the_beginning_pass() {
    let mut n_vetoed = 0;
    for (at_begin_per_mille, seed) in [(100, 1), (500, 2)] {
        let faults = Faults { at_begin_per_mille, delayed_per_mille: 100, seed, ..Faults::NONE };
        let Some((emulator, _turn)) = emulation(faults) else { return };
        let (outcomes, counts) = passes(emulator, all(300), Enough { batches: 60, steps_inside: 1000, stepped: 0 });
        agrees(&outcomes, &counts);
        assert!(n_injected(&counts) > 50, "{counts:?}");
        n_vetoed += n_vetoed_steps(&outcomes);
    }
    assert!(n_vetoed > 10, "those who cannot commit go on under a veto: {n_vetoed} steps");
}

/// Half of these come before `xbegin`, and are not known to the emulation.
#[test]
fn aborts_by_the_method_itself_pass() {
    let Some((emulator, _turn)) = emulation(Faults { delayed_per_mille: 100, ..Faults::NONE }) else { return };
    let runs = Runs { aborts_per_mille: 200, ..all(200) };
    let (_, counts) = passes(emulator, runs, Enough { batches: 60, steps_inside: 1000, stepped: 0 });
    assert!(counts.tally.aborts_by(Cause::Explicit(0)) > 100 && n_injected(&counts) == 0, "{counts:?}");
}

/// Inside the collector's and the mutators' transactions, at any instruction.
#[test]
fn aborts_at_a_random_instruction_pass() {
    for (stepped_per_mille, within, seed) in [(400, 100, 1), (150, 2000, 2)] {
        let stepping = Stepping::AbortsWithin(within);
        let faults = Faults { stepped_per_mille, stepping, delayed_per_mille: 100, seed, ..Faults::NONE };
        let Some((emulator, _turn)) = emulation(faults) else { return };
        let (outcomes, counts) = passes(emulator, all(200), Enough { batches: 60, steps_inside: 1000, stepped: 0 });
        agrees(&outcomes, &counts);
        assert!(counts.n_stepped > 10_000 && n_injected(&counts) > 10, "{counts:?}");
        assert_eq!(counts.n_forbidden, 0, "{:?}", emulator.offences());
    }
}

/// Pitfall P4: nothing inside is an instruction that aborts hardware transactions.
#[test]
fn no_instruction_inside_is_forbidden() {
    let faults = Faults { stepped_per_mille: 60, delayed_per_mille: 100, ..Faults::NONE };
    let Some((emulator, _turn)) = emulation(faults) else { return };
    let (_, counts) = passes(emulator, all(150), Enough { batches: 60, steps_inside: 1000, stepped: 100_001 });
    assert!(counts.n_stepped > 100_000, "{counts:?}");
    let offences: Vec<String> = emulator.offences().iter().map(ToString::to_string).collect();
    assert!(counts.n_forbidden == 0, "inside transactions:\n{}", offences.join("\n"));
}
