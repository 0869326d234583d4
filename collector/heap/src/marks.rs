//! Mark bits: one per word, set where a live object begins.

use crate::object::Ref;
use std::sync::atomic::{AtomicU64, Ordering};

/// The set of objects that marking has reached. One thread sets; any may ask.
pub struct Marks {
    bits: Box<[AtomicU64]>,
}

impl Marks {
    /// No mark, for a memory of this many words.
    pub fn new(n_words: u64) -> Marks {
        Marks { bits: (0..n_words.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether the object is marked.
    #[inline]
    pub fn contains(&self, object: Ref) -> bool {
        self.bits[(object.0 / 64) as usize].load(Ordering::Relaxed) >> (object.0 % 64) & 1 == 1
    }

    /// Marks an object; whether it was not marked before.
    pub fn insert(&self, object: Ref) -> bool {
        let bit = 1 << (object.0 % 64);
        let word = &self.bits[(object.0 / 64) as usize];
        let before = word.load(Ordering::Relaxed);
        word.store(before | bit, Ordering::Relaxed);
        before & bit == 0
    }

    /// Takes all marks away.
    pub fn clear(&self) {
        self.bits.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// The marked objects that begin in `[from, to)`, in the order of their addresses. Both are multiples of 64.
    pub fn between(&self, from: u64, to: u64) -> Vec<Ref> {
        let mut found = Vec::new();
        for idx in from / 64..to / 64 {
            let mut word = self.bits[idx as usize].load(Ordering::Relaxed);
            while word != 0 {
                found.push(Ref(idx * 64 + u64::from(word.trailing_zeros())));
                word &= word - 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_marked_is_found_in_order() {
        let marks = Marks::new(1024);
        for at in [700, 64, 127, 63, 128] {
            assert!(marks.insert(Ref(at)));
        }
        assert!(!marks.insert(Ref(64)));
        assert_eq!(marks.between(64, 128), [Ref(64), Ref(127)]);
        assert!(marks.contains(Ref(700)) && !marks.contains(Ref(701)));
        marks.clear();
        assert!(marks.between(0, 1024).is_empty());
    }
}
