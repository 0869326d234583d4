//! Cells: where each field of each object and each shared variable is.

use automata::{Automata, Cell, CellId, CellKind, CellPlace, Domain, Value};
use base::Table;
use base::table::Id;
use program::Program;
use program::typed::{Shared, SharedId, SharedKind, Specification};
use program::types::{Object, ObjectField, ObjectId, Range, Type, Types};

/// Values that a type may have for its names to be listed one by one.
const MAX_NAMED_VALUES: u64 = 64;

/// The first cell of each thing.
pub(crate) struct Layout {
    objects: Table<ObjectId, CellId>,
    shared: Table<SharedId, CellId>,
    /// For each cell, whether steps on it may come before older memory operations of their thread.
    unordered: Vec<bool>,
    /// For each cell, whether accesses to it without an order are not atomic.
    plain: Vec<bool>,
    /// For each cell, whether it is a lock that may be elided.
    elidable: Vec<bool>,
}

impl Layout {
    /// Lays out all cells: objects type by type, each object's cells together; then shared variables.
    pub(crate) fn new(program: &Program, automata: &mut Automata) -> Self {
        let mut objects = Table::new();
        for object in program.types.objects.values() {
            objects.push(CellId::new(automata.cells.len()));
            add_objects(&program.types, object, automata);
        }
        let of_fields = |is_it: fn(&ObjectField) -> bool| {
            program.types.objects.values().flat_map(move |object| fields_that(object, is_it)).collect()
        };
        let mut plain: Vec<bool> = of_fields(|field| field.is_plain);
        let mut elidable: Vec<bool> = of_fields(|field| field.is_elidable);
        let mut shared = Table::new();
        let mut unordered = vec![false; automata.cells.len()];
        for (id, decl) in program.shared.iter() {
            shared.push(CellId::new(automata.cells.len()));
            add_shared(&program.types, decl, automata);
            if let Some(specification) = program.specifications.iter().find(|it| it.shared == id) {
                let last = automata.cells.values_mut().next_back();
                last.expect("it was just added").names = shown(specification);
            }
            unordered.resize(automata.cells.len(), decl.is_unordered);
            plain.resize(automata.cells.len(), decl.is_plain);
            elidable.resize(automata.cells.len(), decl.is_elidable);
        }
        Layout { objects, shared, unordered, plain, elidable }
    }

    /// The first cell of a shared variable.
    pub(crate) fn shared(&self, id: SharedId) -> CellId {
        self.shared[id]
    }

    /// Whether steps on the cell may come before older memory operations of their thread.
    pub(crate) fn is_unordered(&self, cell: CellId) -> bool {
        self.unordered.get(cell.index()).copied().unwrap_or(false)
    }

    /// Whether accesses to the cell without an order are not atomic.
    pub(crate) fn is_plain(&self, cell: CellId) -> bool {
        self.plain.get(cell.index()).copied().unwrap_or(false)
    }

    /// Whether the cell is a lock that may be elided.
    pub(crate) fn is_elidable(&self, cell: CellId) -> bool {
        self.elidable.get(cell.index()).copied().unwrap_or(false)
    }

    /// Whether some cell is plain.
    pub(crate) fn has_plain(&self) -> bool {
        self.plain.contains(&true)
    }

    /// The cell of the first element of a field of the first object of a type.
    pub(crate) fn field(&self, types: &Types, object: ObjectId, field: usize) -> CellId {
        offset(self.objects[object], types.objects[object].fields[field].offset)
    }
}

/// The cell `by` cells after `cell`.
pub(crate) fn offset(cell: CellId, by: usize) -> CellId {
    CellId::new(cell.index() + by)
}

/// The domain of a range.
pub(crate) fn domain(range: Range) -> Domain {
    Domain::new(range.low, range.high)
}

fn add_objects(types: &Types, object: &Object, automata: &mut Automata) {
    for instance in &object.instances {
        for (field, init) in object.fields.iter().zip(&instance.init) {
            let place = CellPlace { object: Some(instance.name.clone()), field: field.name.clone(), index: None };
            add(types, (place, CellKind::Memory), field.index, (field.ty, init), automata);
        }
    }
}

/// For each cell of the objects of a type, whether it belongs to such a field.
fn fields_that(object: &Object, is_it: fn(&ObjectField) -> bool) -> impl Iterator<Item = bool> {
    let ends = object.fields.iter().skip(1).map(|field| field.offset).chain([object.size]);
    let cells = object.fields.iter().zip(ends);
    let of_one: Vec<bool> =
        cells.flat_map(|(field, end)| std::iter::repeat_n(is_it(field), end - field.offset)).collect();
    object.instances.iter().flat_map(move |_| of_one.clone())
}

fn add_shared(types: &Types, decl: &Shared, automata: &mut Automata) {
    let kind = match decl.kind {
        SharedKind::Cell => CellKind::Memory,
        SharedKind::Abstract | SharedKind::Ghost => CellKind::Abstract,
    };
    let place = CellPlace { field: decl.name.clone(), ..CellPlace::default() };
    add(types, (place, kind), decl.index, (decl.ty, &decl.init), automata);
}

/// Adds one cell, or one for each index. An array of one element is shown without its index.
fn add(
    types: &Types,
    (place, kind): (CellPlace, CellKind),
    index: Option<Type>,
    (ty, init): (Type, &[Value]),
    automata: &mut Automata,
) {
    let names = value_names(types, ty);
    let mut inits = init.iter().copied().cycle();
    let mut push = |index: Option<String>| {
        let init = inits.next().expect("checked: a declaration has a first value");
        let place = CellPlace { index, ..place.clone() };
        let cell = Cell::new(place, kind, domain(types.range(ty)), init);
        automata.cells.push(Cell { names: names.clone(), ..cell });
    };
    match index {
        Some(index) if types.range(index).count() != 1 => {
            for value in types.range(index).values() {
                push(Some(types.show_value(index, value)));
            }
        }
        _ => push(None),
    }
}

/// What the states of a specification show.
fn shown(specification: &Specification) -> Vec<(Value, String)> {
    let left = specification.shown.iter().enumerate().map(|(state, shown)| (state as Value, shown.clone()));
    let lost = specification.n_states..specification.n_states + specification.events.len();
    left.chain(lost.map(|state| (state as Value, "no order".into()))).collect()
}

/// The names of a type's values, for those that have one.
pub(crate) fn value_names(types: &Types, ty: Type) -> Vec<(Value, String)> {
    if let Some(queue) = types.queue(ty) {
        let shown = queue.values().unwrap_or_default();
        return shown.into_iter().map(|value| (value, types.show_value(ty, value))).collect();
    }
    let range = types.range(ty);
    if range.count() > MAX_NAMED_VALUES {
        return Vec::new();
    }
    range.values().filter_map(|value| Some((value, types.value_name(ty, value)?))).collect()
}
