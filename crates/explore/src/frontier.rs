//! The states of one level, in the order in which they were found.
//!
//! The order matters for speed: states found together are alike, and their successors lie close
//! together in the tables of the system.

use crate::seen::StateNumber;

/// States that one worker found on one level, with their numbers in the seen set.
#[derive(Default)]
pub(crate) struct Segment {
    pub(crate) words: Vec<u32>,
    pub(crate) numbers: Vec<StateNumber>,
}

impl Segment {
    /// Adds a state.
    pub(crate) fn push(&mut self, state: &[u32], number: StateNumber) {
        self.words.extend_from_slice(state);
        self.numbers.push(number);
    }

    /// The states at `range`, each with its number.
    pub(crate) fn states(
        &self,
        range: std::ops::Range<usize>,
        state_len: usize,
    ) -> impl Iterator<Item = (&[u32], StateNumber)> {
        let words = &self.words[range.start * state_len..range.end * state_len];
        words.chunks_exact(state_len.max(1)).zip(self.numbers[range].iter().copied())
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        ((self.words.capacity() + self.numbers.capacity()) * 4) as u64
    }
}

/// One level: what all workers found, cut into chunks.
#[derive(Default)]
pub(crate) struct Level {
    pub(crate) segments: Vec<Segment>,
    /// A segment and a range of its states.
    pub(crate) chunks: Vec<(usize, std::ops::Range<usize>)>,
}

impl Level {
    /// Cuts segments into chunks of at most `chunk` states.
    pub(crate) fn new(segments: Vec<Segment>, chunk: usize) -> Self {
        let cut = |(i, segment): (usize, &Segment)| {
            let n = segment.numbers.len();
            (0..n).step_by(chunk).map(move |low| (i, low..n.min(low + chunk)))
        };
        let chunks = segments.iter().enumerate().flat_map(cut).collect();
        Level { segments, chunks }
    }
}
