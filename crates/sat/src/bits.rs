//! Numbers as vectors of literals.
//!
//! Two's complement, least bit first, the last bit being the sign: so a number has no width of its own, and is extended
//! by repeating its last literal. Every operation is exact up to 128 bits and wraps beyond.

use crate::graph::{Graph, Lit};

/// The width at which numbers wrap: the product of two numbers of 64 bits is exact.
pub(crate) const WIDTH: usize = 128;

/// A number, possibly unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bits(Vec<Lit>);

impl Bits {
    /// The number of these bits, without repetitions of the sign.
    pub fn new(mut bits: Vec<Lit>) -> Self {
        bits.truncate(WIDTH);
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        if bits.is_empty() { Bits(vec![Lit::FALSE]) } else { Bits(bits) }
    }

    /// The number `value`.
    pub fn constant(value: impl Into<i64>) -> Self {
        let value = value.into();
        Bits::new((0..64).map(|i| Lit::constant(value >> i & 1 == 1)).collect())
    }

    /// 1 if `lit`, else 0.
    pub fn of_bool(lit: Lit) -> Self {
        Bits::new(vec![lit, Lit::FALSE])
    }

    /// A number of free variables, wide enough for `low..=high`. Which of its values are allowed says [`Graph::is_within`].
    pub fn input(graph: &mut Graph, low: impl Into<i64>, high: impl Into<i64>) -> Self {
        let (low, high) = (low.into(), high.into());
        let bits_of = |value: i64| (u64::BITS - value.max(!value).leading_zeros()) as usize;
        let n = bits_of(low).max(bits_of(high));
        let mut bits: Vec<Lit> = (0..n).map(|_| graph.input()).collect();
        bits.push(match (low < 0, high >= 0) {
            (true, true) => graph.input(),
            (is_negative, _) => Lit::constant(is_negative),
        });
        Bits::new(bits)
    }

    /// The literals, least first.
    pub fn lits(&self) -> &[Lit] {
        &self.0
    }

    /// How many literals there are, the sign's included.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// The `i`-th literal.
    pub fn bit(&self, i: usize) -> Lit {
        self.0[i.min(self.0.len() - 1)]
    }

    /// The sign.
    pub fn sign(&self) -> Lit {
        self.0[self.0.len() - 1]
    }

    /// The number, if it is known; its lower 64 bits if it is larger.
    pub fn value(&self) -> Option<i64> {
        let mut value = 0;
        for i in 0..64 {
            value |= i64::from(self.bit(i).value()?) << i;
        }
        Some(value)
    }

    /// The number that has these values of its literals; its lower 64 bits if it is larger.
    pub fn read(&self, value: impl Fn(Lit) -> bool) -> i64 {
        (0..64).fold(0, |number, i| number | i64::from(value(self.bit(i))) << i)
    }

    /// The same bits, each replaced.
    pub fn map(&self, replace: impl FnMut(&Lit) -> Lit) -> Self {
        Bits::new(self.0.iter().map(replace).collect())
    }
}

impl Graph {
    /// `then` if `condition`, else `otherwise`.
    pub fn choose(&mut self, condition: Lit, then: &Bits, otherwise: &Bits) -> Bits {
        let width = then.width().max(otherwise.width());
        Bits::new((0..width).map(|i| self.ite(condition, then.bit(i), otherwise.bit(i))).collect())
    }

    /// Whether the number is not 0.
    pub fn is_true(&mut self, bits: &Bits) -> Lit {
        self.any(bits.lits().iter().copied())
    }

    /// Each bit combined with that of the other number.
    pub fn bitwise(&mut self, a: &Bits, b: &Bits, mut op: impl FnMut(&mut Graph, Lit, Lit) -> Lit) -> Bits {
        let width = a.width().max(b.width());
        Bits::new((0..width).map(|i| op(self, a.bit(i), b.bit(i))).collect())
    }
}
