//! The part of the seen set that one worker owns: its states in the order in which they were found, level by level.

use std::ops::Range;
use system::{Budget, Limit, StateTable, hash};

/// So many states are gathered before they are put into the table, at most.
const GATHERED: usize = 1 << 12;

/// The states of one worker.
pub(crate) struct Part {
    pub(crate) table: StateTable,
    /// For each level, where its states begin.
    pub(crate) levels: Vec<usize>,
    state_len: usize,
    gathered: Gathered,
}

/// States that wait to be looked up together: the processor then waits for many places of memory at a time.
#[derive(Default)]
struct Gathered {
    words: Vec<u32>,
    hashes: Vec<u64>,
    marks: Vec<u8>,
}

impl Part {
    pub(crate) fn new(state_len: usize) -> Self {
        Part { table: StateTable::new(state_len), levels: vec![0], state_len, gathered: Gathered::default() }
    }

    /// Gathers a state with its parent's mark; whether there are enough to be put.
    pub(crate) fn gather(&mut self, state: &[u32], mark: u8) -> bool {
        self.gathered.words.extend_from_slice(state);
        self.gathered.hashes.push(hash(state));
        self.gathered.marks.push(mark);
        self.gathered.hashes.len() >= GATHERED
    }

    /// Puts what is gathered into the table; calls `visit` with each state that is new.
    ///
    /// # Errors
    /// The limit that is hit if there is no room for all.
    pub(crate) fn put(&mut self, budget: Option<&Budget>, mut visit: impl FnMut(&[u32])) -> Result<(), Limit> {
        let Part { table, gathered: Gathered { words, hashes, marks }, state_len, .. } = self;
        table.touch(hashes.iter().copied());
        let mut limit = Ok(());
        for (n, (hash, mark)) in hashes.iter().zip(marks.iter()).enumerate() {
            let state = &words[n * *state_len..(n + 1) * *state_len];
            match table.insert(state, *hash, *mark, budget) {
                Ok(found) if found.is_new => visit(state),
                Ok(_) => {}
                Err(hit) => limit = limit.and(Err(hit)),
            }
        }
        words.clear();
        hashes.clear();
        marks.clear();
        limit
    }

    /// What is found from now on is one level further.
    pub(crate) fn begin_level(&mut self) {
        self.levels.push(self.table.end());
    }

    /// Where the states of a level are.
    pub(crate) fn level(&self, level: usize) -> Range<usize> {
        let end = self.levels.get(level + 1).copied().unwrap_or(self.table.end());
        self.levels.get(level).copied().unwrap_or(end)..end
    }

    /// Bytes held, room to grow included.
    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// The mark of the parent of a state, if the state is here.
    pub(crate) fn mark(&self, state: &[u32]) -> Option<u8> {
        Some(self.table.mark(self.table.find(state, hash(state))?))
    }
}
