//! Pitfalls of hardware transactions that need no hardware to be shown: the book's table names each test.

use heap::{Shape, Size};
use methods::{
    Method, Mutator, Options, Program, Progress, RunResult, Selection, Software, Step, Transactional, Trigger, run,
};
use programs::{Kind, Workload};

/// Rounds of a batch and attempts in each.
const MAX_ATTEMPTS: u32 = 3 * 4;
const MAX_STEPS: u64 = 2048;
const BIG: Shape = Shape { n_slots: 0, n_data: 200 };

/// A program with a fault in its third step.
#[derive(Clone, Debug)]
struct Faulty {
    n_steps: u64,
    fault: Fault,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    Panics,
    AllocatesTooMuch,
}

impl Program for Faulty {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        // More accesses than an injected abort lets pass.
        for _ in 0..200 {
            mutator.load(mutator.globals(), 0)?;
        }
        self.n_steps += 1;
        if self.n_steps < 3 {
            return Ok(Progress::More);
        }
        match self.fault {
            Fault::Panics => panic!("the third step panics"),
            Fault::AllocatesTooMuch => (0..6).try_for_each(|_| mutator.alloc(BIG).map(drop))?,
        }
        Ok(Progress::Done)
    }
}

/// The counter is odd from beginning to end.
fn odd(aborts_per_mille: u32) -> Options {
    Options { always_odd: true, trigger: Trigger::Never, schedule: Some(1), aborts_per_mille, ..Options::default() }
}

/// Objects move while aborts come.
fn moving(aborts_per_mille: u32, seed: u64) -> RunResult<Workload> {
    let options = Options {
        size: Size { n_regions: 64, region_shift: 9 },
        trigger: Trigger::Continuous,
        selection: Selection::All,
        sanity: true,
        aborts_per_mille,
        seed,
        schedule: Some(seed),
        ..Options::default()
    };
    let programs = (0..2).map(|id| Workload::new(Kind::Twins, 1000, id)).collect();
    run::<Transactional<Software>, _>(options, programs).expect("nothing is wrong")
}

/// P2: what cannot commit is not repeated forever, and the fallback path moves it.
#[test]
fn attempts_are_bounded() {
    let hopeless: Vec<_> = (0..20).map(|seed| moving(1000, seed).collector).collect();
    assert!(hopeless.iter().all(|stats| stats.tally.commits == 0));
    assert!(hopeless.iter().any(|stats| stats.n_objects > 0 && stats.n_fallbacks() > 0));
    for seed in 0..20 {
        let batches = moving(700, seed).collector.batches;
        assert!(batches.iter().all(|moved| moved.n_attempts <= MAX_ATTEMPTS), "{batches:?}");
    }
}

/// P3: a panic shows, whether the step that panics is inside a transaction or, if every transaction aborts, outside.
#[test]
fn a_panic_inside_a_transaction_shows() {
    for aborts_per_mille in [0, 1000] {
        let faulty = Faulty { n_steps: 0, fault: Fault::Panics };
        let message = run::<Transactional<Software>, _>(odd(aborts_per_mille), vec![faulty]).err();
        assert_eq!(message.as_deref(), Some("mutator 0: the third step panics"));
    }
}

/// P5: a step has memory before its transaction begins, and takes none inside.
#[test]
fn no_region_is_taken_inside_a_transaction() {
    let faulty = Faulty { n_steps: 0, fault: Fault::AllocatesTooMuch };
    let message = run::<Transactional<Software>, _>(odd(0), vec![faulty]).err();
    assert_eq!(message.as_deref(), Some("mutator 0: a step allocates at most 320 words"));
}

/// P6: transactions are short, and become shorter where they do not fit.
#[test]
fn transactions_are_short_and_adapt() {
    let steps_per_commit = |emulated_capacity| {
        let options = Options { emulated_capacity, ..odd(0) };
        let outcome = run::<Transactional<Software>, _>(options, vec![Workload::new(Kind::Twins, 8000, 1)]);
        let stats = &outcome.expect("nothing is wrong").mutators[0];
        stats.n_transactional_steps / stats.tally.commits
    };
    let (roomy, tight) = (steps_per_commit(usize::MAX), steps_per_commit(200));
    assert!(roomy <= MAX_STEPS && 2 * tight < roomy, "{roomy} and {tight} steps per transaction");
}

/// P7: a collector that stands still in the odd phase holds nobody up, not even mutators that cannot commit.
#[test]
fn nobody_waits_for_the_collector_in_the_odd_phase() {
    for aborts_per_mille in [0, 500, 1000] {
        let outcome = run::<Transactional<Software>, _>(odd(aborts_per_mille), vec![Workload::new(Kind::Map, 500, 1)]);
        let stats = &outcome.expect("nothing is wrong").mutators[0];
        // One step more says that the program is done; the last look at everything is no step, but may be under a veto.
        assert_eq!(stats.n_steps, 501);
        let n_looks = stats.n_transactional_steps + stats.n_vetoed_steps - stats.n_steps;
        assert!(n_looks <= 1, "{aborts_per_mille}: {n_looks}");
        assert_eq!(stats.n_vetoed_steps > 0, aborts_per_mille > 0);
    }
}

/// P8: mutators are in transactions for a while only, and come back to them after the fallback path was taken.
#[test]
fn mutators_leave_transactions_and_come_back() {
    let outcomes: Vec<_> = (0..20).map(|seed| moving(700, seed)).collect();
    for stats in outcomes.iter().flat_map(|outcome| &outcome.mutators) {
        assert!(stats.n_transactional_steps < stats.n_steps);
    }
    let came_back = |outcome: &&RunResult<Workload>| {
        let stats = &outcome.collector;
        stats.n_fallbacks() > 0 && stats.tally.commits > 0
    };
    assert!(outcomes.iter().filter(came_back).count() > 1, "both ways in one run");
}
