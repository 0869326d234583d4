//! Small systems whose states travel.

use std::sync::Mutex;
use system::{PropertyIndex, Reached, Successors, TransitionSystem, Travelling};

/// Counters that each go up to a limit. The last word is a number that this process has given to the sum: the order in which sums are met decides it.
pub(crate) struct Counters {
    pub(crate) n_counters: usize,
    pub(crate) most: u32,
    /// Whether the counters are interchangeable, and a state has them sorted.
    pub(crate) is_sorted: bool,
    /// A sum that must not be reached.
    pub(crate) forbidden: Option<u32>,
    /// Whether it is a property that there is a step.
    pub(crate) must_step: bool,
    pub(crate) sums: Mutex<Vec<u32>>,
}

impl Counters {
    pub(crate) fn new(n_counters: usize, most: u32) -> Self {
        let sums = Mutex::default();
        Counters { n_counters, most, is_sorted: false, forbidden: None, must_step: false, sums }
    }

    fn number(&self, sum: u32) -> u32 {
        let mut sums = self.sums.lock().expect("nobody panics");
        let known = sums.iter().position(|known| *known == sum);
        let number = known.unwrap_or_else(|| {
            sums.push(sum);
            sums.len() - 1
        });
        number as u32 | if sum % 5 == 4 { 1 << 31 } else { 0 }
    }

    fn sum(&self, number: u32) -> u32 {
        self.sums.lock().expect("nobody panics")[(number & !(1 << 31)) as usize]
    }

    fn settle(&self, state: &mut [u32]) {
        let (counters, number) = state.split_at_mut(self.n_counters);
        if self.is_sorted {
            counters.sort_unstable();
        }
        number[0] = self.number(counters.iter().sum());
    }
}

impl TransitionSystem for Counters {
    type Scratch = ();
    fn scratch(&self) {}

    fn state_len(&self) -> usize {
        self.n_counters + 1
    }

    fn initial(&self, out: &mut Successors) {
        for first in 0..2 {
            let state = out.push(&vec![0; self.n_counters + 1], 0);
            state[0] = first;
            self.settle(state);
        }
    }

    fn successors(&self, from: &[u32], (): &mut (), out: &mut Successors) {
        for at in 0..self.n_counters {
            if from[at] < self.most {
                let state = out.push(from, at as u8);
                state[at] += 1;
                self.settle(state);
            }
        }
    }

    fn inspect(&self, state: &[u32], (): &mut (), reached: &mut Reached) -> Option<PropertyIndex> {
        let sum = self.sum(state[self.n_counters]);
        reached.add_cover((sum % 100) as usize);
        (Some(sum) == self.forbidden).then_some(0)
    }

    fn stuck(&self, _: &[u32], (): &mut ()) -> Option<PropertyIndex> {
        self.must_step.then_some(1)
    }
}

impl Travelling for Counters {
    fn numbered(&self) -> Vec<Option<usize>> {
        (0..=self.n_counters).map(|word| (word == self.n_counters).then_some(0)).collect()
    }

    fn write_number(&self, _: usize, number: u32, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.sum(number).to_le_bytes());
    }

    fn read_number(&self, _: usize, bytes: &[u8]) -> Option<u32> {
        bytes.try_into().ok().map(u32::from_le_bytes).map(|sum| self.number(sum))
    }

    fn hash_of_number(&self, _: usize, number: u32) -> u64 {
        self.sum(number).into()
    }
}
