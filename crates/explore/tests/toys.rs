//! The explorer on toy systems: it knows nothing of collectors, and agrees with the naive one.

use explore::{Control, SearchOptions, fewest_switches, reference, search};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use system::{Limit, Limits, PropertyIndex, Reached, Successors, TransitionSystem, Verdict};

/// A random graph of `n` states; some are bad, some have no successor.
pub(crate) struct Graph {
    pub(crate) n: u32,
    pub(crate) seed: u64,
    pub(crate) bad: Option<u32>,
    pub(crate) stuck_is_bad: bool,
}

impl Graph {
    fn mix(&self, a: u32, b: u32) -> u32 {
        let mut h = self.seed ^ u64::from(a) << 32 ^ u64::from(b).wrapping_mul(0x9E37_79B9);
        for _ in 0..3 {
            h = (h ^ h >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        }
        (h >> 33) as u32
    }
}

impl TransitionSystem for Graph {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        3
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&[0, 0, 7], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        let degree = self.mix(from[0], 0) % 5;
        for edge in 0..degree {
            let to = self.mix(from[0], edge + 1) % self.n;
            out.push(&[to, to / 3, 7], (edge % 2) as u8);
        }
    }
    fn inspect(&self, state: &[u32], _: &mut (), reached: &mut Reached) -> Option<PropertyIndex> {
        reached.add_cover(state[0] as usize % 200);
        (Some(state[0]) == self.bad).then_some(4)
    }
    fn stuck(&self, _: &[u32], _: &mut ()) -> Option<PropertyIndex> {
        self.stuck_is_bad.then_some(9)
    }
}

pub(crate) fn quiet(stop: &AtomicBool) -> Control<'_> {
    Control { stop, progress: &|_| {}, ended: &|_| {} }
}

pub(crate) fn options(workers: usize) -> SearchOptions {
    SearchOptions { workers, limits: Limits::default() }
}

#[test]
fn states_verdict_and_covers_are_those_of_the_naive_explorer_for_any_number_of_workers() {
    for seed in 1..60 {
        for (n, bad, stuck_is_bad) in
            [(50, None, false), (3000, None, false), (400, Some(17), false), (900, None, true), (20_000, None, false)]
        {
            let graph = Graph { n, seed, bad, stuck_is_bad };
            let expected = reference(&graph);
            for workers in [1, 2, 3] {
                let outcome = search(&graph, &options(workers), &quiet(&AtomicBool::new(false)));
                assert_eq!(outcome.statistics.states, expected.states, "seed {seed}, {workers} workers");
                assert_eq!(outcome.reached, expected.reached);
                match (&outcome.verdict, expected.violation) {
                    (Verdict::Holds, None) => {}
                    (Verdict::Violated { property, path }, Some((level, _))) => {
                        let is_stuck = *property == 9;
                        assert_eq!(path.len() as u64, if is_stuck { level } else { level + 1 }, "a shortest path");
                        assert_path(&graph, path);
                    }
                    other => panic!("seed {seed}, {workers} workers: {other:?}"),
                }
            }
        }
    }
}

/// Each state is a successor of the one before.
fn assert_path(graph: &Graph, path: &[Vec<u32>]) {
    for pair in path.windows(2) {
        let mut successors = Successors::new(3);
        graph.successors(&pair[0], &mut (), &mut successors);
        assert!(successors.iter().any(|(state, _)| state == pair[1]), "{pair:?}");
    }
}

#[test]
fn one_worker_gives_the_same_path_each_time() {
    for seed in 1..20 {
        let graph = Graph { n: 5000, seed, bad: Some(4321), stuck_is_bad: false };
        let run = || search(&graph, &options(1), &quiet(&AtomicBool::new(false))).verdict;
        assert_eq!(run(), run());
    }
}

/// Two counters, each moved by its own thread; bad when both are at the top.
struct Counters(u32);

