//! Random formulas and words, the same on every machine. Included by the tests that need them.

use base::random::splitmix64;
use ltl::Formula;

/// A source of numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        splitmix64(&mut self.0) % n
    }

    /// A formula over `atoms` atoms with about `size` operators.
    pub(crate) fn formula(&mut self, size: u64, atoms: u64) -> Formula {
        if size == 0 {
            return match self.below(12) {
                0 => Formula::True,
                1 => Formula::False,
                _ => Formula::Atom(self.below(atoms) as u32),
            };
        }
        let unary = [Formula::negation, Formula::next, Formula::eventually, Formula::always];
        let binary =
            [Formula::and, Formula::or, Formula::implies, Formula::until, Formula::release, Formula::weak_until];
        let choice = self.below(10) as usize;
        if choice < 4 {
            return unary[choice](self.formula(size - 1, atoms));
        }
        let left = self.below(size);
        let f = self.formula(left, atoms);
        binary[choice - 4](f, self.formula(size - 1 - left, atoms))
    }

    /// At least `least` and at most `most` letters over `atoms` atoms.
    pub(crate) fn letters(&mut self, least: u64, most: u64, atoms: u64) -> Vec<u64> {
        let n = least + self.below(most - least + 1);
        (0..n).map(|_| self.below(1 << atoms)).collect()
    }
}
