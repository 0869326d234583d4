//! The truth by brute force, without the automaton of the formula and without depth-first search.
//!
//! A node is a state with a guess which temporal subformulas are true there; edges keep the guesses consistent; each
//! guess that something is still to come carries a mark that must recur. Nodes that cannot reach every mark within what
//! is left are removed until nothing changes (Emerson and Lei); if a node is left, there is a fair run that violates.

use crate::toy::Toy;
use liveness::FairSystem;
use ltl::Formula;
use std::collections::BTreeSet;
use system::{Successors, TransitionSystem};

/// Steps of a state as the definition of runs has them: label, target, components that the step is fair to.
fn steps(toy: &Toy, state: u32) -> (Vec<(Option<u8>, u32, u64)>, bool) {
    let mut successors = Successors::new(1);
    toy.successors(&[state], &mut (), &mut successors);
    let stepping = successors.iter().fold(0, |all, (_, label)| all | toy.taken(label));
    let disabled = !toy.enabled(&[state], stepping);
    let steps = successors.iter().map(|(to, label)| (Some(label), to[0], disabled | toy.taken(label)));
    let mut steps: Vec<_> = steps.collect();
    let ended = steps.is_empty() && !successors.discarded;
    if ended {
        steps.push((None, state, disabled));
    }
    (steps, ended)
}

struct Guess<'f> {
    temporal: Vec<&'f Formula>,
}

impl<'f> Guess<'f> {
    fn collect(&mut self, formula: &'f Formula) {
        formula.operands().into_iter().for_each(|f| self.collect(f));
        let is_plain = matches!(
            formula,
            Formula::True | Formula::False | Formula::Atom(_) | Formula::Not(_) | Formula::And(..) | Formula::Or(..)
        );
        if !is_plain && !matches!(formula, Formula::Implies(..)) && !self.temporal.contains(&formula) {
            self.temporal.push(formula);
        }
    }

    /// The truth of a formula under a guess.
    fn value(&self, formula: &Formula, atoms: u64, guess: u32) -> bool {
        let value = |f: &Formula| self.value(f, atoms, guess);
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(atom) => atoms >> atom & 1 == 1,
            Formula::Not(f) => !value(f),
            Formula::And(f, g) => value(f) && value(g),
            Formula::Or(f, g) => value(f) || value(g),
            Formula::Implies(f, g) => !value(f) || value(g),
            _ => guess >> self.temporal.iter().position(|f| *f == formula).expect("collected") & 1 == 1,
        }
    }

    /// Whether the guess here agrees with that at the next state.
    fn agrees(&self, atoms: u64, guess: u32, next_atoms: u64, next_guess: u32) -> bool {
        self.temporal.iter().enumerate().all(|(i, formula)| {
            let here = |f: &Formula| self.value(f, atoms, guess);
            let later = next_guess >> i & 1 == 1;
            let expected = match formula {
                Formula::Next(f) => self.value(f, next_atoms, next_guess),
                Formula::Until(f, g) | Formula::WeakUntil(f, g) => here(g) || here(f) && later,
                Formula::Release(f, g) => here(g) && (here(f) || later),
                Formula::Eventually(f) => here(f) || later,
                Formula::Always(f) => here(f) && later,
                _ => unreachable!("temporal"),
            };
            expected == (guess >> i & 1 == 1)
        })
    }

    /// The temporal subformulas whose guess is not put off here, a bit each.
    fn settled(&self, atoms: u64, guess: u32) -> u64 {
        let is_settled = |(i, formula): (usize, &&Formula)| {
            let here = |f: &Formula| self.value(f, atoms, guess);
            let guessed = guess >> i & 1 == 1;
            let settled = match formula {
                Formula::Next(_) => true,
                Formula::Until(_, g) => !guessed || here(g),
                Formula::Eventually(f) => !guessed || here(f),
                Formula::Release(_, g) => guessed || !here(g),
                Formula::Always(f) => guessed || !here(f),
                Formula::WeakUntil(f, g) => guessed || !here(f) && !here(g),
                _ => unreachable!("temporal"),
            };
            u64::from(settled) << i
        };
        self.temporal.iter().enumerate().map(is_settled).sum()
    }
}

/// Whether some fair run of `toy` makes `formula` false.
pub(crate) fn violated(toy: &Toy, formula: &Formula, fairness: u64) -> bool {
    let mut guess = Guess { temporal: Vec::new() };
    guess.collect(formula);
    let n_guesses = 1u32 << guess.temporal.len();
    let n_states = toy.atoms.len() as u32;
    let letter = |state: u32| toy.atoms[state as usize] & !(1 << 63) | u64::from(steps(toy, state).1) << 63;
    let node = |state: u32, guess: u32| (state * n_guesses + guess) as usize;
    let all = (u64::from(n_guesses) - 1) | fairness << 32;
    // By node: where it leads, with marks.
    let mut edges: Vec<Vec<(usize, u64)>> = vec![Vec::new(); (n_states * n_guesses) as usize];
    for state in 0..n_states {
        for (_, to, fair_to) in steps(toy, state).0 {
            for here in 0..n_guesses {
                let marks = guess.settled(letter(state), here) | (fair_to & fairness) << 32;
                let next = (0..n_guesses).filter(|next| guess.agrees(letter(state), here, letter(to), *next));
                edges[node(state, here)].extend(next.map(|next| (node(to, next), marks)));
            }
        }
    }
    let starts = toy.initial.iter().flat_map(|state| (0..n_guesses).map(move |guess| (*state, guess)));
    let false_at = starts.filter(|(state, own)| !guess.value(formula, letter(*state), *own));
    let reached = closure(false_at.map(|(state, guess)| node(state, guess)).collect(), &|at| {
        edges[at].iter().map(|(to, _)| *to).collect()
    });
    survivors(reached, &edges, all)
}

fn closure(start: BTreeSet<usize>, next: &dyn Fn(usize) -> Vec<usize>) -> BTreeSet<usize> {
    let mut seen = start.clone();
    let mut todo: Vec<usize> = start.into_iter().collect();
    while let Some(at) = todo.pop() {
        todo.extend(next(at).into_iter().filter(|to| seen.insert(*to)));
    }
    seen
}

/// Whether nodes are left when those that cannot reach every mark again are removed, again and again.
fn survivors(mut left: BTreeSet<usize>, edges: &[Vec<(usize, u64)>], all: u64) -> bool {
    loop {
        let before = left.len();
        let inside = |at: usize| edges[at].iter().filter(|(to, _)| left.contains(to)).copied().collect::<Vec<_>>();
        let mut back = vec![Vec::new(); edges.len()];
        for at in &left {
            inside(*at).into_iter().for_each(|(to, _)| back[to].push(*at));
        }
        let marks = (0..64).filter(|mark| all >> mark & 1 == 1).map(|mark| 1u64 << mark);
        let sets = marks.map(Some).chain([None]).map(|mark| {
            let has = |at: &usize| inside(*at).iter().any(|(_, marks)| mark.is_none_or(|mark| marks & mark != 0));
            closure(left.iter().copied().filter(has).collect(), &|at| back[at].clone())
        });
        let kept = sets.reduce(|some, others| &some & &others).expect("there is one");
        left = &left & &kept;
        if left.len() == before {
            return !left.is_empty();
        }
    }
}
