//! The states of one level, in the order in which they were found.
//!
//! The order matters for speed: states found together are alike, and their successors lie close
//! together in the tables of the system.

/// States that one worker found on one level.
#[derive(Default)]
pub(crate) struct Segment {
    words: Vec<u32>,
    n_states: usize,
}

impl Segment {
    /// Adds a state.
    pub(crate) fn push(&mut self, state: &[u32]) {
        self.words.extend_from_slice(state);
        self.n_states += 1;
    }

    /// The states at `range`.
    pub(crate) fn states(&self, range: std::ops::Range<usize>, state_len: usize) -> impl Iterator<Item = &[u32]> {
        (range.start..range.end).map(move |i| &self.words[i * state_len..(i + 1) * state_len])
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.words.capacity() * 4) as u64
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
            let n = segment.n_states;
            (0..n).step_by(chunk).map(move |low| (i, low..n.min(low + chunk)))
        };
        let chunks = segments.iter().enumerate().flat_map(cut).collect();
        Level { segments, chunks }
    }
}
