//! Random small systems, formulas and demands of fairness: the verdict is that of the oracle.

use crate::toy::{Toy, formula, run};
use crate::{enumeration, oracle};
use base::random::splitmix64;
use liveness::Verdict;
use ltl::Formula;
use system::Limits;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        splitmix64(&mut self.0) % n
    }

    /// A system of at most `most` states, three labels and three components.
    pub(crate) fn toy(&mut self, most: u64) -> Toy {
        let n = 1 + self.below(most);
        let n_edges = self.below(2 * n + 2) + self.below(2) * n;
        let edges = (0..n_edges).map(|_| (self.below(n) as u32, self.below(3) as u8, self.below(n) as u32)).collect();
        let mut toy = Toy { initial: vec![0], edges, ..Toy::default() };
        if self.below(4) == 0 {
            toy.initial.push(self.below(n) as u32);
        }
        if self.below(6) == 0 {
            toy.discarded.push(self.below(n) as u32);
        }
        toy.atoms = (0..n).map(|_| self.below(4)).collect();
        toy.undecided = vec![0; n as usize];
        toy.claims = (0..n).map(|_| if self.below(5) == 0 { self.below(8) } else { 0 }).collect();
        // Usually a thread each; sometimes a step is one of several components, or of none.
        toy.taken = (0..3).map(|i| if self.below(4) == 0 { self.below(8) } else { 1 << i }).collect();
        toy
    }

    pub(crate) fn formula(&mut self, size: u64) -> Formula {
        if size == 0 {
            return match self.below(16) {
                0 => Formula::True,
                1 => Formula::Atom(63),
                n => Formula::Atom((n % 2) as u32),
            };
        }
        let unary = [Formula::negation, Formula::next, Formula::eventually, Formula::always];
        let binary =
            [Formula::and, Formula::or, Formula::implies, Formula::until, Formula::release, Formula::weak_until];
        let choice = self.below(12) as usize;
        if choice < 6 {
            let plain = [0, 1, 2, 3, 2, 3][choice];
            return unary[plain](self.formula(size - 1));
        }
        let left = self.below(size);
        let f = self.formula(left);
        binary[choice - 6](f, self.formula(size - 1 - left))
    }
}

#[test]
fn verdicts_are_those_of_the_oracle() {
    let mut random = Random(11);
    let (mut n_violated, mut n_only_unfair) = (0, 0);
    const ROUNDS: usize = 5000;
    for round in 0..ROUNDS {
        let (toy, fairness) = (random.toy(6), random.below(8) | random.below(8));
        let formula = random.formula(1 + round as u64 % 5);
        let expected = oracle::violated(&toy, &formula, fairness);
        let found = run(&toy, &formula, fairness, &Limits::default()).verdict;
        assert_eq!(matches!(found, Verdict::Violated(_)), expected, "{toy:?}\n{formula:?}\nfair {fairness}: {found:?}");
        n_violated += usize::from(expected);
        n_only_unfair += usize::from(!expected && oracle::violated(&toy, &formula, 0));
    }
    // The test is worth something only if all kinds of answers occur.
    assert!(n_violated > ROUNDS / 5 && n_violated < ROUNDS * 4 / 5, "{n_violated}");
    assert!(n_only_unfair > ROUNDS / 50, "{n_only_unfair}");
}

/// All are enabled all the time, so that a fair run must let each step again and again: where components of
/// the product grow together, no mark may be lost.
#[test]
fn verdicts_are_those_of_the_oracle_where_all_are_enabled() {
    let mut random = Random(17);
    let texts = ["eventually q", "always eventually p", "eventually always p", "always (p implies eventually q)"];
    let mut n_violated = 0;
    for round in 0..3000 {
        let mut toy = random.toy(6);
        toy.claims = vec![7; toy.atoms.len()];
        toy.taken = vec![1, 2, 4];
        toy.edges = toy.edges.iter().filter(|edge| edge.1 != 0).copied().collect();
        // A path there and back, by one thread; the others have loops and shortcuts.
        let n = toy.atoms.len() as u32;
        toy.edges.extend((1..n).flat_map(|to| [(to - 1, 0, to), (to, 0, to - 1)]));
        let formula = formula(texts[round % texts.len()]);
        let expected = oracle::violated(&toy, &formula, 7);
        let found = run(&toy, &formula, 7, &Limits::default()).verdict;
        assert_eq!(matches!(found, Verdict::Violated(_)), expected, "{toy:?}\n{formula:?}: {found:?}");
        n_violated += usize::from(expected);
    }
    assert!(n_violated > 500 && n_violated < 2500, "{n_violated}");
}

#[test]
fn every_lasso_that_can_be_enumerated_is_found_and_is_nearly_a_shortest() {
    let mut random = Random(23);
    let (mut n_found, mut n_steps, mut n_needed) = (0, 0, 0);
    for round in 0..2500 {
        let (toy, fairness) = (random.toy(4), random.below(8));
        let formula = random.formula(1 + round % 4);
        let Some(length) = enumeration::shortest(&toy, &formula, fairness, 5) else { continue };
        let Verdict::Violated(lasso) = run(&toy, &formula, fairness, &Limits::default()).verdict else {
            panic!("missed: {toy:?}\n{formula:?}\nfair {fairness}");
        };
        n_found += 1;
        assert!(lasso.len() >= length, "shorter than all");
        n_steps += lasso.len();
        n_needed += length;
    }
    assert!(n_found > 500, "{n_found}");
    // The automaton may begin a cycle a step late.
    assert!(n_steps * 100 <= n_needed * 102, "{n_steps} steps, {n_needed} are needed");
}

#[test]
fn the_same_check_gives_the_same_lasso() {
    let mut random = Random(31);
    for _ in 0..300 {
        let (toy, formula, fairness) = (random.toy(6), random.formula(3), random.below(8));
        let once = run(&toy, &formula, fairness, &Limits::default());
        let again = run(&toy, &formula, fairness, &Limits::default());
        assert_eq!((once.verdict, once.statistics.moves), (again.verdict, again.statistics.moves));
    }
}
