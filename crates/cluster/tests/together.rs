//! What several processes find together is what one finds alone.

use crate::toys::Counters;
use cluster::{Failure, Goal, Outcome, Saved, Task, generation_in, search};
use explore::{Control, SearchOptions};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use system::{Limit, Limits, Verdict};

/// Sockets between so many processes, each with each.
pub(crate) fn mesh(n: usize) -> Vec<Vec<Option<TcpStream>>> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    let mut all: Vec<Vec<Option<TcpStream>>> = (0..n).map(|_| (0..n).map(|_| None).collect()).collect();
    let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    for (a, b) in pairs {
        all[a][b] = Some(TcpStream::connect(address).expect("it listens"));
        all[b][a] = Some(listener.accept().expect("it is connected").0);
    }
    all
}

fn options(workers: usize, limits: Limits) -> SearchOptions {
    SearchOptions { workers, limits }
}

/// The outcome of processes that have a system each.
fn together(
    make: impl Fn() -> Counters + Sync,
    n: usize,
    goal: Goal,
    options: &SearchOptions,
    saved: Option<&Saved>,
) -> Result<Outcome, Failure> {
    let ends: Vec<_> = std::thread::scope(|scope| {
        let make = &make;
        let go = |(me, sockets)| {
            scope.spawn(move || {
                let system = make();
                let task = Task { system: &system, options, control: &Control::quiet(), goal, saved: saved.cloned() };
                search(&task, sockets, me)
            })
        };
        let threads: Vec<_> = mesh(n).into_iter().enumerate().map(go).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    assert!(ends.iter().skip(1).all(|end| !matches!(end, Ok(Some(_)))), "only the first process has the outcome");
    let first = ends.into_iter().next().expect("there is one");
    first.map(|outcome| outcome.expect("the first process has it"))
}

fn compare(make: impl Fn() -> Counters + Sync) {
    let alone = explore::search(&make(), &SearchOptions::default(), &Control::quiet());
    for (n, workers) in [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2)] {
        let options = options(workers, Limits::default());
        let found = together(&make, n, Goal::FirstViolation, &options, None).expect("nobody is lost");
        let (one, all) = (alone.statistics, found.statistics);
        assert_eq!(
            (one.states, one.transitions, one.depth),
            (all.states, all.transitions, all.depth),
            "{n} processes with {workers} workers"
        );
        assert_eq!((&alone.reached, None), (&found.reached, found.limit));
        match (&alone.verdict, &found.violated[..]) {
            (Verdict::Holds, []) => {}
            (Verdict::Violated { property, path }, [(other, way)]) => {
                assert_eq!((property, path.len()), (other, way.len()));
            }
            (verdict, violated) => panic!("{verdict:?} alone, {violated:?} together"),
        }
    }
}

#[test]
fn counts_and_levels_are_those_of_one_process() {
    compare(|| Counters::new(3, 12));
    compare(|| Counters::new(5, 6));
    compare(|| Counters { is_sorted: true, ..Counters::new(4, 9) });
    compare(|| Counters::new(1, 700));
}

#[test]
fn a_violation_is_as_near_as_alone_and_its_level_is_finished() {
    for sum in [0, 1, 2, 17, 30] {
        compare(|| Counters { forbidden: Some(sum), ..Counters::new(3, 12) });
        compare(|| Counters { forbidden: Some(sum), is_sorted: true, ..Counters::new(4, 9) });
    }
    compare(|| Counters { must_step: true, ..Counters::new(3, 7) });
}

#[test]
fn every_property_gets_its_nearest_violation() {
    let make = || Counters { must_step: true, forbidden: Some(9), ..Counters::new(3, 7) };
    let alone = explore::search_every(&make(), &SearchOptions::default(), &Control::quiet());
    let options = options(1, Limits::default());
    let found = together(make, 2, Goal::EveryProperty, &options, None).expect("nobody is lost");
    let lengths = |violated: &[(u32, Vec<Vec<u32>>)]| -> Vec<(u32, usize)> {
        violated.iter().map(|(property, path)| (*property, path.len())).collect()
    };
    assert_eq!(lengths(&alone.violated), lengths(&found.violated));
    assert_eq!(alone.statistics.states, found.statistics.states);
}

#[test]
fn limits_stop_all() {
    let make = || Counters::new(6, 9);
    let stopped = |limits| together(make, 2, Goal::FirstViolation, &options(1, limits), None).expect("nobody is lost");
    let found = stopped(Limits { max_states: Some(5000), ..Limits::default() });
    assert_eq!(found.limit, Some(Limit::States));
    assert!((5000..60_000).contains(&found.statistics.states), "{}", found.statistics.states);
    let found = stopped(Limits { timeout: Some(Duration::from_millis(30)), ..Limits::default() });
    assert_eq!(found.limit, Some(Limit::Time));
    let found = stopped(Limits { max_bytes: Some(100_000), ..Limits::default() });
    assert_eq!(found.limit, Some(Limit::Memory));
}

/// As one that is suspended: its connection stays, and it says nothing.
#[test]
fn a_process_that_does_not_answer_does_not_hold_up_a_limit() {
    let mut sockets = mesh(2);
    let silent = sockets.pop();
    let options = options(1, Limits { timeout: Some(Duration::from_millis(100)), ..Limits::default() });
    let (system, control, goal) = (Counters::new(4, 9), Control::quiet(), Goal::FirstViolation);
    let task = Task { system: &system, options: &options, control: &control, goal, saved: None };
    let ended = search(&task, sockets.remove(0), 0);
    assert_eq!(ended, Err(Failure::Silent(Limit::Time)));
    drop(silent);
}

#[test]
fn a_checkpoint_is_continued_by_processes_with_other_numbers() {
    let folder = std::env::temp_dir().join(format!("lacuna-together-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("it can be made");
    let make = || Counters { is_sorted: true, ..Counters::new(4, 9) };
    let whole = together(make, 2, Goal::FirstViolation, &options(1, Limits::default()), None).expect("nobody is lost");
    let saved = |generation| Saved { folder: folder.clone(), identity: 7, every: Duration::ZERO, generation };
    let few = options(1, Limits { max_states: Some(200), ..Limits::default() });
    let stopped = together(make, 2, Goal::FirstViolation, &few, Some(&saved(0))).expect("nobody is lost");
    assert_eq!(stopped.limit, Some(Limit::States));
    let generation = generation_in(&folder, 7).expect("it is whole");
    assert!(generation > 1, "there is one for each level");
    assert!(generation_in(&folder, 8).is_err(), "it is of another search");
    let all = options(1, Limits::default());
    let found = together(make, 2, Goal::FirstViolation, &all, Some(&saved(generation))).expect("nobody is lost");
    assert_eq!((found.statistics.states, found.limit), (whole.statistics.states, None));
    assert_eq!((found.statistics.transitions, &found.reached), (whole.statistics.transitions, &whole.reached));
    let damaged = folder.join(format!("part-1-{}", generation_in(&folder, 7).expect("it is whole")));
    std::fs::write(&damaged, b"nothing").expect("it can be written");
    let generation = generation_in(&folder, 7).expect("it is whole");
    let ended = together(make, 2, Goal::FirstViolation, &all, Some(&saved(generation)));
    assert_eq!(ended, Err(Failure::Lost(Some(1))), "the other process cannot continue");
    let _ = std::fs::remove_dir_all(&folder);
}

/// As from a backup of one machine: then states would be missing.
#[test]
fn parts_of_different_levels_are_not_continued() {
    let folder = std::env::temp_dir().join(format!("lacuna-together-mixed-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("it can be made");
    let make = || Counters { is_sorted: true, ..Counters::new(4, 9) };
    let saved = |generation| Saved { folder: folder.clone(), identity: 7, every: Duration::ZERO, generation };
    let few = options(1, Limits { max_states: Some(200), ..Limits::default() });
    together(make, 2, Goal::FirstViolation, &few, Some(&saved(0))).expect("nobody is lost");
    let generation = generation_in(&folder, 7).expect("it is whole");
    let part = |generation: u64| folder.join(format!("part-1-{generation}"));
    std::fs::copy(part(generation - 1), part(generation)).expect("it is kept until the next one is whole");
    let all = options(1, Limits::default());
    let ended = together(make, 2, Goal::FirstViolation, &all, Some(&saved(generation)));
    assert_eq!(ended, Err(Failure::Lost(Some(1))), "the other process refuses its part");
    let _ = std::fs::remove_dir_all(&folder);
}
