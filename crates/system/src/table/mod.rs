//! The one table of states: each is stored once, whole, with a byte beside it.
//!
//! `packing` puts the words of a state into few bytes; `rows` has the states, packed, in the order in which they were found; `slots` finds them. The search of states has a table for
//! each shard of its seen set; the search of runs has one, and a state's position is its number there.

mod packing;
mod rows;
mod slots;

use crate::{Budget, Limit, hash};
pub use packing::Packing;
use rows::Rows;
use slots::Slots;
use std::ops::Range;

/// So much is not taken before the budget is looked at.
const LARGE: u64 = 1 << 16;

/// States, each by its position. Positions grow in the order in which states are found; some are left out.
pub struct StateTable {
    rows: Rows,
    slots: Slots,
    state_len: usize,
    n_states: usize,
}

/// Where a state is, and whether it was not there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its position.
    pub position: usize,
    /// Whether it is new.
    pub is_new: bool,
}

impl StateTable {
    /// Positions that a table can have.
    pub const CAPACITY: usize = u32::MAX as usize - (1 << 20);

    /// An empty table for states of so many words.
    pub fn new(state_len: usize) -> Self {
        StateTable { rows: Rows::new(state_len), slots: Slots::new(), state_len, n_states: 0 }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.n_states
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.n_states == 0
    }

    /// The position that the next state gets, at least.
    pub fn end(&self) -> usize {
        self.rows.end()
    }

    /// Puts the words of the state at `position` into `state`.
    pub fn read(&self, position: usize, state: &mut [u32]) {
        self.rows.read(position, state);
    }

    /// The byte beside the state at `position`.
    pub fn mark(&self, position: usize) -> u8 {
        self.rows.mark(position)
    }

    /// The positions of all states in a range, in order.
    pub fn positions(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        self.rows.positions(range)
    }

    /// Bytes held, room to grow included.
    pub fn bytes(&self) -> u64 {
        self.rows.bytes() + self.slots.bytes()
    }

    /// How many bits each word of a state has at most, so far.
    pub fn widths(&self) -> Vec<u32> {
        self.rows.widths()
    }

    /// Where the state with this hash is, if it is there.
    pub fn find(&self, state: &[u32], hash: u64) -> Option<usize> {
        self.slots.part(hash).find(hash, |position| self.rows.is_at(position, state)).ok()
    }

