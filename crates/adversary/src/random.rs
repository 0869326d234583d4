//! A small generator of numbers (splitmix64), the same on every machine.

use base::random::splitmix64;

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of `seed`; near seeds give unlike numbers.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0x5EED_AD5E)
    }

    fn next(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// A number less than `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = (high - low).unsigned_abs() + 1;
        low + (self.next() % count) as i64
    }

    /// True in so many of 100 cases.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of `items`, which are not empty.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// A position, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (i, weight) in weights.iter().enumerate() {
            if left < *weight {
                return i;
            }
            left -= weight;
        }
        0
    }
}
