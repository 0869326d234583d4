//! Arithmetic on numbers: exact up to 128 bits. What a shift to the left by 64 or more gives, a shift by less than 0, or a
//! division by 0, is of no account: nothing uses it.

use crate::bits::{Bits, WIDTH};
use crate::graph::{Graph, Lit};

impl Graph {
    /// `a + b`
    pub fn add(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.sum(a, b, Lit::FALSE)
    }

    /// `a - b`
    pub fn subtract(&mut self, a: &Bits, b: &Bits) -> Bits {
        let complement = b.map(|lit| !*lit);
        self.sum(a, &complement, Lit::TRUE)
    }

    /// `-a`
    pub fn negate(&mut self, a: &Bits) -> Bits {
        self.subtract(&Bits::constant(0), a)
    }

    fn sum(&mut self, a: &Bits, b: &Bits, mut carry: Lit) -> Bits {
        let width = (a.width().max(b.width()) + 1).min(WIDTH);
        let mut sum = Vec::with_capacity(width);
        for i in 0..width {
            let (x, y) = (a.bit(i), b.bit(i));
            let differ = self.xor(x, y);
            sum.push(self.xor(differ, carry));
            carry = self.ite(differ, carry, x);
        }
        Bits::new(sum)
    }

    /// `a * b`
    pub fn multiply(&mut self, a: &Bits, b: &Bits) -> Bits {
        let width = (a.width() + b.width()).min(WIDTH);
        let mut product = Bits::constant(0);
        for i in 0..width {
            let mut shifted = vec![Lit::FALSE; i];
            shifted.extend((0..width - i).map(|j| self.and(a.bit(j), b.bit(i))));
            product = self.add(&product, &Bits::new(shifted));
            product = Bits::new((0..width).map(|j| product.bit(j)).collect());
        }
        product
    }

    /// `a << b`
    pub fn shift_left(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.shift(a, b, |a, n| {
            let mut bits = vec![Lit::FALSE; n];
            bits.extend((0..a.width()).map(|i| a.bit(i)));
            Bits::new(bits)
        })
    }

    /// `a >> b`, with the sign.
    pub fn shift_right(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.shift(a, b, |a, n| Bits::new((n..n + a.width()).map(|i| a.bit(i)).collect()))
    }

    fn shift(&mut self, a: &Bits, by: &Bits, shifted: impl Fn(&Bits, usize) -> Bits) -> Bits {
        let mut result = a.clone();
        for stage in 0..6.min(by.width()) {
            let moved = shifted(&result, 1 << stage);
            result = self.choose(by.bit(stage), &moved, &result);
        }
        let is_small = self.is_within(by, 0, 63);
        let sign = shifted(a, WIDTH);
        self.choose(is_small, &result, &sign)
    }

    /// `a / b`, towards 0.
    pub fn divide(&mut self, a: &Bits, b: &Bits) -> Bits {
        let (quotient, _) = self.divided(a, b);
        let opposite = self.xor(a.sign(), b.sign());
        let negated = self.negate(&quotient);
        self.choose(opposite, &negated, &quotient)
    }

    /// `a % b`, with the sign of `a`.
    pub fn remainder(&mut self, a: &Bits, b: &Bits) -> Bits {
        let (_, rest) = self.divided(a, b);
        let negated = self.negate(&rest);
        self.choose(a.sign(), &negated, &rest)
    }

    /// Quotient and rest of the absolute values, digit by digit.
    fn divided(&mut self, a: &Bits, b: &Bits) -> (Bits, Bits) {
        let (a, b) = (self.absolute(a), self.absolute(b));
        let width = a.len();
        let (mut quotient, mut rest) = (vec![Lit::FALSE; width], vec![Lit::FALSE; b.len() + 1]);
        for i in (0..width).rev() {
            rest.insert(0, a[i]);
            rest.pop();
            let (difference, fits) = self.minus(&rest, &b);
            quotient[i] = fits;
            rest = rest.iter().zip(difference).map(|(old, new)| self.ite(fits, new, *old)).collect();
        }
        quotient.push(Lit::FALSE);
        rest.push(Lit::FALSE);
        (Bits::new(quotient), Bits::new(rest))
    }

    /// The bits of the absolute value, without a sign.
    fn absolute(&mut self, a: &Bits) -> Vec<Lit> {
        let negated = self.negate(a);
        (0..a.width()).map(|i| self.ite(a.sign(), negated.bit(i), a.bit(i))).collect()
    }

    /// The difference of numbers without a sign, and whether it is not negative.
    fn minus(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let mut carry = Lit::TRUE;
        let mut difference = Vec::with_capacity(a.len());
        for (i, x) in a.iter().enumerate() {
            let y = !b.get(i).copied().unwrap_or(Lit::FALSE);
            let differ = self.xor(*x, y);
            difference.push(self.xor(differ, carry));
            carry = self.ite(differ, carry, *x);
        }
        (difference, carry)
    }
}
