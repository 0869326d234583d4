//! Which worker owns a state: decided by a hash that is the same in every process.
//!
//! Numbers of a process enter by a hash of what they stand for, which is worked out once for each, and in a sum, so that a state made canonical by
//! other numbers has the same hash.

use system::{Travelling, hash};

/// Hashes of states, for one worker.
pub(crate) struct Owners {
    numbered: Vec<Option<usize>>,
    /// For each word, the hashes of its numbers; 0 while not known.
    hashes: Vec<Vec<u64>>,
    plain: Vec<u32>,
    n_workers: u64,
}

impl Owners {
    pub(crate) fn new<S: Travelling + ?Sized>(system: &S, n_workers: usize) -> Self {
        let numbered = system.numbered();
        let hashes = vec![Vec::new(); numbered.len()];
        Owners { numbered, hashes, plain: Vec::new(), n_workers: n_workers as u64 }
    }

    /// A hash of a state that is the same in every process.
    pub(crate) fn hash<S: Travelling + ?Sized>(&mut self, system: &S, state: &[u32]) -> u64 {
        self.plain.clear();
        let mut sum = 0u64;
        for (at, word) in state.iter().enumerate() {
            match self.numbered[at] {
                None => self.plain.push(*word),
                Some(_) => sum = sum.wrapping_add(self.number(system, at, *word)),
            }
        }
        self.plain.extend([sum as u32, (sum >> 32) as u32]);
        hash(&self.plain)
    }

    /// The worker that owns a state with this hash.
    pub(crate) fn owner(&self, hash: u64) -> usize {
        ((u128::from(hash) * u128::from(self.n_workers)) >> 64) as usize
    }

    fn number<S: Travelling + ?Sized>(&mut self, system: &S, at: usize, number: u32) -> u64 {
        // The top bit, which may be a flag, becomes the lowest.
        let place = number.rotate_left(1) as usize;
        let hashes = &mut self.hashes[at];
        if hashes.len() <= place {
            hashes.resize((place + 1).next_power_of_two(), 0);
        }
        if hashes[place] == 0 {
            let content = system.hash_of_number(at, number);
            hashes[place] = hash(&[content as u32, (content >> 32) as u32]).max(1);
        }
        hashes[place]
    }
}

/// The eight bits of a state's hash that its children keep: enough to find it again on the level before.
pub(crate) fn mark(hash: u64) -> u8 {
    (hash >> 12) as u8
}
