//! An automaton accepts a word iff the formula is true of it: on random formulas and random words.

use crate::generator::Random;
use ltl::{Automaton, Formula, evaluate, read, translate};
use std::collections::BTreeSet;

/// Whether the automaton accepts: some state at some place can reach, for each mark, an edge with it, forever.
fn accepts(automaton: &Automaton, stem: &[u64], cycle: &[u64]) -> bool {
    let word = [stem, cycle].concat();
    let after = |i: usize| if i + 1 < word.len() { i + 1 } else { stem.len() };
    let moves = &|(i, q): (usize, u16)| {
        let edges = automaton.states[q as usize].edges.iter().filter(|edge| edge.allows(word[i]));
        edges.map(|edge| ((after(i), edge.to), edge.marks)).collect::<Vec<_>>()
    };
    let reach = |from: Vec<(usize, u16)>, within: &dyn Fn(&(usize, u16)) -> bool| {
        let mut seen: BTreeSet<(usize, u16)> = from.iter().copied().collect();
        let mut todo = from;
        while let Some(node) = todo.pop() {
            todo.extend(moves(node).into_iter().map(|(to, _)| to).filter(|to| within(to) && seen.insert(*to)));
        }
        seen
    };
    let mut live = reach(vec![(0, automaton.initial)], &|_| true);
    loop {
        let good = |node: &(usize, u16)| {
            let inside = |node: (usize, u16)| moves(node).into_iter().filter(|(to, _)| live.contains(to));
            let from = reach(vec![*node], &|to| live.contains(to));
            let marks = from.into_iter().flat_map(&inside).fold(0, |all, (_, marks)| all | marks);
            marks == automaton.all_marks() && inside(*node).next().is_some()
        };
        let next: BTreeSet<(usize, u16)> = live.iter().filter(|node| good(node)).copied().collect();
        if next == live {
            return !live.is_empty();
        }
        live = next;
    }
}

#[track_caller]
fn check(formula: &Formula, stem: &[u64], cycle: &[u64], automaton: &Automaton) {
    let names = ["p", "q", "r"];
    let expected = evaluate(formula, stem, cycle);
    let found = accepts(automaton, stem, cycle);
    assert_eq!(found, expected, "{} on {stem:?} {cycle:?}\n{automaton}", formula.words(&names));
}

#[test]
fn the_automaton_accepts_a_word_iff_the_formula_is_true_of_it() {
    let mut random = Random(1);
    for round in 0..3000 {
        let formula = random.formula(1 + round % 7, 3);
        let automaton = translate(&formula).expect("small enough");
        let negation = translate(&Formula::negation(formula.clone())).expect("small enough");
        for _ in 0..12 {
            let (stem, cycle) = (random.letters(0, 3, 3), random.letters(1, 4, 3));
            check(&formula, &stem, &cycle, &automaton);
            check(&Formula::negation(formula.clone()), &stem, &cycle, &negation);
        }
    }
}

/// All words with a stem of at most two letters and a cycle of one or two, over two atoms.
fn all_small_words() -> Vec<(Vec<u64>, Vec<u64>)> {
    let mut words = Vec::new();
    let of_len = |n: u32| (0..4u64.pow(n)).map(move |code| (0..n).map(|i| code >> (2 * i) & 3).collect::<Vec<u64>>());
    for stem in (0..=2).flat_map(of_len) {
        words.extend((1..=2).flat_map(of_len).map(|cycle| (stem.clone(), cycle)));
    }
    words
}

#[test]
fn classic_formulas_are_right_on_all_small_words() {
    let texts = [
        "always (p implies eventually q)",
        "always eventually p and always eventually q",
        "eventually always p or always eventually q",
        "p until (q until p)",
        "(p until q) until p",
        "p release (q release p)",
        "not (p weakly_until q)",
        "always (p implies (not q weakly_until not p))",
        "next next p and always not (p and next p)",
        "always (p or next always q)",
        "eventually (p and next eventually (q and next eventually p))",
        "always eventually p implies always eventually q",
    ];
    for text in texts {
        let formula = read(text, &["p", "q"]).expect("reads");
        let automaton = translate(&formula).expect("small enough");
        all_small_words().iter().for_each(|(stem, cycle)| check(&formula, stem, cycle, &automaton));
    }
}

#[test]
fn automata_of_the_usual_formulas_are_small() {
    let sizes = |text: &str| {
        let automaton = translate(&read(text, &["p", "q", "r"]).expect("reads")).expect("small enough");
        (automaton.states.len(), automaton.n_edges(), automaton.n_marks)
    };
    // What negations of properties look like: one state for each thing to remember.
    assert_eq!(sizes("always not p"), (1, 1, 0));
    assert_eq!(sizes("eventually not p"), (2, 3, 1));
    assert_eq!(sizes("not always (p implies always p)"), (3, 5, 1));
    assert_eq!(sizes("not always (p implies eventually q)"), (2, 3, 1));
    // Conjunctions of recurrence cost marks, not states.
    assert_eq!(sizes("always eventually p and always eventually q and always eventually r").0, 1);
    assert_eq!(sizes("p and not p"), (1, 0, 0));
}

#[test]
fn what_is_too_large_is_refused() {
    let over = Formula::eventually(Formula::Atom(64));
    assert_eq!(translate(&over), Err(ltl::TooLarge::Atoms));
    // Eight independent orders of events: each may be begun or not.
    let event = |atom: u32| {
        Formula::eventually(Formula::and(
            Formula::Atom(atom),
            Formula::next(Formula::eventually(Formula::Atom(atom + 1))),
        ))
    };
    let many = (0..30).map(|i| event(2 * i)).reduce(Formula::and).expect("some");
    assert!(translate(&many).is_err());
}

#[test]
fn translation_is_deterministic() {
    let mut random = Random(5);
    for _ in 0..200 {
        let formula = random.formula(6, 3);
        assert_eq!(translate(&formula), translate(&formula));
    }
}
