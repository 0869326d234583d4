//! The heap as a graph: objects, the references between them, and those from variables and registers.

use crate::colours::Colours;
use crate::subject::Subject;
use crate::threads::register_value;
use crate::view::{Edge, Heap, Object, Root};
use automata::{CellId, Value};
use base::Table;
use base::table::Id;
use lower::{Owned, Owner};
use machine::{Interpreter, Mode, PlainState};
use program::typed::SharedKind;
use program::types::{ObjectId, Type, Types};
use report::words::value_name;

/// What is known of the heap before any state is.
pub(crate) struct Graph<'a> {
    subject: Subject<'a>,
    /// What each cell is part of.
    pub(crate) owners: Table<CellId, Owned>,
    colours: Colours,
    /// The number of each type's first object, when all are numbered in one row.
    first: Table<ObjectId, usize>,
    /// The objects' names, in that row.
    names: Vec<String>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(subject: &Subject<'a>) -> Self {
        let owners = lower::owners(subject.program);
        let mut first = Table::new();
        let mut names = Vec::new();
        for object in subject.program.types.objects.values() {
            first.push(names.len());
            names.extend(object.instances.iter().map(|instance| instance.name.clone()));
        }
        let colours = Colours::new(subject.program, &owners);
        Graph { subject: *subject, owners, colours, first, names }
    }

    /// The graph of one state.
    pub(crate) fn heap(&self, interpreter: &Interpreter<'_>, state: &PlainState) -> Heap {
        let edges = self.edges(state);
        let mut roots = self.variables(state);
        roots.extend(self.registers(interpreter, state));
        let reached = reached(self.names.len(), &roots, &edges);
        let mut objects = Vec::new();
        for (kind, object) in self.subject.program.types.objects.iter() {
            for (instance, decl) in object.instances.iter().enumerate() {
                objects.push(Object {
                    name: decl.name.clone(),
                    kind: object.name.clone(),
                    colour: self.colours.of(&self.subject.program.types, kind, instance, &state.cells),
                    is_reached: reached[self.first[kind] + instance],
                    fields: self.fields(kind, instance, state),
                });
            }
        }
        Heap { objects, edges, roots }
    }

    /// The cells of one object, `(name, value)`.
    fn fields(&self, kind: ObjectId, instance: usize, state: &PlainState) -> Vec<(String, String)> {
        let automata = self.subject.automata;
        let cells = self.owners.iter().filter(|(_, owned)| is_of(owned, kind, instance)).map(|(cell, _)| cell);
        let field = |cell: CellId| {
            let name = &automata.cells[cell].name;
            let name = name.split_once('.').map_or(name.as_str(), |(_, field)| field);
            (name.to_string(), value_name(automata, cell, state.cells[cell.index()]))
        };
        cells.map(field).collect()
    }

    /// References from object to object.
    fn edges(&self, state: &PlainState) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut row = (usize::MAX, 0);
        for (cell, owned) in self.owners.iter() {
            let Owner::Object { kind, instance, field } = owned.owner else { continue };
            let from = self.first[kind] + instance;
            row = if row.0 == from { (from, row.1 + 1) } else { (from, 0) };
            let name = &self.subject.program.types.objects[kind].fields[field].name;
            let is_forwarding = name.to_lowercase().contains("forward");
            for to in self.references(owned.ty, state.cells[cell.index()]) {
                edges.push(Edge { from, field: row.1, to, is_forwarding });
            }
        }
        edges
    }

    /// References from shared variables. Ghosts lead nowhere: no thread can follow them.
    fn variables(&self, state: &PlainState) -> Vec<Root> {
        let mut roots = Vec::new();
        for (cell, owned) in self.owners.iter() {
            let Owner::Shared(id) = owned.owner else { continue };
            let is_set = matches!(owned.ty, Type::Set(_) | Type::Queue(_));
            if is_set || self.subject.program.shared[id].kind == SharedKind::Ghost {
                continue;
            }
            let name = &self.subject.automata.cells[cell].name;
            let leads = self.references(owned.ty, state.cells[cell.index()]);
            roots.extend(leads.into_iter().map(|to| Root { name: name.clone(), thread: None, to }));
        }
        roots
    }

    /// References from registers whose values matter. No other thing has the name of an object.
    fn registers(&self, interpreter: &Interpreter<'_>, state: &PlainState) -> Vec<Root> {
        let mut roots = Vec::new();
        for (id, thread) in self.subject.automata.threads.iter() {
            let local = &state.locals[id.index()];
            if matches!(local.mode, Mode::Failed(_)) {
                continue;
            }
            let live = interpreter.live_registers(state, id);
            for (register, decl) in thread.automaton.registers.iter().filter(|(r, _)| live[r.index()]) {
                let value = local.register(register).value().map(|value| register_value(decl, value));
                let to = value.and_then(|value| self.names.iter().position(|name| *name == value));
                roots.extend(to.map(|to| Root { name: decl.name.clone(), thread: Some(id.index()), to }));
            }
        }
        roots
    }

    /// The objects that a value refers to, by their numbers.
    fn references(&self, ty: Type, value: Value) -> Vec<usize> {
        references(&self.subject.program.types, ty, value).into_iter().map(|(kind, i)| self.first[kind] + i).collect()
    }
}

/// The objects that a value of a type refers to.
pub(crate) fn references(types: &Types, ty: Type, value: Value) -> Vec<(ObjectId, usize)> {
    match ty {
        Type::Ref { object, .. } => {
            let instance = usize::try_from(value).ok();
            instance.filter(|i| *i < types.objects[object].instances.len()).map(|i| (object, i)).into_iter().collect()
        }
        Type::Word(id) => {
            let word = &types.words[id];
            let part =
                |(i, field): (usize, &program::types::WordField)| references(types, field.ty, word.part(i, value));
            word.fields.iter().enumerate().flat_map(part).collect()
        }
        Type::Set(id) => {
            let element = types.sets[id];
            let range = types.range(element);
            let held = range.values().filter(|v| value >> (v - range.low) & 1 == 1);
            held.flat_map(|v| references(types, element, v)).collect()
        }
        Type::Queue(id) => {
            let queue = types.queues[id];
            let held = queue.elements(value).unwrap_or_default();
            held.into_iter().flat_map(|v| references(types, queue.element, v)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a cell is part of one object.
pub(crate) fn is_of(owned: &Owned, kind: ObjectId, instance: usize) -> bool {
    matches!(owned.owner, Owner::Object { kind: k, instance: i, .. } if k == kind && i == instance)
}

/// For each object, whether some root leads to it.
fn reached(n_objects: usize, roots: &[Root], edges: &[Edge]) -> Vec<bool> {
    let mut reached = vec![false; n_objects];
    let mut next: Vec<usize> = roots.iter().map(|root| root.to).collect();
    while let Some(object) = next.pop() {
        if !std::mem::replace(&mut reached[object], true) {
            next.extend(edges.iter().filter(|edge| edge.from == object).map(|edge| edge.to));
        }
    }
    reached
}
