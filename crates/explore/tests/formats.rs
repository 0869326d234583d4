//! Random systems whose states are hard to keep in few bits: their words are wide, become wide late, have many values, or are many.

use crate::stores::Plain;
use crate::toys::{options, quiet};
use explore::{InMemory, SearchResult, reference, search_in};
use std::sync::atomic::AtomicBool;
use system::{PropertyIndex, Reached, Successors, TransitionSystem, Verdict};

/// Nodes are numbers, found in order about; each word of a state says something of its node, and one or several all of it.
struct Words {
    n: u32,
    seed: u64,
    len: usize,
    /// Bits of the node that each of the words that say it has; 32 for all of them in one word.
    digit: u32,
    bad: Option<u32>,
}

fn mix(seed: u64, a: u64, b: u64) -> u32 {
    let mut h = seed ^ a << 32 ^ b.wrapping_mul(0x9E37_79B9);
    for _ in 0..3 {
        h = (h ^ h >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }
    (h >> 32) as u32
}

impl Words {
    fn of_seed(seed: u64) -> Self {
        let pick = |what: u64, all: &[u32]| all[mix(seed, what, 1) as usize % all.len()];
        let n = pick(1, &[1, 40, 3000, 9000, 20_000]);
        let digit = pick(2, &[1, 2, 5, 32, 32]);
        let len = pick(3, &[1, 2, 3, 7, 30, 130]).max(32u32.div_ceil(digit)) as usize;
        let bad = mix(seed, 4, 1).is_multiple_of(3).then(|| n - 1 - mix(seed, 5, 1) % n.div_ceil(2));
        Words { n, seed, len, digit, bad }
    }

    /// How many words say the node.
    fn n_digits(&self) -> usize {
        32u32.div_ceil(self.digit) as usize
    }

    /// Where the words that say the node begin.
    fn first(&self) -> usize {
        mix(self.seed, 6, 1) as usize % (self.len - self.n_digits() + 1)
    }

    /// An odd factor hides the node in large words.
    fn factor(&self) -> u32 {
        if mix(self.seed, 7, 1).is_multiple_of(2) { 1 } else { 0x9E37_79B1 }
    }

    fn state(&self, node: u32) -> Vec<u32> {
        let is_late = node > self.n - self.n / 4;
        let beside = |at: usize| match mix(self.seed, at as u64, 8) % 9 {
            0 => 7,
            1 => node / 100,
            2 => node.wrapping_neg(),
            3 => node % 3 * (u32::MAX / 2),
            4 if is_late => mix(self.seed, u64::from(node), at as u64),
            5 => node.min(3) + u32::from(is_late) * 1_000_000,
            6 if is_late => 1 << (node % 32),
            7 => 1 << (node * 32 / self.n).min(31),
            _ => 0,
        };
        let mut state: Vec<u32> = (0..self.len).map(beside).collect();
        let hidden = u64::from(node.wrapping_mul(self.factor()));
        for digit in 0..self.n_digits() {
            state[self.first() + digit] =
                (hidden >> (digit as u32 * self.digit)) as u32 & (u32::MAX >> (32 - self.digit));
        }
        state
    }

    fn node(&self, state: &[u32]) -> u32 {
        let digits = state[self.first()..][..self.n_digits()].iter().enumerate();
        let hidden = digits.fold(0, |all, (at, digit)| all | u64::from(*digit) << (at as u32 * self.digit)) as u32;
        let inverse = (0..5).fold(1u32, |x, _| x.wrapping_mul(2u32.wrapping_sub(self.factor().wrapping_mul(x))));
        let node = hidden.wrapping_mul(inverse);
        assert_eq!(state, self.state(node), "a state that nobody has put there");
        node
    }
}

impl TransitionSystem for Words {
    type Scratch = ();
    fn scratch(&self) {}
    fn state_len(&self) -> usize {
        self.len
    }
    fn initial(&self, out: &mut Successors) {
        out.push(&self.state(0), 0);
    }
    fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
        let node = self.node(from);
        for edge in 0..4 {
            let by = mix(self.seed, u64::from(node), 20 + edge) % (self.n / 50 + 3);
            out.push(&self.state((node + by).min(self.n - 1)), edge as u8);
        }
        out.push(&self.state(node / 2), 4);
    }
    fn inspect(&self, state: &[u32], _: &mut (), reached: &mut Reached) -> Option<PropertyIndex> {
        let node = self.node(state);
        reached.add_cover(node as usize % 200);
        (Some(node) == self.bad).then_some(4)
    }
    fn stuck(&self, _: &[u32], _: &mut ()) -> Option<PropertyIndex> {
        None
    }
}

fn numbers(found: &SearchResult) -> (u64, u64, u64, Option<usize>) {
    let path = match &found.verdict {
        Verdict::Violated { path, .. } => Some(path.len()),
        Verdict::Holds => None,
        other => panic!("{other:?}"),
    };
    (found.statistics.states, found.statistics.transitions, found.statistics.depth, path)
}

/// Whatever workers remember of what they have gathered, and however many there are.
#[test]
fn states_of_any_words_are_counted_once() {
    for seed in 0..40 {
        let system = Words::of_seed(seed);
        let stop = AtomicBool::new(false);
        let naive = reference(&system);
        let plain = search_in(&Plain::default(), &system, &options(1), &quiet(&stop));
        assert_eq!(plain.statistics.states, naive.states, "seed {seed}");
        for (workers, n_recent) in [(1, 0), (1, 1), (1, 64), (1, 1 << 15), (2, 0), (3, 256)] {
            let store = InMemory::new(system.state_len(), None).remembering(n_recent);
            let found = search_in(&store, &system, &options(workers), &quiet(&stop));
            let what = format!("seed {seed}, {workers} workers, {n_recent} remembered");
            assert_eq!(numbers(&found), numbers(&plain), "{what}");
            assert_eq!(found.reached, naive.reached, "{what}");
            if let Verdict::Violated { path, .. } = &found.verdict {
                assert_eq!(Some(path.len() as u64 - 1), naive.violation.map(|(level, _)| level), "{what}");
            }
        }
    }
}
