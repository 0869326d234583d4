//! What a search came by: cover properties, assertions, and what is judged at the end.

use crate::PropertyIndex;
use std::sync::RwLock;

/// The cover properties that were reached, and the properties that are judged at some place or moment only and were judged.
///
/// Allocates nothing for the first 64 of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    covers: Bits,
    judged: Bits,
}

impl Reached {
    /// Adds the cover property at this position.
    pub fn add_cover(&mut self, index: usize) {
        self.covers.add(index);
    }

    /// Adds an assertion (control came there, whatever its condition was) or a `forbid` (there was an end).
    pub fn add_judged(&mut self, property: PropertyIndex) {
        self.judged.add(property as usize);
    }

    /// Whether the cover property at this position is among them.
    pub fn has_cover(&self, index: usize) -> bool {
        self.covers.has(index)
    }

    /// Whether this assertion or `forbid` is among them.
    pub fn has_judged(&self, property: PropertyIndex) -> bool {
        self.judged.has(property as usize)
    }

    /// Adds all of `other`.
    pub fn add_all(&mut self, other: &Reached) {
        self.covers.add_all(&other.covers);
        self.judged.add_all(&other.judged);
    }

    /// Appends them to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        for bits in [&self.covers, &self.judged] {
            out.extend_from_slice(&(bits.rest.len() as u64).to_le_bytes());
            std::iter::once(&bits.first).chain(&bits.rest).for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        }
    }

    /// Those that `bytes` begin with; they are moved on past them.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut number = || bytes.split_off(..8)?.try_into().ok().map(u64::from_le_bytes);
        let mut bits = || {
            let n_rest = number()?;
            let first = number()?;
            let rest: Option<Vec<u64>> = (0..n_rest).map(|_| number()).collect();
            Some(Bits { first, rest: rest? })
        };
        Some(Reached { covers: bits()?, judged: bits()? })
    }

    /// Whether all of `other` are among them.
    pub fn has_all(&self, other: &Reached) -> bool {
        self.covers.has_all(&other.covers) && self.judged.has_all(&other.judged)
    }
}

/// What several workers reached together.
#[derive(Debug, Default)]
pub struct SharedReached(RwLock<Reached>);

impl SharedReached {
    /// Adds all of `reached`; takes the lock for writing only if something is new.
    pub fn add_all(&self, reached: &Reached) {
        if !self.has_all(reached) {
            self.0.write().unwrap_or_else(|e| e.into_inner()).add_all(reached);
        }
    }

    /// Whether all of `reached` was reached already.
    pub fn has_all(&self, reached: &Reached) -> bool {
        self.0.read().unwrap_or_else(|e| e.into_inner()).has_all(reached)
    }

    /// All that was reached so far.
    pub fn get(&self) -> Reached {
        self.0.read().unwrap_or_else(|e| e.into_inner()).clone()
    }
}

/// A set of numbers. The last word of `rest` is never 0, so equal sets are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bits {
    first: u64,
    rest: Vec<u64>,
}

impl Bits {
    fn add(&mut self, index: usize) {
        match (index / 64).checked_sub(1) {
            None => self.first |= 1 << index,
            Some(word) => {
                if self.rest.len() <= word {
                    self.rest.resize(word + 1, 0);
                }
                self.rest[word] |= 1 << (index % 64);
            }
        }
    }

    fn has(&self, index: usize) -> bool {
        let word = match (index / 64).checked_sub(1) {
            None => self.first,
            Some(word) => self.rest.get(word).copied().unwrap_or(0),
        };
        word >> (index % 64) & 1 == 1
    }

    fn add_all(&mut self, other: &Bits) {
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        self.rest.iter_mut().zip(&other.rest).for_each(|(own, others)| *own |= others);
    }

    fn has_all(&self, other: &Bits) -> bool {
        let rest = || other.rest.iter().enumerate().all(|(i, word)| word & !self.rest.get(i).unwrap_or(&0) == 0);
        other.first & !self.first == 0 && rest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cover_has_a_place_of_its_own() {
        for index in [0, 63, 64, 65, 127, 128, 1000] {
            let mut one = Reached::default();
            one.add_cover(index);
            assert!((0..1100).all(|other| one.has_cover(other) == (other == index)), "{index}");
            assert!(!one.has_judged(index as u32));
            let shared = SharedReached::default();
            shared.add_all(&Reached::default());
            assert_eq!(shared.get(), Reached::default());
            shared.add_all(&one);
            shared.add_all(&one);
            assert_eq!(shared.get(), one);
            let mut bytes = Vec::new();
            one.write(&mut bytes);
            assert_eq!(Reached::read(&mut &bytes[..]), Some(one));
            assert_eq!(Reached::read(&mut &bytes[..bytes.len() - 1]), None);
        }
    }
}
