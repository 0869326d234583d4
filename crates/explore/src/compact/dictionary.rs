//! Numbers for the values that some words of states have had, in the order in which they were met; and what a worker remembers of them.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use system::{Limit, hash};

/// Rows that a worker remembers of a dictionary. A power of two.
const NEAR: usize = 1 << 10;
/// Where there is no number.
const NONE: u32 = u32::MAX;

/// Numbers for values of so many words.
pub(crate) struct Dictionary {
    values: RwLock<Values>,
}

/// The values, and where they are.
pub(crate) struct Values {
    len: usize,
    words: Vec<u32>,
    /// Numbers by hash, at most two thirds of them used.
    slots: Vec<u32>,
}

impl Dictionary {
    pub(crate) fn new(len: usize) -> Self {
        Dictionary { values: RwLock::new(Values { len, words: Vec::new(), slots: vec![NONE; 4] }) }
    }

    /// The values, to read many.
    pub(crate) fn values(&self) -> RwLockReadGuard<'_, Values> {
        self.values.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a value, given now if it has none.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn number(&self, value: &[u32], hash: u64) -> Result<u32, Limit> {
        if let Ok(number) = self.values().find(value, hash) {
            return Ok(number);
        }
        self.values.write().unwrap_or_else(PoisonError::into_inner).add(value, hash)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let values = self.values();
        4 * (values.words.capacity() + values.slots.capacity()) as u64
    }
}

impl Values {
    /// The value with this number.
    pub(crate) fn value(&self, number: u32) -> &[u32] {
        &self.words[number as usize * self.len..][..self.len]
    }

    fn n_values(&self) -> usize {
        self.words.len() / self.len
    }

    /// The number of a value, or the slot for it.
    fn find(&self, value: &[u32], hash: u64) -> Result<u32, usize> {
        let mut slot = (hash >> 32) as usize % self.slots.len();
        loop {
            match self.slots[slot] {
                NONE => return Err(slot),
                number if self.value(number) == value => return Ok(number),
                _ => slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 },
            }
        }
    }

    fn add(&mut self, value: &[u32], hash: u64) -> Result<u32, Limit> {
        if 3 * (self.n_values() + 1) > 2 * self.slots.len() {
            self.grow()?;
        }
        let slot = match self.find(value, hash) {
            Ok(number) => return Ok(number),
            Err(slot) => slot,
        };
        let number = self.n_values();
        if number >= NONE as usize {
            return Err(Limit::Memory);
        }
        self.words.try_reserve(self.len).map_err(|_| Limit::Memory)?;
        self.words.extend_from_slice(value);
        self.slots[slot] = number as u32;
        Ok(number as u32)
    }

    fn grow(&mut self) -> Result<(), Limit> {
        let n_slots = self.slots.len() * 3 / 2;
        let mut slots = Vec::new();
        slots.try_reserve_exact(n_slots).map_err(|_| Limit::Memory)?;
        slots.resize(n_slots, NONE);
        self.slots = slots;
        for number in 0..self.n_values() as u32 {
            let value = self.value(number);
            if let Err(slot) = self.find(value, hash(value)) {
                self.slots[slot] = number;
            }
        }
        Ok(())
    }
}

/// What a worker remembers of a dictionary: a new row takes the place of an old one.
pub(crate) struct Near {
    words: Vec<u32>,
    numbers: Vec<u32>,
}

impl Near {
    pub(crate) fn new(len: usize) -> Self {
        Near { words: vec![0; NEAR * len], numbers: vec![NONE; NEAR] }
    }

    /// The number of a value.
    ///
    /// # Errors
    /// If there is no memory for it.
    #[inline]
    pub(crate) fn number(&mut self, value: &[u32], dictionary: &Dictionary) -> Result<u32, Limit> {
        const K: u64 = 0x9E37_79B9_7F4A_7C15;
        let sum = value.iter().fold(0u64, |sum, word| (sum ^ u64::from(*word)).wrapping_mul(K));
        let row = (sum >> 40) as usize % NEAR;
        let words = &mut self.words[row * value.len()..][..value.len()];
        // Word by word: there are few, and a call of a library takes longer.
        if words.iter().zip(value).all(|(own, other)| own == other) && self.numbers[row] != NONE {
            return Ok(self.numbers[row]);
        }
        let number = dictionary.number(value, hash(value))?;
        words.copy_from_slice(value);
        self.numbers[row] = number;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_one_number_each_in_the_order_in_which_they_are_met() {
        let dictionary = Dictionary::new(2);
        let value = |i: u32| [i.wrapping_mul(i), i / 3];
        let (mut one, mut two) = (Near::new(2), Near::new(2));
        for i in 0..5000 {
            assert_eq!(one.number(&value(i), &dictionary), Ok(i));
            assert_eq!(two.number(&value(i / 2), &dictionary), Ok(i / 2));
        }
        assert!((0..5000).all(|i| dictionary.values().value(i) == value(i)));
    }
}
