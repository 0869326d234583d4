//! Every method in runs whose threads take turns by a seed. A seed that fails here fails everywhere.

use crate::scheduled::scheduled;
use methods::{
    Baker, Brooks, LoadValue, Method, Omission, Options, Sapphire, Software, StopTheWorld, Transactional, Trigger, run,
};
use programs::{Kind, Workload};

/// Schedules of each method; `./test --full` asks for more.
fn n_schedules() -> u64 {
    std::env::var("SCHEDULES").ok().map_or(400, |n| n.parse().expect("SCHEDULES is a number"))
}

fn passes<M: Method>() {
    let mut n_objects = 0;
    for seed in 0..n_schedules() {
        let outcome = scheduled::<M>(seed, Omission::None).unwrap_or_else(|message| panic!("{message}"));
        n_objects += outcome.collector.n_objects;
    }
    assert!(n_objects > n_schedules(), "{}: only {n_objects} objects moved", M::NAME);
}

#[test]
fn stop_the_world() {
    passes::<StopTheWorld<Software>>();
}

#[test]
fn brooks() {
    passes::<Brooks<Software>>();
}

#[test]
fn baker() {
    passes::<Baker<Software>>();
}

#[test]
fn load_value() {
    passes::<LoadValue<Software>>();
}

#[test]
fn sapphire() {
    passes::<Sapphire<Software>>();
}

#[test]
fn transactional() {
    passes::<Transactional<Software>>();
}

#[test]
fn a_schedule_can_be_repeated() {
    for seed in 0..30 {
        let digest = || {
            let outcome = scheduled::<Transactional<Software>>(seed, Omission::None).expect("nothing is wrong");
            let stats = outcome.collector;
            (stats.n_cycles, stats.n_objects, stats.n_checked, stats.batches, format!("{:?}", stats.tally))
        };
        assert_eq!(digest(), digest(), "schedule {seed}");
    }
}

/// A program may end in the odd phase: then its last look is in a transaction, too.
#[test]
fn while_the_counter_is_odd_everything_is_in_transactions() {
    let commits = |omission| {
        let options =
            Options { always_odd: true, trigger: Trigger::Never, schedule: Some(1), omission, ..Options::default() };
        let outcome = run::<Transactional<Software>, _>(options, vec![Workload::new(Kind::Twins, 5, 1)]);
        let stats = &outcome.expect("nothing is wrong").mutators[0];
        assert_eq!(stats.n_transactional_steps, stats.n_steps);
        stats.tally.commits
    };
    assert_eq!(commits(Omission::None), 2, "the steps, and the last look");
    assert_eq!(commits(Omission::Phase), 1, "the steps");
}
