//! What each cell is part of, for those who show the heap as a graph: the layout of `cells`, read backwards.

use automata::CellId;
use base::Table;
use program::Program;
use program::typed::SharedId;
use program::types::{ObjectId, Range, Type, Types};

/// What a cell is part of, and the type of its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owned {
    /// What it is part of.
    pub owner: Owner,
    /// Which element of an array it is, from 0; 0 if it is no array's.
    pub element: usize,
    /// The type of its values.
    pub ty: Type,
}

/// What a cell is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A field of an object of the heap.
    Object {
        /// The object's type.
        kind: ObjectId,
        /// Which object of that type.
        instance: usize,
        /// Which field.
        field: usize,
    },
    /// Shared state outside objects.
    Shared(SharedId),
    /// The bus lock.
    Bus,
}

/// For every cell of the program's automata, what it is part of.
pub fn owners(program: &Program) -> Table<CellId, Owned> {
    let types = &program.types;
    let mut owners = Table::new();
    let mut add = |owner: Owner, index: Option<Type>, ty: Type| {
        for element in 0..n_elements(types, index) {
            owners.push(Owned { owner, element, ty });
        }
    };
    for (kind, object) in types.objects.iter() {
        for instance in 0..object.instances.len() {
            for (field, decl) in object.fields.iter().enumerate() {
                add(Owner::Object { kind, instance, field }, decl.index, decl.ty);
            }
        }
    }
    for (id, decl) in program.shared.iter() {
        add(Owner::Shared(id), decl.index, decl.ty);
    }
    if crate::bus::is_locked(program) {
        let n_threads: u32 = program.threads.values().map(|thread| thread.count.unwrap_or(1)).sum();
        add(Owner::Bus, None, Type::Int(Range::new(-1, n_threads as i32 - 1)));
    }
    owners
}

fn n_elements(types: &Types, index: Option<Type>) -> usize {
    index.map_or(1, |index| types.range(index).count() as usize)
}
