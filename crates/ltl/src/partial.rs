//! Words of which some letters leave atoms undecided, and when a formula is false of such a word.
//!
//! An undecided atom has the value that it had last; before it had any, the value that it has first. One that never has a
//! value is neither true nor false: the formula is violated only if it is false whatever such atoms are.

use crate::{Formula, evaluate};

/// A letter: which atoms are true, and which have no value yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Letter {
    /// Atoms that are true, a bit each.
    pub truth: u64,
    /// Atoms whose value is to come, a bit each; none of them is true.
    pub undecided: u64,
}

/// If more atoms never have a value, they are not tried one by one.
const MOST_TRIED: u32 = 12;

/// Whether `formula` is false of the word `stem cycle cycle cycle ...`.
///
/// # Panics
/// If `cycle` is empty: that is no infinite word.
pub fn is_violated(formula: &Formula, stem: &[Letter], cycle: &[Letter]) -> bool {
    // The second time round, every atom remembers the same at the beginning of the cycle as ever after.
    let word = [stem, cycle, cycle].concat();
    let (letters, void) = decided(&word);
    let void = void & formula.atoms().unwrap_or(u64::MAX);
    let start = stem.len() + cycle.len();
    if void.count_ones() > MOST_TRIED {
        return is_false_without(formula, &letters, start, void);
    }
    subsets(void).all(|values| {
        let letters: Vec<u64> = letters.iter().map(|letter| letter | values).collect();
        let (stem, cycle) = letters.split_at(start);
        !evaluate(formula, stem, cycle)
    })
}

/// The atoms that are true at each position, and those that never have a value.
fn decided(word: &[Letter]) -> (Vec<u64>, u64) {
    let (mut known, mut values) = (0, 0);
    for letter in word {
        let first = !letter.undecided & !known;
        (known, values) = (known | first, values | letter.truth & first);
    }
    let void = !known;
    let now = |letter: &Letter| {
        values = values & letter.undecided | letter.truth & !letter.undecided;
        values
    };
    (word.iter().map(now).collect(), void)
}

/// All subsets of a set of bits.
fn subsets(of: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0u64), move |set| (*set != of).then(|| (set | !of).wrapping_add(1) & of))
}

/// Whether the formula is false though nothing is known of the atoms `void`.
fn is_false_without(formula: &Formula, letters: &[u64], start: usize, void: u64) -> bool {
    let weakest = assume(formula, void, true);
    let (stem, cycle) = letters.split_at(start);
    !evaluate(&weakest, stem, cycle)
}

/// The formula with each of these atoms replaced by what makes the whole true, where it stands: a formula that is true
/// if this one is for some values of the atoms.
fn assume(formula: &Formula, atoms: u64, is_positive: bool) -> Formula {
    let same = |f: &Formula| Box::new(assume(f, atoms, is_positive));
    match formula {
        Formula::Atom(atom) if *atom < 64 && atoms >> atom & 1 == 1 => match is_positive {
            true => Formula::True,
            false => Formula::False,
        },
        Formula::True | Formula::False | Formula::Atom(_) => formula.clone(),
        Formula::Not(f) => Formula::Not(Box::new(assume(f, atoms, !is_positive))),
        Formula::Implies(f, g) => Formula::Implies(Box::new(assume(f, atoms, !is_positive)), same(g)),
        Formula::And(f, g) => Formula::And(same(f), same(g)),
        Formula::Or(f, g) => Formula::Or(same(f), same(g)),
        Formula::Next(f) => Formula::Next(same(f)),
        Formula::Until(f, g) => Formula::Until(same(f), same(g)),
        Formula::Release(f, g) => Formula::Release(same(f), same(g)),
        Formula::WeakUntil(f, g) => Formula::WeakUntil(same(f), same(g)),
        Formula::Eventually(f) => Formula::Eventually(same(f)),
        Formula::Always(f) => Formula::Always(same(f)),
    }
}
