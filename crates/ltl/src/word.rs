//! What a formula means: its truth on a word that consists of a stem and a cycle repeated forever.
//!
//! This is the definition that automata and counterexamples are held against. It shares no code with either.

use crate::Formula;

/// Whether `formula` is true of the word `stem cycle cycle cycle ...`. Bit `i` of a letter says that atom `i` is true.
///
/// # Panics
/// If `cycle` is empty: that is no infinite word.
pub fn evaluate(formula: &Formula, stem: &[u64], cycle: &[u64]) -> bool {
    assert!(!cycle.is_empty(), "a word needs a cycle");
    let word = Word { letters: [stem, cycle].concat(), back_to: stem.len() };
    word.truth(formula)[0]
}

struct Word {
    letters: Vec<u64>,
    /// The position that follows the last one.
    back_to: usize,
}

impl Word {
    /// The truth of a formula at each position.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        let n = self.letters.len();
        let each = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
        match formula {
            Formula::True => vec![true; n],
            Formula::False => vec![false; n],
            Formula::Atom(atom) => each(&|i| *atom < 64 && self.letters[i] >> atom & 1 == 1),
            Formula::Not(f) => self.truth(f).into_iter().map(|value| !value).collect(),
            Formula::And(f, g) => self.both(f, g, |a, b| a && b),
            Formula::Or(f, g) => self.both(f, g, |a, b| a || b),
            Formula::Implies(f, g) => self.both(f, g, |a, b| !a || b),
            Formula::Next(f) => {
                let f = self.truth(f);
                each(&|i| f[self.after(i)])
            }
            Formula::Until(f, g) => self.fixpoint(false, f, g, |f, g, next| g || f && next),
            Formula::Release(f, g) => self.fixpoint(true, f, g, |f, g, next| g && (f || next)),
            Formula::WeakUntil(f, g) => self.fixpoint(true, f, g, |f, g, next| g || f && next),
            Formula::Eventually(f) => self.fixpoint(false, f, f, |f, _, next| f || next),
            Formula::Always(f) => self.fixpoint(true, f, f, |f, _, next| f && next),
        }
    }

    fn after(&self, i: usize) -> usize {
        if i + 1 < self.letters.len() { i + 1 } else { self.back_to }
    }

    fn both(&self, f: &Formula, g: &Formula, join: fn(bool, bool) -> bool) -> Vec<bool> {
        self.truth(f).into_iter().zip(self.truth(g)).map(|(a, b)| join(a, b)).collect()
    }

    /// The fixpoint of `unfold`, the greatest or the least one: that from which the iteration starts.
    fn fixpoint(&self, start: bool, f: &Formula, g: &Formula, unfold: fn(bool, bool, bool) -> bool) -> Vec<bool> {
        let (f, g) = (self.truth(f), self.truth(g));
        let mut values = vec![start; self.letters.len()];
        loop {
            let before = values.clone();
            for i in (0..values.len()).rev() {
                values[i] = unfold(f[i], g[i], values[self.after(i)]);
            }
            if values == before {
                return values;
            }
        }
    }
}
