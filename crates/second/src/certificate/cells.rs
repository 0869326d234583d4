//! Shared memory: a value for each cell; it can note what is looked at, so that who looked may do so again only where that has changed.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut, Range};
use std::rc::Rc;

/// Something that a step or a property looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    Cell(usize),
    Thread(usize),
    /// What an expression of a property says of a thread.
    Said(usize),
    Bus,
}

/// What was looked at, in order, by a state and all that were made of it.
pub(crate) type Looks = Rc<RefCell<Vec<Look>>>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    values: Vec<i64>,
    looks: Option<Looks>,
}

impl Cells {
    pub(crate) fn new(values: Vec<i64>) -> Self {
        Cells { values, looks: None }
    }

    /// The same values; what is looked at is noted.
    pub(crate) fn noting(values: Vec<i64>) -> (Self, Looks) {
        let looks = Looks::default();
        (Cells { values, looks: Some(looks.clone()) }, looks)
    }

    pub(crate) fn note(&self, look: Look) {
        if let Some(looks) = &self.looks
            && !looks.borrow().contains(&look)
        {
            looks.borrow_mut().push(look);
        }
    }

    pub(crate) fn values(&self) -> &[i64] {
        &self.values
    }
}

impl Index<usize> for Cells {
    type Output = i64;

    fn index(&self, cell: usize) -> &i64 {
        self.note(Look::Cell(cell));
        &self.values[cell]
    }
}

/// Who writes a cell has looked at it: whether two ways are the same may depend on what it was.
impl IndexMut<usize> for Cells {
    fn index_mut(&mut self, cell: usize) -> &mut i64 {
        self.note(Look::Cell(cell));
        &mut self.values[cell]
    }
}

impl Index<Range<usize>> for Cells {
    type Output = [i64];

    fn index(&self, cells: Range<usize>) -> &[i64] {
        cells.clone().for_each(|cell| self.note(Look::Cell(cell)));
        &self.values[cells]
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        self.values == other.values
    }
}

impl Eq for Cells {}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.values.hash(hasher);
    }
}