    /// Reads what `insert` will read for these hashes, without waiting in between: the processor
    /// then waits for many places of memory at a time.
    pub fn touch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let buckets = hashes.clone().fold(0, |sum, hash| sum ^ self.slots.part(hash).touch(hash));
        let guesses = hashes.filter_map(|hash| self.slots.part(hash).guess(hash));
        let rows = guesses.fold(buckets, |sum, position| sum ^ self.rows.mark(position));
        std::hint::black_box(rows);
    }

    /// Adds a state, whose hash this is, with a byte, unless it is there. The limit that is hit if there is no room for it.
    pub fn insert(&mut self, state: &[u32], hash: u64, mark: u8, budget: Option<&Budget>) -> Result<Found, Limit> {
        let is_it = |rows: &Rows, position| rows.is_at(position, state);
        let mut place = match self.slots.part(hash).find(hash, |position| is_it(&self.rows, position)) {
            Ok(position) => return Ok(Found { position, is_new: false }),
            Err(place) => place,
        };
        if self.slots.part(hash).is_full() {
            self.grow(hash, budget)?;
            place = self.slots.part(hash).find(hash, |_| false).err().ok_or(Limit::Memory)?;
        }
        let position = self.rows.push(state, mark).ok_or(Limit::Memory)?;
        self.slots.part_mut(hash).put(place, hash, position);
        self.n_states += 1;
        if position >= Self::CAPACITY { Err(Limit::Memory) } else { Ok(Found { position, is_new: true }) }
    }

    /// Calls `piece` with the states from the position `from` on, as bytes that `read_rows` reads, some states at a time.
    pub fn write_rows<E>(&self, from: usize, piece: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.rows.write_pieces(from, piece)
    }

    /// Appends the states of a piece. None if it is none, not the next one, or there is no room.
    pub fn read_rows(&mut self, piece: &[u8], budget: Option<&Budget>) -> Option<()> {
        let mut state = vec![0; self.state_len];
        for position in self.rows.read_piece(piece, self.state_len)? {
            self.rows.read(position, &mut state);
            let hash = hash(&state);
            if self.slots.part(hash).is_full() {
                self.grow(hash, budget).ok()?;
            }
            let place = self.slots.part(hash).find(hash, |other| self.rows.is_at(other, &state)).err()?;
            self.slots.part_mut(hash).put(place, hash, position);
            self.n_states += 1;
        }
        Some(())
    }

    /// Makes the part of the table for states with this hash larger, unless a limit is hit, of memory or another.
    fn grow(&mut self, hash_of_state: u64, budget: Option<&Budget>) -> Result<(), Limit> {
        let part = self.slots.part_mut(hash_of_state);
        let bytes = part.larger_bytes();
        if bytes >= LARGE
            && let Some(limit) = budget.and_then(|budget| budget.look_for(bytes))
        {
            return Err(limit);
        }
        let (mut larger, positions) = part.larger().zip(part.positions()).ok_or(Limit::Memory)?;
        let mut state = vec![0; self.state_len];
        for position in positions.into_iter().map(|position| position as usize) {
            self.rows.read(position, &mut state);
            let hash = hash(&state);
            if let Err(place) = larger.find(hash, |_| false) {
                larger.put(place, hash, position);
            }
        }
        *part = larger;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// A table that does not grow names the limit that was hit, not memory.
    #[test]
    fn a_table_that_does_not_grow_names_the_limit() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let full = |budget: Budget| {
            let mut table = StateTable::new(1);
            (0..1 << 20).find_map(|i| table.insert(&[i], hash(&[i]), 0, Some(&budget)).err())
        };
        assert_eq!(full(Budget::new(Some(Duration::ZERO), None, &STOP)), Some(Limit::Time));
        assert_eq!(full(Budget::new(None, Some(1), &STOP)), Some(Limit::Memory));
        assert_eq!(full(Budget::default()), None);
    }

    #[test]
    fn a_table_is_written_in_pieces_and_read_again() {
        let (mut table, mut copy, mut saved) = (StateTable::new(2), StateTable::new(2), 0);
        for i in 0..9000u32 {
            let state = [i.wrapping_mul(i), i % 7];
            table.insert(&state, hash(&state), i as u8, None).expect("there is room");
            if i % 1700 == 3 || i == 8999 {
                let mut take = |piece: &[u8]| copy.read_rows(piece, None).ok_or(());
                table.write_rows(saved, &mut take).expect("every piece is the next one");
                saved = table.end();
            }
        }
        assert_eq!((copy.len(), copy.end()), (table.len(), table.end()));
        let (mut one, mut two) = ([0; 2], [0; 2]);
        for position in table.positions(0..table.end()) {
            table.read(position, &mut one);
            copy.read(position, &mut two);
            assert_eq!((one, table.mark(position)), (two, copy.mark(position)));
            assert_eq!(copy.find(&one, hash(&one)), Some(position));
        }
        let again = table.write_rows(0, |piece| copy.read_rows(piece, None).ok_or(()));
        assert_eq!(again, Err(()), "what is there is not read twice");
        assert_eq!(copy.read_rows(&[1, 2, 3], None), None);
    }

    #[test]
    fn every_state_is_there_once_with_its_byte() {
        let mut table = StateTable::new(2);
        let words = |i: u32| [i.wrapping_mul(i), i % 7];
        for round in 0..2 {
            for i in 0..5000u32 {
                let state = words(i);
                let found = table.insert(&state, hash(&state), i as u8, None).expect("there is room");
                assert_eq!(found.is_new, round == 0, "{i}");
                assert_eq!(
                    (table.find(&state, hash(&state)), table.mark(found.position)),
                    (Some(found.position), i as u8)
                );
            }
        }
        let mut state = [0; 2];
        let all = table.positions(0..table.end()).map(|position| {
            table.read(position, &mut state);
            state
        });
        assert!(all.eq((0..5000).map(words)) && table.len() == 5000);
    }
}
