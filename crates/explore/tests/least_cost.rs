//! The search for a cheapest path agrees with shortest paths in systems that allow only so much.

use crate::toys::{Graph, options, quiet};
use explore::{cheapest, search};
use std::sync::atomic::AtomicBool;
use system::{Limit, Limits, PropertyIndex, Reached, Successors, TransitionSystem, Verdict};

/// A graph some of whose steps cost one; no way may cost more than `most`.
struct Priced {
    graph: Graph,
    most: u32,
}

impl TransitionSystem for Priced {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        4
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&[0, 0, 7, 0], 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        let mut steps = Successors::new(3);
        self.graph.successors(&from[..3], &mut (), &mut steps);
        for (to, label) in steps.iter() {
            let cost = from[3] + u32::from((from[0] + 2 * to[0]).is_multiple_of(3));
            if cost <= self.most {
                out.push(&[to[0], to[1], to[2], cost], label);
            }
        }
    }
    fn inspect(&self, state: &[u32], _: &mut (), reached: &mut Reached) -> Option<PropertyIndex> {
        self.graph.inspect(&state[..3], &mut (), reached)
    }
}

fn priced(seed: u64, most: u32) -> Priced {
    Priced { graph: Graph { n: 300, seed, bad: Some(17), stuck_is_bad: false }, most }
}

#[test]
fn the_least_cost_is_the_least_that_allows_a_violation_and_the_path_is_a_shortest_one() {
    let stop = AtomicBool::new(false);
    let (mut n_violated, mut dearest) = (0, 0);
    for seed in 1..80 {
        let (found, _) = cheapest(&priced(seed, 9), &Limits::default(), &quiet(&stop));
        let within = |most| search(&priced(seed, most), &options(1), &quiet(&stop)).verdict;
        let least = (0..=9).find_map(|most| match within(most) {
            Verdict::Violated { path, .. } => Some((most, path.len())),
            _ => None,
        });
        let cheapest = match found {
            Verdict::Violated { property: 4, path } => Some((path[path.len() - 1][3], path.len())),
            Verdict::Holds => None,
            other => panic!("seed {seed}: {other:?}"),
        };
        assert_eq!(cheapest, least, "seed {seed}");
        n_violated += usize::from(least.is_some());
        dearest = dearest.max(least.map_or(0, |(cost, _)| cost));
    }
    assert!(n_violated > 20 && dearest > 1, "{n_violated} with up to {dearest}");
}

#[test]
fn a_limit_is_named() {
    let states = Limits { max_states: Some(5), ..Limits::default() };
    let bytes = Limits { max_bytes: Some(5), ..Limits::default() };
    let unharmed = Priced { graph: Graph { n: 3000, seed: 3, bad: None, stuck_is_bad: false }, most: 9 };
    for (limits, limit) in [(states, Limit::States), (bytes, Limit::Memory)] {
        let (verdict, _) = cheapest(&unharmed, &limits, &quiet(&AtomicBool::new(false)));
        assert_eq!(verdict, Verdict::Inconclusive(limit));
    }
}
