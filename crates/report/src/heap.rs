//! The heap of one state as a graph: objects with their fields, what points where, roots, forwarding pointers, colours.
//!
//! Objects are told from names: a cell `from.data` is the field `data` of the object `from`, a value that names an object
//! points there. A field whose name begins with `forward` is a forwarding pointer; one called `mark`, `marked`, `colour` or
//! `color` gives the object's colour.

use crate::words::value_name;
use automata::{Automata, CellId};
use base::table::Id;
use machine::PlainState;
use serde::{Deserialize, Serialize};

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

/// The heap of `state`.
pub fn heap(automata: &Automata, state: &PlainState) -> Heap {
    let mut heap = Heap::default();
    let names: Vec<&str> =
        automata.cells.values().filter_map(|cell| place(&cell.name)).map(|(object, _)| object).collect();
    for (id, cell) in automata.cells.iter() {
        let field = |name: &str| field(automata, state, id, name, &names);
        match place(&cell.name) {
            None => heap.cells.push(field(&cell.name)),
            Some((object, name)) => {
                if heap.objects.last().is_none_or(|last| last.name != object) {
                    heap.objects.push(Object {
                        name: object.into(),
                        colour: None,
                        reachable: false,
                        fields: Vec::new(),
                    });
                }
                let Some(last) = heap.objects.last_mut() else { continue };
                if matches!(name, "mark" | "marked" | "colour" | "color") {
                    last.colour = Some(field(name).value);
                }
                last.fields.push(field(name));
            }
        }
    }
    mark_reachable(&mut heap);
    heap
}

fn field(automata: &Automata, state: &PlainState, id: CellId, name: &str, objects: &[&str]) -> Field {
    let value = value_name(automata, id, state.cells[id.index()]);
    let words = value.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '[' | ']')));
    let points_to = words.into_iter().find(|word| objects.contains(word)).map(str::to_string);
    let forwards = points_to.is_some() && name.starts_with("forward");
    Field { name: name.into(), value, points_to, forwards }
}

/// Object and field of a cell's name; none for a cell outside objects.
fn place(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}

fn mark_reachable(heap: &mut Heap) {
    let mut open: Vec<String> = heap.cells.iter().filter_map(|cell| cell.points_to.clone()).collect();
    while let Some(name) = open.pop() {
        let Some(object) = heap.objects.iter_mut().find(|object| object.name == name && !object.reachable) else {
            continue;
        };
        object.reachable = true;
        open.extend(object.fields.iter().filter_map(|field| field.points_to.clone()));
    }
}
