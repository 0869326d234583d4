//! A permutation of elements, threads and cells.

use automata::scalars::{Permutes, Shape, SortId};
use automata::{Automata, CellId, PointId, RegId, Value};
use base::Table;
use base::table::Id;

/// A permutation; `isomorphism` verifies that it carries steps to steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Permutation {
    /// The image of each element of each sort.
    pub(crate) elements: Table<SortId, Vec<Value>>,
    /// The image of each thread.
    pub(crate) threads: Vec<usize>,
    /// The image of each cell.
    pub(crate) cells: Table<CellId, CellId>,
    /// For each thread, which point of its image each of its points is, and which register each register.
    pub(crate) points: Vec<Table<PointId, PointId>>,
    pub(crate) registers: Vec<Table<RegId, RegId>>,
}

impl Permutes for Permutation {
    fn element(&self, sort: SortId, value: Value) -> Value {
        let image = usize::try_from(value).ok().and_then(|v| self.elements[sort].get(v));
        image.copied().unwrap_or(value)
    }

    fn thread(&self, thread: Value) -> Value {
        let image = usize::try_from(thread).ok().and_then(|t| self.threads.get(t));
        image.map_or(thread, |t| *t as Value)
    }
}

impl Permutation {
    /// The one that changes nothing.
    pub(crate) fn identity(automata: &Automata) -> Self {
        let threads = automata.threads.values();
        Permutation {
            elements: automata.scalars.sorts.values().map(|sort| (0..sort.size as Value).collect()).collect(),
            threads: (0..automata.threads.len()).collect(),
            cells: automata.cells.ids().collect(),
            points: threads.clone().map(|t| t.automaton.points.ids().collect()).collect(),
            registers: threads.map(|t| t.automaton.registers.ids().collect()).collect(),
        }
    }

    /// First `self`, then `other`.
    pub(crate) fn then(&self, other: &Permutation) -> Self {
        let threads = self.threads.iter();
        let element = |(sort, images): (SortId, &Vec<Value>)| images.iter().map(|v| other.element(sort, *v)).collect();
        Permutation {
            elements: self.elements.iter().map(element).collect(),
            threads: threads.clone().map(|t| other.threads[*t]).collect(),
            cells: self.cells.values().map(|cell| other.cells[*cell]).collect(),
            points: threads.clone().zip(&self.points).map(|(t, points)| compose(points, &other.points[*t])).collect(),
            registers: threads.zip(&self.registers).map(|(t, own)| compose(own, &other.registers[*t])).collect(),
        }
    }

    /// Whether it leaves every value of this shape as it is.
    pub(crate) fn fixes(&self, shape: &Shape) -> bool {
        let mut is_fixed = true;
        shape.sorts(&mut |sort| {
            is_fixed &= match sort {
                Some(sort) => is_identity(self.elements[sort].iter().map(|v| *v as usize)),
                None => is_identity(self.threads.iter().copied()),
            };
        });
        is_fixed
    }
}

fn compose<I: Id>(first: &Table<I, I>, second: &Table<I, I>) -> Table<I, I> {
    first.values().map(|id| second[*id]).collect()
}

fn is_identity(images: impl Iterator<Item = usize>) -> bool {
    images.enumerate().all(|(i, image)| i == image)
}
