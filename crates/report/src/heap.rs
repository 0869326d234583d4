//! The heap of one state as a graph: objects with their fields, what points where, roots, forwarding pointers, colours.
//!
//! Objects are told from names: a cell `from.data` is the field `data` of the object `from`, a value that names an object
//! points there. A field whose name begins with `forward` is a forwarding pointer; one called `mark`, `marked`, `colour` or
//! `color`, or a cell `mark[from]` outside, gives the object's colour.

use crate::words::value_name;
use automata::{Automata, CellId};
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

/// The heap of `state`.
pub fn heap(automata: &Automata, state: &PlainState) -> Heap {
    let mut heap = Heap::default();
    let names = objects(automata);
    for (id, cell) in automata.cells.iter() {
        let field = |name: &str| field(automata, state, id, name, &names);
        match place(&cell.name, &names) {
            None => heap.cells.push(field(&cell.name)),
            Some((object, name)) => {
                if heap.objects.last().is_none_or(|last| last.name != object) {
                    let name = object.to_string();
                    heap.objects.push(Object { name, colour: None, reachable: false, fields: Vec::new() });
                }
                let Some(last) = heap.objects.last_mut() else { continue };
                if is_colour(name) {
                    last.colour = Some(field(name).value);
                }
                last.fields.push(field(name));
            }
        }
    }
    colour_from_tables(&mut heap);
    mark_reachable(&mut heap);
    heap
}

/// What a cell belongs to: the object's name, if it is a field of one.
pub fn owner(automata: &Automata, cell: CellId) -> Option<&str> {
    place(&automata.cells[cell].name, &objects(automata)).map(|(object, _)| object)
}

/// The names that have fields and that some cell's value may name.
fn objects(automata: &Automata) -> Vec<&str> {
    let named: BTreeSet<&str> =
        automata.cells.values().flat_map(|cell| &cell.names).flat_map(|(_, name)| words(name)).collect();
    let owners = automata.cells.values().filter_map(|cell| cell.name.split_once('.')).map(|(object, _)| object);
    owners.filter(|object| named.contains(object)).collect()
}

fn is_colour(name: &str) -> bool {
    matches!(name, "mark" | "marked" | "colour" | "color")
}

/// A cell `mark[b]` outside objects tells the colour of `b`.
fn colour_from_tables(heap: &mut Heap) {
    for cell in &heap.cells {
        let Some((table, index)) = cell.name.strip_suffix(']').and_then(|name| name.split_once('[')) else { continue };
        if let Some(object) = heap.objects.iter_mut().find(|object| is_colour(table) && object.name == index) {
            object.colour.get_or_insert_with(|| cell.value.clone());
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '[' | ']')))
}

fn field(automata: &Automata, state: &PlainState, id: CellId, name: &str, objects: &[&str]) -> Field {
    let value = value_name(automata, id, state.cells[id.index()]);
    let points_to = words(&value).find(|word| objects.contains(word)).map(str::to_string);
    let forwards = points_to.is_some() && name.starts_with("forward");
    Field { name: name.into(), value, points_to, forwards }
}

/// Object and field of a cell's name; none for a cell outside objects.
fn place<'a>(name: &'a str, objects: &[&str]) -> Option<(&'a str, &'a str)> {
    name.split_once('.').filter(|(object, _)| objects.contains(object))
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
