//! The laboratory's measurement of this processor, end to end, on processors without RTM, by `htm-emulator`.
//!
//! Nothing is measured by it: every transaction commits unless told otherwise.

use htm::Cause;
use htm_emulator::Fate;
use laboratory::hardware::Hardware;
use laboratory::{Case, Mode, Operation, Pattern, Plan, Width, cost, curve, sweep};

/// Executions for each cost: emulated ones take a fraction of a millisecond.
const ROUNDS: u32 = 100;
/// Room for a few areas.
const POOL_BYTES: usize = 1 << 20;

#[test]
fn a_sweep_of_the_processor_counts_commits_attempts_and_causes() {
    let _turn = crate::turn();
    let emulator = match htm_emulator::install() {
        Ok(emulator) => emulator,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let rtm = emulator.rtm();
    let patterns = [Pattern::Sequential(Width::Bits32), Pattern::Sequential(Width::Bits64), Pattern::Strided(4096)];
    let mut curves = Vec::new();
    for operation in [Operation::Read, Operation::Write] {
        for pattern in patterns {
            curves.extend(Mode::ALL.map(|mode| (Case { operation, pattern, mode }, vec![4096, 1 << 16])));
        }
    }
    let n_curves = curves.len();
    let plan = Plan { curves, repetitions: 2, trials: 2, max_attempts: 3, ends_after_failures: None };
    // The first trial of all: capacity, no reason, then it commits. The second: conflicts up to the cap.
    let aborts = |status| Fate::Aborts { status };
    emulator.decide(&[aborts(0x8), aborts(0), Fate::Starts, aborts(0x6), aborts(0x6), aborts(0x6)]);
    let swept = sweep::sweep(&plan, &mut Hardware::with_pool(rtm, POOL_BYTES), &mut |_| false);
    assert_eq!(swept.cells.len(), n_curves * 4);
    let first = &swept.cells[0];
    assert_eq!((first.first_commits, first.commits, first.attempts), (0, 1, 3));
    let n_aborts = |cause: Cause| first.aborts[cause.index()];
    assert_eq!((n_aborts(Cause::Capacity), n_aborts(Cause::Unexplained), n_aborts(Cause::Conflict)), (1, 1, 3));
    assert!(
        swept.cells[1..].iter().all(|cell| cell.first_commits == 2 && cell.attempts == 2),
        "all others commit at once"
    );
    let curves = curve::curves(&swept);
    assert_eq!(curves[0].points[0].success.min, 0.0);
    assert_eq!(curves[0].largest_commit, Some(1 << 16));

    let costs = cost::costs(Some(rtm), 1, ROUNDS, &mut || false);
    assert!(costs.iter().any(|cost| cost.name == "begin and explicit abort"), "{costs:?}");
}