impl TransitionSystem for Counters {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        2
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&[0, 0], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        for thread in 0..2 {
            if from[thread] < self.0 {
                out.push(from, thread as u8)[thread] += 1;
            }
        }
    }
    fn inspect(&self, state: &[u32], _: &mut (), _: &mut Reached) -> Option<PropertyIndex> {
        (state == [self.0, self.0]).then_some(0)
    }
}

#[test]
fn of_all_shortest_paths_the_one_with_the_fewest_changes_of_thread_is_found() {
    let path = fewest_switches(&Counters(6), 0, 12, 10_000, &|| false).expect("small");
    let moved: Vec<usize> = path.windows(2).map(|pair| usize::from(pair[0][0] == pair[1][0])).collect();
    let switches = moved.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!((path.len(), switches), (13, 1));
    assert_eq!(fewest_switches(&Counters(6), 0, 12, 10, &|| false), None, "too many states to keep");
    assert_eq!(fewest_switches(&Counters(6), 0, 12, 10_000, &|| true), None, "given up");
}

/// Two ways of three steps to one state, by edges `(from, to, thread)`: the first changes threads twice, the second never.
struct TwoWays;

impl TransitionSystem for TwoWays {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        1
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&[0], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        let edges = [(0, 1, 0), (1, 2, 1), (2, 5, 0), (0, 3, 0), (3, 4, 0), (4, 5, 0)];
        edges.iter().filter(|(at, ..)| *at == from[0]).for_each(|(_, to, thread)| _ = out.push(&[*to], *thread));
    }
    fn inspect(&self, state: &[u32], _: &mut (), _: &mut Reached) -> Option<PropertyIndex> {
        (state == [5]).then_some(0)
    }
}

#[test]
fn a_way_that_is_found_later_and_changes_threads_less_is_taken() {
    let path = fewest_switches(&TwoWays, 0, 3, 10, &|| false);
    assert_eq!(path, Some(vec![vec![0], vec![3], vec![4], vec![5]]));
}

#[test]
fn limits_make_a_search_inconclusive_and_name_themselves() {
    let grid = Counters(3000);
    let limited = |limits| search(&grid, &SearchOptions { workers: 1, limits }, &quiet(&AtomicBool::new(false)));
    let by_states = limited(Limits { max_states: Some(1000), ..Limits::default() });
    assert_eq!(by_states.verdict, Verdict::Inconclusive(Limit::States));
    assert!(by_states.statistics.states >= 1000 && by_states.statistics.states < 5000);
    let by_bytes = limited(Limits { max_bytes: Some(200_000), ..Limits::default() });
    assert_eq!(by_bytes.verdict, Verdict::Inconclusive(Limit::Memory));
    let by_time = limited(Limits { timeout: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!(by_time.verdict, Verdict::Inconclusive(Limit::Time));
    let stopped = search(&grid, &options(2), &quiet(&AtomicBool::new(true)));
    assert_eq!(stopped.verdict, Verdict::Inconclusive(Limit::Interrupted));
}

#[test]
fn a_violation_outweighs_a_limit_reached_at_the_same_time() {
    let limits = Limits { max_states: Some(1), ..Limits::default() };
    let outcome = search(&Counters(0), &SearchOptions { workers: 1, limits }, &quiet(&AtomicBool::new(false)));
    assert!(matches!(outcome.verdict, Verdict::Violated { .. }));
}

#[test]
fn states_without_steps_are_shown_to_the_caller() {
    let ended = AtomicU64::new(0);
    let count = |_: &[u32]| {
        ended.fetch_add(1, Relaxed);
    };
    let control = Control { stop: &AtomicBool::new(false), progress: &|_| {}, ended: &count };
    let outcome = search(&Graph { n: 200, seed: 3, bad: None, stuck_is_bad: false }, &options(1), &control);
    assert_eq!(outcome.verdict, Verdict::Holds);
    assert!(ended.load(Relaxed) > 0);
}
