//! States that travel between processes while they search: what their words mean elsewhere.
//!
//! Some words of a state are numbers that a process gives out during its search. Elsewhere such a number means nothing. So who sends a state sends,
//! once for each receiver, what a number stands for; who receives it puts its own number in its place.

use crate::TransitionSystem;

/// A system whose states can be searched by several processes together.
pub trait Travelling: TransitionSystem {
    /// For each word of a state, the table that has numbered it; none if the word means the same everywhere.
    fn numbered(&self) -> Vec<Option<usize>> {
        vec![None; self.state_len()]
    }

    /// Appends what a number of a table stands for.
    fn write_number(&self, table: usize, number: u32, out: &mut Vec<u8>) {
        let _ = table;
        out.extend_from_slice(&number.to_le_bytes());
    }

    /// The number, here, of what all of `bytes` stand for. None if that is nothing of this system.
    fn read_number(&self, table: usize, bytes: &[u8]) -> Option<u32> {
        let _ = table;
        bytes.try_into().ok().map(u32::from_le_bytes)
    }

    /// A hash of what the number at this word stands for. It is the same in every process, and the same for all words and numbers that may take each
    /// other's place when a state is made canonical.
    fn hash_of_number(&self, word: usize, number: u32) -> u64 {
        u64::from(number) ^ (word as u64) << 32
    }

    /// Puts the state that stands here for `state` in its place: which one that is may depend on numbers.
    fn make_canonical(&self, state: &mut [u32]) {
        let _ = state;
    }

    /// Appends what steps have shown besides states: bounds that were hit, locations and properties that were reached.
    fn write_shown(&self, out: &mut Vec<u8>) {
        let _ = out;
    }

    /// Adds what `write_shown` has written elsewhere. None if it is nothing of this system.
    fn read_shown(&self, bytes: &mut &[u8]) -> Option<()> {
        let _ = bytes;
        Some(())
    }
}
