//! Every program on every method, with sanity on, for 1, 2 and 4 mutators: no object is lost, none is there twice.

use heap::Size;
use methods::{
    Baker, Brooks, Compare, Copying, Hardware, LoadValue, Method, Options, RunResult, Sapphire, Selection, Software,
    StopTheWorld, Transactional, Transactions, Trigger, run,
};
use programs::{Kind, Workload};
use std::time::Duration;

const THREADS: [usize; 3] = [1, 2, 4];
/// Time of each run: there are 27 for each method.
const LIMIT: Duration = Duration::from_millis(25);
/// A round of runs is repeated at most so often.
const MAX_ROUNDS: usize = 20;

fn options() -> Options {
    Options {
        size: Size { n_regions: 96, region_shift: 9 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        sanity: true,
        limit: Some(LIMIT),
        ..Options::default()
    }
}

fn workloads(kind: Kind, n_threads: usize) -> Vec<Workload> {
    (0..n_threads).map(|thread| Workload::new(kind, u64::MAX, thread as u64 + 17)).collect()
}

/// Every program with every number of mutators, again and again until it was `enough`: on a loaded machine little is moved in the
/// time of one run.
fn passes_until<M: Method>(
    options: Options,
    enough: impl Fn(&[RunResult<Workload>]) -> bool,
) -> Vec<RunResult<Workload>> {
    let mut outcomes = Vec::new();
    for _ in 0..MAX_ROUNDS {
        for (kind, n_threads) in Kind::ALL.into_iter().flat_map(|kind| THREADS.map(|n| (kind, n))) {
            let outcome = run::<M, Workload>(options, workloads(kind, n_threads));
            outcomes.push(outcome.unwrap_or_else(|message| {
                panic!("{}, {}, {n_threads} mutators, seed {}: {message}", M::NAME, kind.name(), options.seed)
            }));
        }
        let n_objects: u64 = outcomes.iter().map(|outcome| outcome.collector.n_objects).sum();
        let is_checked = outcomes.iter().any(|outcome| outcome.collector.n_checked > 0);
        if n_objects > 1000 && is_checked && enough(&outcomes) {
            return outcomes;
        }
    }
    panic!("{}: not enough was moved, checked, committed or aborted in {MAX_ROUNDS} rounds", M::NAME);
}

fn passes<M: Method>(options: Options) -> Vec<RunResult<Workload>> {
    passes_until::<M>(options, |_| true)
}

fn n_commits(outcomes: &[RunResult<Workload>]) -> u64 {
    outcomes.iter().map(|outcome| outcome.collector.tally.commits).sum()
}

fn n_aborts(outcomes: &[RunResult<Workload>]) -> u64 {
    outcomes.iter().map(|outcome| outcome.collector.tally.attempts - outcome.collector.tally.commits).sum()
}

fn n_steps_inside(outcomes: &[RunResult<Workload>]) -> u64 {
    outcomes.iter().flat_map(|o| &o.mutators).map(|stats| stats.n_transactional_steps).sum()
}

#[test]
fn stop_the_world_passes() {
    passes::<StopTheWorld>(options());
}

#[test]
fn brooks_passes() {
    passes::<Brooks>(options());
}

#[test]
fn baker_passes() {
    passes::<Baker>(options());
}

#[test]
fn load_value_passes() {
    passes::<LoadValue>(options());
}

#[test]
fn sapphire_passes() {
    passes::<Sapphire>(options());
}

#[test]
fn transactional_passes_with_hardware_or_falls_back_where_there_is_none() {
    let outcomes = passes::<Transactional<Hardware>>(options());
    assert_eq!(n_commits(&outcomes) > 0, htm::Rtm::detect().is_ok());
}

#[test]
fn transactional_passes_with_hardware_forced_off() {
    let outcomes = passes::<Transactional<Hardware>>(Options { hardware: Transactions::Off, ..options() });
    assert!(outcomes.iter().all(|outcome| outcome.collector.tally.attempts == 0));
    assert!(outcomes.iter().any(|outcome| outcome.collector.n_fallbacks() > 0 && !outcome.collector.stopped.is_zero()));
}

#[test]
fn transactional_passes_with_aborts_injected_into_hardware() {
    passes::<Transactional<Hardware>>(Options { aborts_per_mille: 200, ..options() });
}

/// Every way to copy, in software: most batches must really commit.
#[test]
fn transactional_passes_in_software() {
    for copying in [Copying::Direct, Copying::Optimistic(Compare::Shadow), Copying::Optimistic(Compare::Hash)] {
        let options = Options { copying, ..options() };
        passes_until::<Transactional<Software>>(options, |all| n_commits(all) > 100 && n_steps_inside(all) > 100);
    }
}

#[test]
fn transactional_passes_in_software_with_aborts_at_random() {
    for (per_mille, seed) in [(50, 1), (300, 2), (900, 3), (1000, 4)] {
        let options = Options { aborts_per_mille: per_mille, seed, ..options() };
        passes_until::<Transactional<Software>>(options, |all| n_aborts(all) > 10);
    }
}

#[test]
fn transactional_passes_in_software_with_little_capacity() {
    let outcomes = passes::<Transactional<Software>>(Options { emulated_capacity: 200, ..options() });
    let committed = outcomes.iter().flat_map(|outcome| &outcome.collector.batches).filter(|moved| moved.is_committed());
    let smallest = committed.map(|moved| moved.n_objects).min();
    assert!(smallest.is_some_and(|smallest| smallest < 32), "batches adapt: {smallest:?}");
}
