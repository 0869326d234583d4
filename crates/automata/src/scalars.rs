//! What a symmetry may permute, and what it then does to values and cells.
//!
//! Only a proposal: whoever permutes verifies that nothing tells the permuted values apart.

use crate::automaton::RegId;
use crate::collection::{CellId, ThreadId};
use crate::expr::{Value, Wide};
use base::Table;
use base::table::Id;
use std::collections::BTreeMap;

base::id_type! {
    /// A sort.
    pub struct SortId("sort");
}

/// Values that a symmetry may permute: the objects of a type, the variants of an enum, the copies of a thread. They are
/// the numbers from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// The name of the type or thread.
    pub name: String,
    /// How many there are.
    pub size: u32,
    /// For copies of a thread, the first of them.
    pub threads: Option<ThreadId>,
}

/// What the numbers in a register or cell are made of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Numbers that no symmetry touches.
    #[default]
    Plain,
    /// An element of a sort; a number that is none, such as `null`, stays as it is.
    Element(SortId),
    /// A thread by its number among all; a number that is none stays as it is.
    Thread,
    /// A set: bit i stands for the value `low + i`.
    Set {
        /// What the lowest bit stands for.
        low: Value,
        /// What the values are.
        of: Box<Shape>,
    },
    /// Several numbers side by side; the rest of the bits is plain. If one is out of its range, nothing is touched.
    Word(Vec<Part>),
}

/// One number of a word: its distance from `low` stands in `bits` bits above `shift`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The lowest bit.
    pub shift: u32,
    /// How many bits.
    pub bits: u32,
    /// The least value.
    pub low: Value,
    /// The greatest value.
    pub high: Value,
    /// What it is.
    pub shape: Shape,
}

/// Where a cell stands among its like: those of one family differ in their indices only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellRole {
    /// The variable or field.
    pub family: u32,
    /// Which object, which element: the value and what it is.
    pub indices: Vec<(Shape, Value)>,
    /// What its values are.
    pub shape: Shape,
}

/// The sorts of a system, and what its cells and registers have to do with them. Empty: nothing is known, all is plain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scalars {
    /// The sorts.
    pub sorts: Table<SortId, Sort>,
    /// The cells.
    pub cells: Table<CellId, CellRole>,
    /// The registers of each thread.
    pub registers: Table<ThreadId, Table<RegId, Shape>>,
}

/// What a permutation does to elements and threads.
pub trait Permutes {
    /// The image of an element of a sort.
    fn element(&self, sort: SortId, value: Value) -> Value;
    /// The image of a thread's number.
    fn thread(&self, thread: Value) -> Value;
}

impl Shape {
    /// The image of a value.
    pub fn map(&self, value: Value, by: &impl Permutes) -> Value {
        match self {
            Shape::Plain => value,
            Shape::Element(sort) => by.element(*sort, value),
            Shape::Thread => by.thread(value),
            Shape::Set { low, of } => {
                let bit = |i: &Value| 1 << (of.map(low + i, by) - low);
                (0..31).filter(|i| value >> i & 1 == 1).fold(0, |set, i| set | bit(&i))
            }
            // What is no value of its part stays: so the parts of a word may be moved and mapped in any order.
            Shape::Word(parts) => {
                let fits = |part: &&Part| (part.low..=part.high).contains(&part.get(value));
                let mapped = |word, part: &Part| part.put(word, part.shape.map(part.get(value), by));
                parts.iter().filter(fits).fold(value, mapped)
            }
        }
    }

    /// The image of a computed value; what fits no cell or register stays.
    pub fn map_wide(&self, value: Wide, by: &impl Permutes) -> Wide {
        Value::try_from(value).map_or(value, |value| self.map(value, by).into())
    }

    /// The elements of sorts that a value is made of, each with its sort. What is no element, such as `null`, is among them too.
    pub fn elements(&self, value: Value) -> Vec<(SortId, Value)> {
        match self {
            Shape::Plain | Shape::Thread => Vec::new(),
            Shape::Element(sort) => vec![(*sort, value)],
            Shape::Set { low, of } => {
                (0..31).filter(|i| value >> i & 1 == 1).flat_map(|i| of.elements(low + i)).collect()
            }
            Shape::Word(parts) => parts.iter().flat_map(|part| part.shape.elements(part.get(value))).collect(),
        }
    }

    /// Calls `visit` with every sort in it; none for threads.
    pub fn sorts(&self, visit: &mut dyn FnMut(Option<SortId>)) {
        match self {
            Shape::Plain => {}
            Shape::Element(sort) => visit(Some(*sort)),
            Shape::Thread => visit(None),
            Shape::Set { of, .. } => of.sorts(visit),
            Shape::Word(parts) => parts.iter().for_each(|part| part.shape.sorts(visit)),
        }
    }
}

impl Part {
    fn mask(&self) -> Value {
        ((1i64 << self.bits.min(31)) - 1) as Value
    }

    fn get(&self, word: Value) -> Value {
        (word >> self.shift & self.mask()).wrapping_add(self.low)
    }

    fn put(&self, word: Value, value: Value) -> Value {
        word & !(self.mask() << self.shift) | (value - self.low) << self.shift
    }
}

impl Scalars {
    /// What the values of a cell are.
    pub fn cell(&self, cell: CellId) -> &Shape {
        self.cells.get(cell).map_or(&Shape::Plain, |role| &role.shape)
    }

    /// What the values of a register are.
    pub fn register(&self, thread: ThreadId, register: RegId) -> &Shape {
        self.registers.get(thread).and_then(|shapes| shapes.get(register)).unwrap_or(&Shape::Plain)
    }

    /// The image of every cell, `n_cells` in all; none if a cell would have to go where there is none.
    pub fn images(&self, n_cells: usize, by: &impl Permutes) -> Option<Table<CellId, CellId>> {
        if self.cells.is_empty() {
            return Some((0..n_cells).map(CellId::new).collect());
        }
        let key = |role: &CellRole, to: &dyn Fn(&Shape, Value) -> Value| {
            (role.family, role.indices.iter().map(|(shape, value)| to(shape, *value)).collect::<Vec<_>>())
        };
        let mut places = BTreeMap::new();
        for (cell, role) in self.cells.iter() {
            places.insert(key(role, &|_, value| value), cell);
        }
        let image = |role: &CellRole| places.get(&key(role, &|shape, value| shape.map(value, by))).copied();
        let images: Option<Table<CellId, CellId>> = self.cells.values().map(image).collect();
        images.filter(|images| images.len() == n_cells)
    }
}
