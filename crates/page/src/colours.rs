//! The colours of objects, where the protocol has them: by the names that its text gives to values and to sets.
//!
//! An object is white, grey or black by a field, or part of one, whose value is named so; by an array of such values with
//! objects as its index; by marks among these, whose names begin with `mark` or `meta` (black if one is set, white if none is); or by being in a
//! set called so, and white if it is in none of those that there are.

use crate::heap::{is_of, references};
use automata::{CellId, Value};
use base::Table;
use base::table::Id;
use lower::{Owned, Owner};
use program::Program;
use program::types::{ObjectId, Type, Types};

const COLOURS: [(&str, &str); 4] = [("white", "white"), ("grey", "grey"), ("gray", "grey"), ("black", "black")];

/// Where the colours of objects are.
pub(crate) struct Colours {
    owners: Table<CellId, Owned>,
    /// Arrays indexed by objects: the type of the objects, and the first cell.
    arrays: Vec<(ObjectId, CellId)>,
    /// Cells that say whether an object is marked.
    marks: Vec<CellId>,
    /// Sets called after a colour.
    sets: Vec<(&'static str, CellId)>,
}

impl Colours {
    pub(crate) fn new(program: &Program, owners: &Table<CellId, Owned>) -> Self {
        let mut colours = Colours { owners: owners.clone(), arrays: Vec::new(), marks: Vec::new(), sets: Vec::new() };
        for (cell, owned) in owners.iter() {
            let name = match owned.owner {
                Owner::Object { kind, field, .. } => &program.types.objects[kind].fields[field].name,
                Owner::Shared(id) => &program.shared[id].name,
                Owner::Bus => continue,
            };
            if may_be_mark(&program.types, owned.ty) && (name.starts_with("mark") || name.starts_with("meta")) {
                colours.marks.push(cell);
            }
            let Owner::Shared(id) = owned.owner else { continue };
            let decl = &program.shared[id];
            match (decl.index, decl.ty) {
                (Some(Type::Ref { object, is_optional: false }), _) if owned.element == 0 => {
                    colours.arrays.push((object, cell));
                }
                (None, Type::Set(_)) => colours.sets.extend(named(&decl.name).map(|colour| (colour, cell))),
                _ => {}
            }
        }
        colours
    }

    /// The colour of an object in a state with these cells; none if the protocol gives it none.
    pub(crate) fn of(&self, types: &Types, kind: ObjectId, instance: usize, cells: &[Value]) -> Option<&'static str> {
        let own = self.owners.iter().filter(|(_, owned)| is_of(owned, kind, instance)).map(|(cell, _)| cell);
        let arrays = self.arrays.iter().filter(|(of, _)| *of == kind);
        let elements = arrays.map(|(_, first)| CellId::new(first.index() + instance));
        let all: Vec<CellId> = own.chain(elements).collect();
        let mut named = all.iter().map(|cell| in_value(types, self.owners[*cell].ty, cells[cell.index()]));
        let named = named.find_map(|colour| colour);
        named.or_else(|| self.by_mark(&all, cells)).or_else(|| self.by_set(types, kind, instance, cells))
    }

    /// The colour by the marks among an object's cells: with atomic metadata, say, another one counts than without.
    fn by_mark(&self, own: &[CellId], cells: &[Value]) -> Option<&'static str> {
        let mut marks = own.iter().filter(|cell| self.marks.contains(cell)).peekable();
        marks.peek()?;
        Some(if marks.any(|cell| cells[cell.index()] != 0) { "black" } else { "white" })
    }

    fn by_set(&self, types: &Types, kind: ObjectId, instance: usize, cells: &[Value]) -> Option<&'static str> {
        let holds =
            |cell: CellId| references(types, self.owners[cell].ty, cells[cell.index()]).contains(&(kind, instance));
        let held = self.sets.iter().find(|(_, cell)| holds(*cell)).map(|(colour, _)| *colour);
        held.or((!self.sets.is_empty()).then_some("white"))
    }
}

/// Whether a value of this type may be a mark: set or not.
fn may_be_mark(types: &Types, ty: Type) -> bool {
    match ty {
        Type::Bool => true,
        Type::Int(_) => (types.range(ty).low, types.range(ty).high) == (0, 1),
        _ => false,
    }
}

/// The colour of that name.
fn named(name: &str) -> Option<&'static str> {
    COLOURS.iter().find(|(word, _)| name.eq_ignore_ascii_case(word)).map(|(_, colour)| *colour)
}

/// The colour that a value, or a part of it, is called after.
fn in_value(types: &Types, ty: Type, value: Value) -> Option<&'static str> {
    match ty {
        Type::Enum(_) => types.value_name(ty, value).as_deref().and_then(named),
        Type::Word(id) => {
            let word = &types.words[id];
            word.fields.iter().enumerate().find_map(|(i, field)| in_value(types, field.ty, word.part(i, value)))
        }
        _ => None,
    }
}
