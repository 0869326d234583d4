//! What a program can do at all. What it cannot do needs no room in its states.

use crate::view::Shape;

/// What a program can do at all, and how long histories may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// What cells hold at the start.
    pub init: Vec<i32>,
    /// How many threads there are.
    pub n_threads: usize,
    /// Whether there are seq_cst fences.
    pub has_sc_fences: bool,
    /// Whether there are seq_cst accesses.
    pub has_sc_accesses: bool,
    /// Whether there are acquire fences (a seq_cst one is one).
    pub has_acquire_fences: bool,
    /// For each thread and cell, whether the thread may access the cell.
    pub accesses: Vec<Vec<bool>>,
    /// For each thread and cell, whether a relaxed write of the thread to the cell may continue a release sequence of its own.
    pub continues: Vec<Vec<bool>>,
    /// How many writes a history may have; at least 1.
    pub bound: usize,
    /// The accesses that others may race with.
    pub marks: Vec<Mark>,
}

/// A kind of access that a thread has to a cell, of which the last one is remembered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mark {
    /// Who.
    pub thread: usize,
    /// The cell.
    pub cell: usize,
    /// Whether it writes, be it that it reads too.
    pub writes: bool,
    /// Whether it is not atomic.
    pub is_plain: bool,
}

impl Mark {
    /// Whether the two race if nothing orders them.
    pub fn conflicts(self, other: Mark) -> bool {
        let (are_apart, is_shared) = (self.thread != other.thread, self.cell == other.cell);
        are_apart && is_shared && (self.writes || other.writes) && (self.is_plain || other.is_plain)
    }
}

impl Profile {
    /// A program of which nothing is known: it may do anything.
    pub fn any(init: Vec<i32>, n_threads: usize, bound: usize) -> Self {
        let all = vec![vec![true; init.len()]; n_threads];
        Profile {
            init,
            n_threads,
            has_sc_fences: true,
            has_sc_accesses: true,
            has_acquire_fences: true,
            accesses: all.clone(),
            continues: all,
            bound,
            marks: Vec::new(),
        }
    }

    /// The same program, which has accesses of these kinds. Those that race with none of the others are left out.
    pub fn with_accesses(self, mut kinds: Vec<Mark>) -> Self {
        kinds.sort_unstable();
        kinds.dedup();
        let may_race = |mark: &&Mark| kinds.iter().any(|other| mark.conflicts(*other));
        Profile { marks: kinds.iter().filter(may_race).copied().collect(), ..self }
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape {
            n_cells: self.init.len(),
            n_threads: self.n_threads,
            fences: self.has_sc_fences,
            accesses: self.has_sc_accesses,
            n_marks: self.marks.len(),
        }
    }

    /// Whether what `thread` has seen of `cell` still matters: it may access it, or order it by a seq_cst fence.
    pub(crate) fn is_concerned(&self, thread: usize, cell: usize) -> bool {
        self.accesses[thread][cell] || self.has_sc_fences
    }
}
