//! A view: what happens before a point of a thread, as far as later events can tell.
//!
//! All parts are numbers of which the greater knows more, so two views are joined by taking the greater of each. They stand in one row:
//!
//! | part | for each | meaning |
//! |---|---|---|
//! | seen | cell | the newest write that happens before, or that something which happens before has read |
//! | written | cell | the newest write that happens before; 0 if it is in `overtaken` |
//! | fences | thread | seq_cst fences that happen before |
//! | accesses | cell, thread | seq_cst accesses to the cell that happen before |
//! | passed | thread | seq_cst accesses `a` with `a sb≠loc x hb? here` for some `x`, as in `scb` |
//! | overtaken | thread | seq_cst accesses that come before a write that happens before |
//! | marks | kind of access that others may race with | 1 if the last of that kind happens before, or there was none |
//!
//! The four before the last are sets of seq_cst events (`clock`). Only what can matter is there: see `Shape`.

use crate::clock::Sources;
use std::ops::Range;

/// A view.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View(pub(crate) Vec<u16>);

/// Where the parts of a view are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) n_cells: usize,
    pub(crate) n_threads: usize,
    /// Whether there are seq_cst fences.
    pub(crate) fences: bool,
    /// Whether there are seq_cst accesses.
    pub(crate) accesses: bool,
    /// How many kinds of accesses others may race with.
    pub(crate) n_marks: usize,
}

impl Shape {
    /// How many numbers a set of seq_cst events has if `is_there`.
    pub(crate) fn clock(self, is_there: bool) -> usize {
        if is_there { self.n_threads } else { 0 }
    }

    pub(crate) fn both(self) -> bool {
        self.fences && self.accesses
    }

    /// How many numbers say positions in histories.
    pub(crate) fn n_positions(self) -> usize {
        if self.both() { 2 * self.n_cells } else { self.n_cells }
    }

    pub(crate) fn fences(self) -> Range<usize> {
        let start = self.n_positions();
        start..start + self.clock(self.fences)
    }

    pub(crate) fn accesses(self, cell: usize) -> Range<usize> {
        let n = self.clock(self.accesses);
        let start = self.fences().end + cell * n;
        start..start + n
    }

    pub(crate) fn all_accesses(self) -> Range<usize> {
        let start = self.fences().end;
        start..start + self.n_cells * self.clock(self.accesses)
    }

    pub(crate) fn passed(self) -> Range<usize> {
        let start = self.all_accesses().end;
        start..start + self.clock(self.accesses)
    }

    pub(crate) fn overtaken(self) -> Range<usize> {
        let start = self.passed().end;
        start..start + self.clock(self.both())
    }

    pub(crate) fn marks(self) -> Range<usize> {
        let start = self.overtaken().end;
        start..start + self.n_marks
    }

    /// The view that knows nothing.
    pub(crate) fn nothing(self) -> View {
        View(vec![0; self.marks().end])
    }
}

impl View {
    /// The newest write to `cell` that it knows of, by its position.
    pub fn seen(&self, cell: usize) -> usize {
        usize::from(self.0[cell])
    }

    /// The newest write to `cell` that happens before; 0 if that is not known.
    pub(crate) fn written(&self, shape: Shape, cell: usize) -> usize {
        if shape.both() { usize::from(self.0[shape.n_cells + cell]) } else { 0 }
    }

    pub(crate) fn part(&self, part: Range<usize>) -> &Sources {
        &self.0[part]
    }

    pub(crate) fn part_mut(&mut self, part: Range<usize>) -> &mut Sources {
        &mut self.0[part]
    }

    /// It has read the write at `position`.
    pub(crate) fn see(&mut self, cell: usize, position: usize) {
        self.0[cell] = self.0[cell].max(position as u16);
    }

    /// The write at `position` is the thread's own.
    pub(crate) fn write(&mut self, shape: Shape, cell: usize, position: usize) {
        // A view that is ahead of the thread may know newer writes.
        self.see(cell, position);
        if shape.both() {
            self.see(shape.n_cells + cell, position);
        }
    }

    /// Adds what `other` knows.
    pub(crate) fn join(&mut self, other: &View) {
        crate::clock::join(&mut self.0, &other.0);
    }

    /// A write is put in at `position`.
    pub(crate) fn shift(&mut self, shape: Shape, cell: usize, position: usize) {
        for index in (cell..shape.n_positions()).step_by(shape.n_cells) {
            self.0[index] += u16::from(usize::from(self.0[index]) >= position);
        }
    }

    /// All sets of seq_cst events.
    pub(crate) fn clocks_mut(&mut self, shape: Shape) -> impl Iterator<Item = &mut Sources> {
        self.0[shape.n_positions()..shape.overtaken().end].chunks_exact_mut(shape.n_threads.max(1))
    }
}
