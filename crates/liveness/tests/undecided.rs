//! Atoms whose value is to come, held against the oracle on systems in which that is spelt out.
//!
//! For each set of atoms that never have a value, every other atom is given its first value beforehand, state by state, and a
//! component that is enabled until that value has come and never steps: so a fair run is one on which it comes.

use crate::oracle;
use crate::random::Random;
use crate::toy::{Toy, formula, mask, run};
use liveness::{EndingVerdict, Property, Verdict, check_ending};
use ltl::Formula;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use system::{Control, Limits};

/// The component of what has not come yet.
const TO_COME: u64 = 1 << 3;
const ATOMS: u64 = 3;

const ROUNDS: u64 = 3000;

/// A state, the values of the atoms there, and the atoms that have had one.
type Spelt = (u32, u64, u64);

/// The system in which the atoms `never` have no value, and all others have what rule 8.7 says.
fn spelt_out(toy: &Toy, never: u64) -> Toy {
    let mut spelt = Toy { taken: toy.taken.clone(), ..Toy::default() };
    let mut numbers: BTreeMap<Spelt, u32> = BTreeMap::new();
    let mut open: Vec<Spelt> = Vec::new();
    let mut number = |state: Spelt, spelt: &mut Toy, open: &mut Vec<Spelt>| {
        *numbers.entry(state).or_insert_with(|| {
            let (at, values, known) = state;
            spelt.atoms.push(values);
            spelt.claims.push(toy.claims[at as usize] | if known | never == ATOMS { 0 } else { TO_COME });
            spelt.undecided.push(0);
            open.push(state);
            spelt.atoms.len() as u32 - 1
        })
    };
    // What becomes of the values when the system comes to a state.
    let come_to = |at: u32, values: u64, known: u64| {
        let decided = ATOMS & !toy.undecided[at as usize];
        let truth = toy.atoms[at as usize];
        let is_right = (decided & !known & (values ^ truth)) == 0 && decided & never == 0;
        is_right.then_some((at, values & !decided | truth & decided, known | decided))
    };
    for at in &toy.initial {
        for first in (0..=ATOMS).filter(|first| first & never == 0) {
            if let Some(state) = come_to(*at, first, 0) {
                let initial = number(state, &mut spelt, &mut open);
                spelt.initial.push(initial);
            }
        }
    }
    let mut from = 0;
    while from < open.len() {
        let (at, values, known) = open[from];
        for (_, label, to) in toy.edges.iter().filter(|edge| edge.0 == at) {
            match come_to(*to, values, known) {
                Some(next) => {
                    let to = number(next, &mut spelt, &mut open);
                    spelt.edges.push((from as u32, *label, to));
                }
                // It is a step all the same, though not of a run that begins so.
                None => {
                    spelt.claims[from] |= toy.taken[*label as usize];
                    spelt.discarded.push(from as u32);
                }
            }
        }
        if toy.discarded.contains(&at) {
            spelt.discarded.push(from as u32);
        }
        from += 1;
    }
    spelt
}

/// A formula with some atoms replaced, given whether they stand where true makes the whole true.
fn replace(formula: &Formula, is_positive: bool, by: &dyn Fn(u32, bool) -> Option<Formula>) -> Formula {
    let same = |f: &Formula| replace(f, is_positive, by);
    let other = |f: &Formula| replace(f, !is_positive, by);
    match formula {
        Formula::Atom(atom) => by(*atom, is_positive).unwrap_or(Formula::Atom(*atom)),
        Formula::True | Formula::False => formula.clone(),
        Formula::Not(f) => Formula::negation(other(f)),
        Formula::Implies(f, g) => Formula::implies(other(f), same(g)),
        Formula::And(f, g) => Formula::and(same(f), same(g)),
        Formula::Or(f, g) => Formula::or(same(f), same(g)),
        Formula::Next(f) => Formula::next(same(f)),
        Formula::Until(f, g) => Formula::until(same(f), same(g)),
        Formula::Release(f, g) => Formula::release(same(f), same(g)),
        Formula::WeakUntil(f, g) => Formula::weak_until(same(f), same(g)),
        Formula::Eventually(f) => Formula::eventually(same(f)),
        Formula::Always(f) => Formula::always(same(f)),
    }
}

fn constant(value: bool) -> Formula {
    if value { Formula::True } else { Formula::False }
}

fn is_in(set: u64, atom: u32) -> bool {
    atom < 63 && set >> atom & 1 == 1
}

/// True where the formula is for some values of the atoms, each place on its own.
fn without(formula: &Formula, never: u64) -> Formula {
    replace(formula, true, &|atom, is_positive| is_in(never, atom).then(|| constant(is_positive)))
}

