//! Temporal properties by brute force, over the interpreter's states: no automaton of the formula, no depth-first search, no
//! tables. Registers and locations are among the atoms, and `next` among the words.
//!
//! A node is a state, the values of all atoms, and a guess which temporal subformulas are true there.

use super::temporal::{Plain, formula_over, holds, looping, temporal};
use super::{N_CELLS, Random, memories, options};
use ltl::Formula;
use machine::{Interpreter, Reductions, Runs, Tabulated};
use std::collections::HashMap;

/// The atom on a register, and those on locations.
const REGISTER: u32 = N_CELLS + 2;
const LOCATIONS: [u32; 2] = [N_CELLS + 3, N_CELLS + 4];

/// A state, the values of the atoms there, and the atoms that have had one.
type Valued = (u32, u64, u64);

/// States with values of all atoms; what is to come has the value that rule 8.7 says.
struct Spelt {
    atoms: Vec<u64>,
    /// Where steps lead, with the components that they are fair to.
    steps: Vec<Vec<(usize, u64)>>,
    /// Whether all atoms that ever have a value have had one.
    is_settled: Vec<bool>,
    initial: Vec<usize>,
}

impl Spelt {
    /// Of the atoms `all`, the atoms `never` have no value.
    fn new(plain: &Plain, all: u64, never: u64) -> Self {
        let mut spelt = Spelt { atoms: vec![], steps: vec![], is_settled: vec![], initial: vec![] };
        let come_to = |at: u32, values: u64, known: u64| -> Option<Valued> {
            let (truth, decided) = (plain.atoms[at as usize] & all, all & !plain.undecided[at as usize]);
            let is_right = decided & !known & (values ^ truth) == 0 && decided & never == 0;
            is_right.then_some((at, values & !decided | truth & decided, known | decided))
        };
        let firsts = (0..=all).filter(|first| first & !(all & !never) == 0);
        let initial = firsts.flat_map(|first| (0..plain.n_initial).filter_map(move |at| come_to(at, first, 0)));
        let mut states: Vec<Valued> = initial.collect();
        states.sort_unstable();
        states.dedup();
        spelt.initial = (0..states.len()).collect();
        let mut numbers: HashMap<Valued, usize> = states.iter().copied().zip(0..).collect();
        while spelt.steps.len() < states.len() {
            let (at, values, known) = states[spelt.steps.len()];
            let disabled = !plain.enabled[at as usize];
            let mut targets: Vec<(u32, u64)> = Vec::new();
            for (to, label) in &plain.steps[at as usize] {
                let thread = label & 0x7F;
                let taken = if thread == 127 { 0 } else { 1 << thread | u64::from(label >> 7) << (2 + thread) };
                targets.push((*to, disabled | taken));
            }
            if targets.is_empty() && !plain.discarded[at as usize] {
                targets.push((at, disabled));
            }
            let mut steps = Vec::new();
            for (to, fair_to) in targets {
                let Some(next) = come_to(to, values, known) else { continue };
                let number = *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                steps.push((number, fair_to));
            }
            spelt.steps.push(steps);
            spelt.atoms.push(values);
            spelt.is_settled.push(known | never == all);
        }
        spelt
    }

    /// Whether a fair run on which all values come makes `formula` false.
    fn violates(&self, formula: &Formula, fairness: u64) -> bool {
        let mut temporal = Vec::new();
        collect(formula, &mut temporal);
        let guesses = 1usize << temporal.len();
        let truth = Truth { temporal: &temporal };
        let mut next: Vec<Vec<usize>> = Vec::new();
        let mut marks: Vec<Vec<u64>> = Vec::new();
        for (at, atoms) in self.atoms.iter().enumerate() {
            for guess in 0..guesses {
                let (mut to, mut with) = (Vec::new(), Vec::new());
                for (target, fair_to) in &self.steps[at] {
                    let own = truth.fulfilled(*atoms, guess)
                        | (fair_to & fairness) << 32
                        | u64::from(self.is_settled[at]) << 63;
                    for other in (0..guesses).filter(|g| truth.agrees(*atoms, guess, self.atoms[*target], *g)) {
                        to.push(target * guesses + other);
                        with.push(own);
                    }
                }
                next.push(to);
                marks.push(with);
            }
        }
        let mut seen = vec![false; next.len()];
        let begins = |(at, guess): &(usize, usize)| !truth.of(formula, self.atoms[*at], *guess);
        let starts = self.initial.iter().flat_map(|at| (0..guesses).map(move |guess| (*at, guess))).filter(begins);
        let mut open: Vec<usize> = starts.map(|(at, guess)| at * guesses + guess).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&next[node]);
            }
        }
        let component = ltl::components(next.len(), |node, out| out.extend(&next[node]));
        let mut found: HashMap<usize, u64> = HashMap::new();
        for node in (0..next.len()).filter(|node| seen[*node]) {
            for (to, with) in next[node].iter().zip(&marks[node]) {
                if component[*to] == component[node] {
                    *found.entry(component[node]).or_default() |= with;
                }
            }
        }
        let all = (guesses as u64 - 1) | fairness << 32 | 1 << 63;
        found.values().any(|marks| marks & all == all)
    }
}

fn collect<'f>(formula: &'f Formula, temporal: &mut Vec<&'f Formula>) {
    formula.operands().into_iter().for_each(|f| collect(f, temporal));
    let is_temporal =
        matches!(formula, Formula::Next(_) | Formula::Until(..) | Formula::Eventually(_) | Formula::Always(_));
    if is_temporal && !temporal.contains(&formula) {
        temporal.push(formula);
    }
}

