//! States that follow one state and were not given in their groups, put into order.
//!
//! They are found group by group, and given in the order of threads, writes and choices. So what is stored does not depend on how they are grouped.

use crate::late::recent::Recent;
use system::{Successors, hash};

/// Where a state is in the order: the thread that writes first, then its write, then the choices of the others, the last one's first.
pub(crate) type Order = u128;

/// Bits of one choice.
const CHOICE_BITS: u32 = 16;
/// Bits of the choices of all others.
const CHOICES_BITS: u32 = 88;
/// Bits of the choices and of the write.
const WRITE_BITS: u32 = 120;

/// The order of a thread's write.
pub(crate) fn order_of_write(thread: usize, write: u32) -> Order {
    (thread as Order) << WRITE_BITS | Order::from(write) << CHOICES_BITS
}

/// The order of a choice of the other thread at `index`; what is beyond the bits there are counts for nothing.
pub(crate) fn order_of_choice(index: usize, choice: usize) -> Order {
    (choice as Order) << (index as u32 * CHOICE_BITS).min(CHOICES_BITS - CHOICE_BITS)
}

/// The states, and the room that they take.
#[derive(Default)]
pub(crate) struct Fresh {
    order: Vec<(Order, u32)>,
    hashes: Vec<u64>,
    words: Vec<u32>,
}

impl Fresh {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.order.clear();
        self.words.clear();
    }

    /// Adds a state.
    pub(crate) fn add(&mut self, order: Order, words: &[u32]) {
        self.order.push((order, self.order.len() as u32));
        self.words.extend_from_slice(words);
    }

    /// Gives the canonical form of each state that is not remembered.
    pub(crate) fn give(
        &mut self,
        state_len: usize,
        make_canonical: impl Fn(&mut [u32]),
        recent: &mut Recent,
        out: &mut Successors,
    ) {
        self.words.chunks_exact_mut(state_len).for_each(make_canonical);
        self.hashes.clear();
        self.hashes.extend(self.words.chunks_exact(state_len).map(hash));
        recent.touch(&self.hashes, state_len);
        self.order.sort_unstable();
        for (order, at) in &self.order {
            let at = *at as usize;
            let state = &self.words[at * state_len..][..state_len];
            if !recent.has(state, self.hashes[at]) {
                out.push(state, (order >> WRITE_BITS) as u8);
            }
        }
    }
}
