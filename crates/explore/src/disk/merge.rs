//! Several runs as one: their states in order, each as often as it is there.

use super::run::{Run, RunReader};
use std::cmp::Ordering;
use std::io;

/// Runs that are read together. A heap of readers: none has a lesser state than the one above it.
pub(crate) struct Merge {
    readers: Vec<RunReader>,
}

impl Merge {
    pub(crate) fn new<'r>(runs: impl Iterator<Item = &'r Run>) -> io::Result<Self> {
        let mut merge = Merge { readers: Vec::new() };
        for run in runs {
            let mut reader = run.reader()?;
            if reader.advance()? {
                merge.readers.push(reader);
            }
        }
        for at in (0..merge.readers.len() / 2).rev() {
            merge.sink(at);
        }
        Ok(merge)
    }

    /// The reader with the least state; none after the last.
    pub(crate) fn least(&self) -> Option<&RunReader> {
        self.readers.first()
    }

    /// Goes on past the least state.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        if let Some(first) = self.readers.first_mut()
            && !first.advance()?
        {
            self.readers.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    fn sink(&mut self, mut at: usize) {
        let is_less = |readers: &[RunReader], a: usize, b: usize| readers[a].order(&readers[b]) == Ordering::Less;
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.readers.len() && is_less(&self.readers, child, least) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.readers.swap(at, least);
            at = least;
        }
    }
}