struct Truth<'f> {
    temporal: &'f [&'f Formula],
}

impl Truth<'_> {
    /// The truth of a formula where a guess says which temporal ones are true.
    fn of(&self, formula: &Formula, atoms: u64, guess: usize) -> bool {
        let of = |f: &Formula| self.of(f, atoms, guess);
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(atom) => atoms >> atom & 1 == 1,
            Formula::Not(f) => !of(f),
            Formula::And(f, g) => of(f) && of(g),
            Formula::Or(f, g) => of(f) || of(g),
            _ => guess >> self.temporal.iter().position(|f| *f == formula).expect("collected") & 1 == 1,
        }
    }

    fn agrees(&self, atoms: u64, guess: usize, next_atoms: u64, next_guess: usize) -> bool {
        self.temporal.iter().enumerate().all(|(i, formula)| {
            let here = |f: &Formula| self.of(f, atoms, guess);
            let later = next_guess >> i & 1 == 1;
            let expected = match formula {
                Formula::Next(f) => self.of(f, next_atoms, next_guess),
                Formula::Until(f, g) => here(g) || here(f) && later,
                Formula::Eventually(f) => here(f) || later,
                Formula::Always(f) => here(f) && later,
                _ => unreachable!("temporal"),
            };
            expected == (guess >> i & 1 == 1)
        })
    }

    /// The guesses that are not put off here, a bit each.
    fn fulfilled(&self, atoms: u64, guess: usize) -> u64 {
        let is_fulfilled = |(i, formula): (usize, &&Formula)| {
            let here = |f: &Formula| self.of(f, atoms, guess);
            let guessed = guess >> i & 1 == 1;
            let fulfilled = match formula {
                Formula::Until(_, f) | Formula::Eventually(f) => !guessed || here(f),
                Formula::Always(f) => guessed || !here(f),
                _ => true,
            };
            u64::from(fulfilled) << i
        };
        self.temporal.iter().enumerate().map(is_fulfilled).sum()
    }
}

/// A formula in which the atoms `never` are what makes the whole true, each where it stands.
fn without(formula: &Formula, never: u64, is_positive: bool) -> Formula {
    let same = |f: &Formula| without(f, never, is_positive);
    match formula {
        Formula::Atom(atom) if never >> atom & 1 == 1 => {
            if is_positive {
                Formula::True
            } else {
                Formula::False
            }
        }
        Formula::Not(f) => Formula::negation(without(f, never, !is_positive)),
        Formula::And(f, g) => Formula::and(same(f), same(g)),
        Formula::Or(f, g) => Formula::or(same(f), same(g)),
        Formula::Next(f) => Formula::next(same(f)),
        Formula::Until(f, g) => Formula::until(same(f), same(g)),
        Formula::Eventually(f) => Formula::eventually(same(f)),
        Formula::Always(f) => Formula::always(same(f)),
        other => other.clone(),
    }
}

fn violated(plain: &Plain, formula: &Formula, fairness: u64) -> bool {
    let all = formula.atoms().expect("few");
    let may_never = all & plain.undecided.iter().fold(0, |all, undecided| all | undecided);
    let subsets = (0..=may_never).filter(|never| never & !may_never == 0);
    let mut formulas = subsets.map(|never| (Spelt::new(plain, all, never), without(formula, never, true)));
    formulas.any(|(spelt, formula)| spelt.violates(&formula, fairness))
}

/// A random formula, at times with `next`.
fn any_formula(random: &mut Random) -> Formula {
    let atoms = [0, 1, REGISTER, REGISTER, LOCATIONS[0], LOCATIONS[1]];
    let plain = |random: &mut Random, depth: u32| formula_over(random, depth, &atoms);
    match random.pick(4) {
        0 => Formula::always(Formula::or(plain(random, 0), Formula::next(plain(random, 1)))),
        1 => Formula::eventually(Formula::and(plain(random, 0), Formula::next(plain(random, 1)))),
        _ => plain(random, 2),
    }
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let mut random = Random(0x5EED_0041);
    let (mut n_held, mut n_violated, mut n_unfair, mut n_undecided) = (0, 0, 0, 0);
    for _ in 0..60 {
        let automata = looping(&mut random);
        let ltl = temporal(&automata);
        for memory in memories() {
            let options = options(Reductions { symmetry: false, ..Reductions::ALL });
            let interpreter = Interpreter::new(&automata, &memory, &options);
            let Some(plain) = Plain::new(&interpreter, ltl, 400) else { continue };
            let tables = Tabulated::new(&automata, &memory, &options);
            let runs = Runs::new(&tables, ltl);
            for _ in 0..3 {
                let formula = any_formula(&mut random);
                let text = || format!("{} {formula:?}\n{}", memory.name, automata::text::write(&automata));
                let [fairly, anyhow] = [0b1111, 0].map(|fairness| violated(&plain, &formula, fairness));
                assert_eq!(!holds(&runs, &formula, 0b1111), fairly, "fairly: {}", text());
                assert_eq!(!holds(&runs, &formula, 0), anyhow, "{}", text());
                n_held += usize::from(!fairly);
                n_violated += usize::from(fairly);
                n_unfair += usize::from(anyhow && !fairly);
                let asks = formula.atoms().is_some_and(|atoms| atoms >> REGISTER & 1 == 1);
                n_undecided += usize::from(asks && plain.undecided.iter().any(|undecided| *undecided != 0));
            }
        }
    }
    assert!(
        n_held > 100 && n_violated > 100 && n_unfair > 20 && n_undecided > 50,
        "{n_held} {n_violated} {n_unfair} {n_undecided}"
    );
}
