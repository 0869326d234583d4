//! A run whose threads take turns by a seed: small, so that a change of thread falls into every gap sooner or later.

use heap::Size;
use methods::{Compare, Copying, Method, Moves, Omission, Options, Price, Prices, RunResult, Selection, Trigger, run};
use programs::{Kind, Workload};

const KINDS: [Kind; 6] = [Kind::Twins, Kind::Twins, Kind::WriteFromStack, Kind::Twins, Kind::List, Kind::Cache];

/// A run that is repeated exactly cannot ask a clock.
const PRICE: Price = Price { handshake_ns: 250.0, attempt_ns: 3.5, stop_ns: 4.0 };

/// Runs one schedule; the result of it, or what is wrong. Everything else is chosen by the seed as well.
pub(crate) fn scheduled<M: Method>(seed: u64, omission: Omission) -> Result<RunResult<Workload>, String> {
    let pick = |divisor: u64, n: u64| (seed / divisor % n) as usize;
    let optimistic = [Compare::Shadow, Compare::Hash].map(Copying::Optimistic);
    // Short stops are sound with parts left out of transactions: they would only hide that.
    let chooses = omission == Omission::None && pick(11, 2) == 1;
    let options = Options {
        size: Size { n_regions: 64, region_shift: 9 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        sanity: true,
        copying: [optimistic[0], Copying::Direct, optimistic[1]][pick(3, 3)],
        max_batch: [256, 16][pick(5, 2)],
        aborts_per_mille: [0, 300, 700][pick(2, 3)],
        emulated_capacity: [usize::MAX, 60][pick(7, 2)],
        moves: if chooses { Moves::Cheapest(Prices::Given(PRICE)) } else { Moves::InTransactions },
        omission,
        seed,
        schedule: Some(seed),
        ..Options::default()
    };
    let kind = KINDS[pick(1, KINDS.len() as u64)];
    let n_mutators = [1, 2, 1, 2, 4][pick(6, 5)];
    let programs = (0..n_mutators).map(|id| Workload::new(kind, 80, seed * 8 + id)).collect();
    run::<M, Workload>(options, programs)
        .map_err(|message| format!("{}, {}, {n_mutators} mutators, schedule {seed}: {message}", M::NAME, kind.name()))
}
