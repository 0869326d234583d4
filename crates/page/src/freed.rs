//! Which objects are free, where the protocol says so: by the names that its text gives to sets and values.
//!
//! An object is free if it is in a set called `free` or `freed`, or not in one called `allocated`, or if a field of it holds a
//! value that is called so.

use automata::scalars::Shape;
use automata::{Automata, CellId, Value};
use base::table::Id;
use report::heap::Objects;
use report::words::value_name;

/// What a set of objects that are not free is called.
pub(crate) const ALLOCATED: &str = "allocated";

const FREE: [&str; 2] = ["free", "freed"];

/// Whether an object is free in a state with these cells.
pub(crate) fn is_freed(automata: &Automata, objects: &Objects<'_>, object: usize, cells: &[Value]) -> bool {
    let holds = |cell: CellId| objects.referred_by(cell, cells[cell.index()]).contains(&object);
    let by_set = automata.cells.iter().filter(|(id, _)| objects.owner(*id).is_none()).any(|(id, cell)| {
        let name = cell.place.field.to_lowercase();
        is_free(&name) && holds(id)
            || name == ALLOCATED && matches!(automata.scalars.cell(id), Shape::Set { .. }) && !holds(id)
    });
    let is_named = |cell: &CellId| is_free(&value_name(automata, *cell, cells[cell.index()]).to_lowercase());
    by_set || objects.cells(object).iter().any(is_named)
}

/// Whether that is what free objects, or sets of them, are called.
pub(crate) fn is_free(name: &str) -> bool {
    FREE.contains(&name)
}
