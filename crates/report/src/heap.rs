//! The heap of one state as a graph: objects with their fields, what points where, roots, forwarding pointers, colours.
//!
//! `Objects` knows which cells are fields of which objects, and which values refer to them; the page draws its heap with it too.
//! A field whose name begins with `forward` is a forwarding pointer; one called `mark`, `marked`, `colour` or `color`, or an element
//! `mark[from]` of an array, gives the object's colour.

use crate::words::value_name;
use automata::scalars::{Shape, SortId};
use automata::{Automata, CellId, RegId, ThreadId, Value};
use base::Table;
use base::table::Id;
use machine::PlainState;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A heap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heap {
    /// The objects, in the order of the program.
    pub objects: Vec<Object>,
    /// Cells outside objects, in the order of the program.
    pub cells: Vec<Field>,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its colour or mark, if it has one.
    pub colour: Option<String>,
    /// Whether a root, or a chain of fields from one, leads to it.
    pub reachable: bool,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// A field of an object, or a cell outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: String,
    /// The object it points to.
    pub points_to: Option<String>,
    /// Whether it is a forwarding pointer.
    pub forwards: bool,
}

/// The objects of a system, numbered in the order of the program.
pub struct Objects<'a> {
    automata: &'a Automata,
    objects: Vec<Known<'a>>,
    /// The object that each cell is a field of.
    owners: Table<CellId, Option<usize>>,
    /// What cells may refer to.
    sorts: BTreeSet<SortId>,
}

struct Known<'a> {
    name: &'a str,
    /// What a reference to it holds.
    reference: (SortId, Value),
    cells: Vec<CellId>,
}

impl<'a> Objects<'a> {
    /// The objects that have fields.
    pub fn new(automata: &'a Automata) -> Self {
        let mut objects: Vec<Known<'a>> = Vec::new();
        let mut owners = Table::new();
        for (id, cell) in automata.cells.iter() {
            let indices = automata.scalars.cells.get(id).map_or(&[][..], |role| &role.indices);
            let (Some(name), Some((Shape::Element(sort), value))) = (&cell.place.object, indices.first()) else {
                owners.push(None);
                continue;
            };
            let reference = (*sort, *value);
            if objects.last().is_none_or(|last| last.reference != reference) {
                objects.push(Known { name, reference, cells: Vec::new() });
            }
            objects.last_mut().into_iter().for_each(|last| last.cells.push(id));
            owners.push(Some(objects.len() - 1));
        }
        let mut sorts = BTreeSet::new();
        automata.cells.ids().for_each(|cell| automata.scalars.cell(cell).sorts(&mut |sort| sorts.extend(sort)));
        Objects { automata, objects, owners, sorts }
    }

    /// All their numbers.
    pub fn all(&self) -> std::ops::Range<usize> {
        0..self.objects.len()
    }