/// True where the formula is for some values of the atoms.
fn whatever(formula: &Formula, never: u64) -> Formula {
    let subsets = (0..=ATOMS).filter(|values| values & !never == 0);
    let with =
        |values: u64| replace(formula, true, &|atom, _| is_in(never, atom).then(|| constant(is_in(values, atom))));
    subsets.map(with).reduce(Formula::or).expect("there is one")
}

fn violated(toy: &Toy, formula: &Formula, fairness: u64, reading: fn(&Formula, u64) -> Formula) -> bool {
    (0..=ATOMS).any(|never| {
        let spelt = spelt_out(toy, never);
        !spelt.initial.is_empty() && oracle::violated(&spelt, &reading(formula, never), fairness | TO_COME)
    })
}

fn ending(toy: &Toy, formula: &Formula) -> EndingVerdict {
    let stop = AtomicBool::new(false);
    let property = Property::new(formula.clone()).expect("small enough");
    let control = Control { stop: &stop, ..Control::quiet() };
    check_ending(toy, &property, false, &Limits::default(), &control).verdict
}

#[test]
fn verdicts_are_those_of_the_oracle_on_the_system_spelt_out() {
    let mut random = Random(71);
    let (mut n_violated, mut n_held, mut n_passed) = (0, 0, 0);
    for round in 0..ROUNDS {
        let mut toy = random.toy(4);
        for at in 0..toy.atoms.len() {
            toy.undecided[at] = random.below(4) & random.below(4);
            toy.atoms[at] &= !toy.undecided[at];
        }
        let fairness = if round % 2 == 0 { random.below(8) } else { 0 };
        let formula = random.formula(1 + round % 3);
        let at_least = violated(&toy, &formula, fairness, without);
        let at_most = violated(&toy, &formula, fairness, whatever);
        let text = || format!("{toy:?}\n{formula:?}\nfair {fairness}");
        assert!(at_most || !at_least, "the oracle: {}", text());
        let found = matches!(run(&toy, &formula, fairness, &Limits::default()).verdict, Verdict::Violated(_));
        assert!((at_least || !found || at_most) && (found || !at_least), "{found}: {}", text());
        assert!(at_most || !found, "{found}: {}", text());
        let unfair = violated(&toy, &formula, 0, without);
        match ending(&toy, &formula) {
            EndingVerdict::Holds => {
                assert!(!unfair, "a pass says that it holds: {}", text());
                n_passed += 1;
            }
            EndingVerdict::Suspicion | EndingVerdict::GivenUp => {}
            EndingVerdict::Inconclusive(limit) => panic!("{limit:?}"),
        }
        n_violated += u64::from(found);
        n_held += u64::from(!found);
    }
    assert!(
        n_violated > ROUNDS / 5 && n_held > ROUNDS / 5 && n_passed > ROUNDS / 20,
        "{n_violated} {n_held} {n_passed}"
    );
}

/// What the system, the atoms and the formula give: whether the property is violated, fairly to `fair`.
fn is_violated(system: &str, atoms: &str, text: &str, fair: &str) -> bool {
    let toy = Toy::read(system, atoms);
    matches!(run(&toy, &formula(text), mask(fair), &Limits::default()).verdict, Verdict::Violated(_))
}

#[test]
fn an_undecided_atom_has_its_last_value() {
    // 0: p; 1: p is to come; 2: not p.
    let is = |text: &str| is_violated("0a1 1a2 2a2", "p:0 p?:1", text, "");
    assert!(!is("p and next p and next next not p"));
    assert!(is("next not p"));
}

#[test]
fn before_it_has_any_it_has_its_first() {
    let is = |text: &str| is_violated("0a1 1a2 2a2", "p:1 p?:0", text, "");
    assert!(!is("p and next p and next next always not p"));
    // Two ways, two first values.
    let is = |text: &str| is_violated("0a1 0a2 1a1 2a2", "p:1 p?:0", text, "");
    assert!(!is("(p and next p) or (not p and next not p)"));
    assert!(is("p") && is("not p"));
}

#[test]
fn one_that_never_has_a_value_decides_nothing() {
    let is = |text: &str, fair: &str| is_violated("0a0 0b1 1a1", "p:1 p?:0 q:0", text, fair);
    // Thread a loops in 0 forever, or b makes p true.
    assert!(!is("always p", "") && !is("eventually p", "") && !is("always p", "ab"));
    assert!(is("always not p", ""));
    assert!(is("eventually not q", "") && !is("eventually not q", "ab"));
    assert!(is("eventually not q and eventually p", ""));
    assert!(!is("eventually not q or always p", ""));
}
