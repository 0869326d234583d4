//! The states of the system, each stored once, whole; a state's number is its position.

use system::hash;

/// A state of the system.
pub(crate) type StateNumber = u32;

pub(crate) struct States {
    /// Open addressing: the hash's upper half above, the number plus one below; 0 is free.
    slots: Vec<u64>,
    words: Vec<u32>,
    state_len: usize,
    n: u32,
}

impl States {
    pub(crate) fn new(state_len: usize) -> Self {
        States { slots: vec![0; 64], words: Vec::new(), state_len, n: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.n as usize
    }

    pub(crate) fn words(&self, number: StateNumber) -> &[u32] {
        let start = number as usize * self.state_len;
        &self.words[start..start + self.state_len]
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.slots.capacity() * 8 + self.words.capacity() * 4) as u64
    }

    /// The number of `state`, and whether it is new.
    pub(crate) fn number(&mut self, state: &[u32]) -> (StateNumber, bool) {
        if self.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(state);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            if slot >> 32 == hash >> 32 && self.words(slot as u32 - 1) == state {
                return (slot as u32 - 1, false);
            }
            at = (at + 1) & mask;
        }
        let number = self.n;
        self.n += 1;
        self.slots[at] = hash >> 32 << 32 | (u64::from(number) + 1);
        if self.words.len() + self.state_len > self.words.capacity() {
            // By a quarter, not by doubling: memory is what large searches run out of.
            self.words.reserve_exact((self.words.len() / 4).max(64 * self.state_len));
        }
        self.words.extend_from_slice(state);
        (number, true)
    }

    fn grow(&mut self) {
        let mut slots = vec![0u64; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for number in 0..self.n {
            let hash = hash(self.words(number));
            let mut at = hash as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = hash >> 32 << 32 | (u64::from(number) + 1);
        }
        self.slots = slots;
    }
}