    /// An object's name.
    pub fn name(&self, object: usize) -> &'a str {
        self.objects[object].name
    }

    /// The name of an object's type.
    pub fn kind(&self, object: usize) -> &'a str {
        &self.automata.scalars.sorts[self.objects[object].reference.0].name
    }

    /// The cells of an object, its fields in order.
    pub fn cells(&self, object: usize) -> &[CellId] {
        &self.objects[object].cells
    }

    /// The object that a cell is a field of.
    pub fn owner(&self, cell: CellId) -> Option<usize> {
        self.owners[cell]
    }

    /// The objects that a value refers to.
    pub fn referred(&self, shape: &Shape, value: Value) -> Vec<usize> {
        let find = |reference| self.objects.iter().position(|object| object.reference == reference);
        shape.elements(value).into_iter().filter_map(find).collect()
    }

    /// The objects that a cell refers to if it holds a value.
    pub fn referred_by(&self, cell: CellId, value: Value) -> Vec<usize> {
        self.referred(self.automata.scalars.cell(cell), value)
    }

    /// The object that a cell is a field of, if some cell may refer to it.
    pub fn owner_in_heap(&self, cell: CellId) -> Option<usize> {
        self.owner(cell).filter(|object| self.sorts.contains(&self.objects[*object].reference.0))
    }

    /// The heap of `state`: the objects that some cell may refer to, and the cells outside.
    pub fn heap(&self, state: &PlainState) -> Heap {
        let mut heap = Heap::default();
        let mut shown: Vec<usize> = Vec::new();
        for (id, cell) in self.automata.cells.iter() {
            let Some(owner) = self.owner_in_heap(id) else {
                heap.cells.push(self.field(state, id, &cell.name));
                continue;
            };
            if shown.last() != Some(&owner) {
                shown.push(owner);
                let name = self.name(owner).to_string();
                heap.objects.push(Object { name, colour: None, reachable: false, fields: Vec::new() });
            }
            let Some(last) = heap.objects.last_mut() else { continue };
            let field = self.field(state, id, &cell.place.within());
            if is_colour(&field.name) {
                last.colour = Some(field.value.clone());
            }
            last.fields.push(field);
        }
        self.colour_from_tables(&mut heap);
        if self.has_roots() {
            mark_reachable(&mut heap, self.roots(state));
        } else {
            // Nothing is declared as a root, so nothing is known to be unreachable.
            heap.objects.iter_mut().for_each(|object| object.reachable = true);
        }
        heap
    }

    /// Whether a cell outside objects is a root: it holds a reference, and its name does not say that it belongs to the collector.
    /// A set or queue is one only if
    /// its name says so.
    pub fn is_root(&self, cell: CellId) -> bool {
        let shape = self.automata.scalars.cell(cell);
        let name = self.automata.cells[cell].place.field.to_lowercase();
        match shape {
            Shape::Set { .. } => has_word(&name, &ROOTS) && !has_word(&name, &COLLECTORS),
            _ => !has_word(&name, &COLLECTORS),
        }
    }

    /// Whether some cell outside objects, or some register, may hold a root.
    fn has_roots(&self) -> bool {
        let scalars = &self.automata.scalars;
        self.root_cells().any(|cell| self.may_refer(scalars.cell(cell)))
            || self.root_registers().any(|(thread, register)| self.may_refer(scalars.register(thread, register)))
    }

    /// Whether a value of this shape may refer to an object.
    fn may_refer(&self, shape: &Shape) -> bool {
        let mut refers = false;
        shape.sorts(&mut |sort| refers |= self.objects.iter().any(|object| Some(object.reference.0) == sort));
        refers
    }

    /// The cells outside objects that are roots.
    fn root_cells(&self) -> impl Iterator<Item = CellId> {
        self.automata.cells.ids().filter(|cell| self.owner_in_heap(*cell).is_none() && self.is_root(*cell))
    }

    /// The registers whose names say that they are roots.
    fn root_registers(&self) -> impl Iterator<Item = (ThreadId, RegId)> {
        self.automata.threads.iter().flat_map(|(thread, declared)| {
            let registers = declared.automaton.registers.iter();
            let is_root = |name: &str| has_word(&name.to_lowercase(), &ROOTS);
            registers.filter(move |(_, register)| is_root(&register.name)).map(move |(register, _)| (thread, register))
        })
    }

    /// The names of the objects that roots refer to.
    fn roots(&self, state: &PlainState) -> Vec<String> {
        let by_cells = self.root_cells().flat_map(|cell| self.referred_by(cell, state.cells[cell.index()]));
        let by_registers = self.root_registers().flat_map(|(thread, register)| {
            let value = state.locals[thread.index()].register(register).value();
            let shape = self.automata.scalars.register(thread, register);
            value.map_or(Vec::new(), |value| self.referred(shape, value))
        });
        by_cells.chain(by_registers).map(|object| self.name(object).to_string()).collect()
    }

    /// A cell `mark[b]` outside objects tells the colour of `b`.
    fn colour_from_tables(&self, heap: &mut Heap) {
        let outside = self.automata.cells.iter().filter(|(id, _)| self.owner_in_heap(*id).is_none());
        for ((_, cell), shown) in outside.zip(&heap.cells) {
            let Some(index) = cell.place.index.as_ref().filter(|_| is_colour(&cell.place.field)) else { continue };
            if let Some(object) = heap.objects.iter_mut().find(|object| object.name == *index) {
                object.colour.get_or_insert_with(|| shown.value.clone());
            }
        }
    }

    fn field(&self, state: &PlainState, id: CellId, name: &str) -> Field {
        let value = state.cells[id.index()];
        let points_to = self.referred_by(id, value).first().map(|object| self.name(*object).to_string());
        let forwards = points_to.is_some() && name.starts_with("forward");
        Field { name: name.into(), value: value_name(self.automata, id, value), points_to, forwards }
    }
}

/// Whether a field of that name tells an object's colour.
pub fn is_colour(name: &str) -> bool {
    matches!(name, "mark" | "marked" | "colour" | "color")
}

/// Words in the names of sets, queues and registers that hold roots.
const ROOTS: [&str; 2] = ["root", "stack"];

/// Words in the names of what the collector keeps: no roots.
const COLLECTORS: [&str; 9] = ["mark", "grey", "gray", "black", "white", "work", "todo", "free", "scan"];

fn has_word(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| name.contains(word))
}

/// Marks what fields lead to from `open`.
fn mark_reachable(heap: &mut Heap, mut open: Vec<String>) {
    while let Some(name) = open.pop() {
        let Some(object) = heap.objects.iter_mut().find(|object| object.name == name && !object.reachable) else {
            continue;
        };
        object.reachable = true;
        open.extend(object.fields.iter().filter_map(|field| field.points_to.clone()));
    }
}
