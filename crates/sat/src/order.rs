//! Comparisons.

use crate::bits::Bits;
use crate::graph::{Graph, Lit};

impl Graph {
    /// Whether the numbers are equal.
    pub fn equal(&mut self, a: &Bits, b: &Bits) -> Lit {
        let width = a.width().max(b.width());
        let mut all = Lit::TRUE;
        for i in 0..width {
            let differ = self.xor(a.bit(i), b.bit(i));
            all = self.and(all, !differ);
        }
        all
    }

    /// Whether the number is `value`.
    pub fn is(&mut self, a: &Bits, value: impl Into<i64>) -> Lit {
        let value = value.into();
        self.equal(a, &Bits::constant(value))
    }

    /// Whether `a < b`.
    pub fn less(&mut self, a: &Bits, b: &Bits) -> Lit {
        let width = a.width().max(b.width());
        // With the signs exchanged, numbers are in the order of their bits.
        let mut less = Lit::FALSE;
        for i in 0..width {
            let (mut low, mut high) = (a.bit(i), b.bit(i));
            if i == width - 1 {
                (low, high) = (!low, !high);
            }
            let differ = self.xor(low, high);
            less = self.ite(differ, high, less);
        }
        less
    }

    /// Whether `low <= a <= high`.
    pub fn is_within(&mut self, a: &Bits, low: impl Into<i64>, high: impl Into<i64>) -> Lit {
        let (low, high) = (low.into(), high.into());
        let below = self.less(a, &Bits::constant(low));
        let above = self.less(&Bits::constant(high), a);
        self.and(!below, !above)
    }
}
