//! The heap as a graph: objects, the references between them, and those from variables and registers.

use crate::colours::Colours;
use crate::freed::{ALLOCATED, is_free, is_freed};
use crate::subject::Subject;
use crate::view::{Edge, Heap, Object, Root};
use automata::scalars::Shape;
use automata::{CellId, Value};
use base::Table;
use base::table::Id;
use lower::{Owned, Owner};
use machine::{Interpreter, Mode, PlainState};
use program::typed::SharedKind;
use program::types::{ObjectId, Type, Types};
use report::heap::Objects;
use report::words::value_name;

/// What is known of the heap before any state is.
pub(crate) struct Graph<'a> {
    subject: Subject<'a>,
    /// What each cell is part of.
    pub(crate) owners: Table<CellId, Owned>,
    colours: Colours,
    objects: Objects<'a>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(subject: &Subject<'a>) -> Self {
        let owners = lower::owners(subject.program);
        let colours = Colours::new(subject.program, &owners);
        Graph { subject: *subject, owners, colours, objects: Objects::new(subject.automata) }
    }

    /// The graph of one state.
    pub(crate) fn heap(&self, interpreter: &Interpreter<'_>, state: &PlainState) -> Heap {
        let edges = self.edges(state);
        let mut roots = self.variables(state);
        roots.extend(self.registers(interpreter, state));
        let reached = reached(self.objects.all().len(), &roots, &edges);
        let object = |n: usize| Object {
            name: self.objects.name(n).into(),
            kind: self.objects.kind(n).into(),
            colour: self.colour(n, state),
            is_reached: reached[n],
            is_freed: is_freed(self.subject.automata, &self.objects, n, &state.cells),
            fields: self.objects.cells(n).iter().map(|cell| self.field(*cell, state)).collect(),
        };
        Heap { objects: self.objects.all().map(object).collect(), edges, roots }
    }

    fn colour(&self, object: usize, state: &PlainState) -> Option<&'static str> {
        let first = self.objects.cells(object).first()?;
        let Owner::Object { kind, instance, .. } = self.owners[*first].owner else { return None };
        self.colours.of(&self.subject.program.types, kind, instance, &state.cells)
    }

    /// One cell of an object, `(name, value)`.
    fn field(&self, cell: CellId, state: &PlainState) -> (String, String) {
        let automata = self.subject.automata;
        (automata.cells[cell].place.within(), value_name(automata, cell, state.cells[cell.index()]))
    }

    /// References from object to object.
    fn edges(&self, state: &PlainState) -> Vec<Edge> {
        let mut edges = Vec::new();
        for from in self.objects.all() {
            for (field, cell) in self.objects.cells(from).iter().enumerate() {
                let name = self.subject.automata.cells[*cell].place.field.to_lowercase();
                let is_forwarding = name.contains("forward");
                let referred = self.objects.referred_by(*cell, state.cells[cell.index()]);
                edges.extend(referred.into_iter().map(|to| Edge { from, field, to, is_forwarding }));
            }
        }
        edges
    }

    /// References from shared variables, sets and queues. Ghosts lead nowhere: no thread can follow them.
    fn variables(&self, state: &PlainState) -> Vec<Root> {
        let mut roots = Vec::new();
        for (cell, owned) in self.owners.iter() {
            let Owner::Shared(id) = owned.owner else { continue };
            let decl = &self.subject.program.shared[id];
            if decl.kind == SharedKind::Ghost || is_free(&decl.name) || decl.name == ALLOCATED {
                continue;
            }
            let is_root = self.objects.is_root(cell) && !matches!(owned.ty, Type::Queue(_));
            let kind = if is_root { "variable" } else { "collector" };
            let name = &self.subject.automata.cells[cell].name;
            let leads = self.objects.referred_by(cell, state.cells[cell.index()]);
            roots.extend(leads.into_iter().map(|to| Root { name: name.clone(), thread: None, kind, to }));
        }
        roots
    }

    /// References from registers whose values matter.
    fn registers(&self, interpreter: &Interpreter<'_>, state: &PlainState) -> Vec<Root> {
        let automata = self.subject.automata;
        let mut roots = Vec::new();
        for (id, thread) in automata.threads.iter() {
            let local = &state.locals[id.index()];
            if matches!(local.mode, Mode::Failed(_)) {
                continue;
            }
            let live = interpreter.live_registers(state, id);
            for (register, decl) in thread.automaton.registers.iter().filter(|(r, _)| live[r.index()]) {
                let shape = automata.scalars.register(id, register);
                let is_root = matches!(shape, Shape::Element(_) | Shape::Set { .. });
                let Some(value) = local.register(register).value().filter(|_| is_root) else { continue };
                let root = |to| Root { name: decl.name.clone(), thread: Some(id.index()), kind: "register", to };
                roots.extend(self.objects.referred(shape, value).into_iter().map(root));
            }
        }
        roots
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
    let mut next: Vec<usize> = roots.iter().filter(|root| root.kind != "collector").map(|root| root.to).collect();
    while let Some(object) = next.pop() {
        if !std::mem::replace(&mut reached[object], true) {
            next.extend(edges.iter().filter(|edge| edge.from == object).map(|edge| edge.to));
        }
    }
    reached
}
