//! Which elements a smaller state keeps, by how they are named, and the names of what registers hold along a step.

use automata::RegId;
use base::table::Id;
use program::indices::{Home, Indices};
use program::typed::{Expr, ExprKind, PlaceRoot, Program, ThreadId};
use program::types::{ObjectId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// What there may be any number of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Objects of a type.
    Objects(ObjectId),
    /// Copies of a thread.
    Copies(ThreadId),
}

/// The elements that are kept, each by a name for how it is found. Several names may mean one element.
#[derive(Clone, Default, Debug)]
pub(crate) struct Kept {
    names: BTreeMap<Sort, BTreeSet<String>>,
    n_witnesses: usize,
}

impl Kept {
    pub(crate) fn keep(&mut self, sort: Sort, name: impl Into<String>) {
        self.names.entry(sort).or_default().insert(name.into());
    }

    /// Keeps an element that nothing else names; gives its name.
    pub(crate) fn witness(&mut self, sort: Sort) -> String {
        self.n_witnesses += 1;
        let name = format!("witness {}", self.n_witnesses);
        self.keep(sort, name.clone());
        name
    }

    /// How many of each sort there are at most.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (Sort, usize)> + '_ {
        self.names.iter().map(|(sort, names)| (*sort, names.len()))
    }
}

/// What a register holds, as far as it matters which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// `null`
    Null,
    /// An element, by its name, or `null`.
    Element(String),
    /// Something without a name; a queue has that of its cell.
    Other(String),
}

/// What all registers of the acting thread hold.
pub(crate) type Registers = BTreeMap<RegId, Held>;

/// A program and which of its numbers are copies of threads.
pub(crate) struct Sorts<'p> {
    pub(crate) program: &'p Program,
    pub(crate) indices: &'p Indices,
}

impl Sorts<'_> {
    /// The sort of an expression's value, if it is an element.
    pub(crate) fn of(&self, home: Home, expr: &Expr) -> Option<Sort> {
        match expr.ty {
            Type::Ref { object, .. } => Some(Sort::Objects(object)),
            Type::Int(_) => self.indices.of_expr(home, expr).map(Sort::Copies),
            _ => None,
        }
    }

    /// The sort of the elements of a set or queue.
    pub(crate) fn of_elements(&self, home: Home, expr: &Expr) -> Option<Sort> {
        let types = &self.program.types;
        match types.element(expr.ty).or_else(|| types.queue(expr.ty).map(|queue| queue.element)) {
            Some(Type::Ref { object, .. }) => Some(Sort::Objects(object)),
            Some(Type::Int(_)) => self.indices.of_expr(home, expr).map(Sort::Copies),
            _ => None,
        }
    }

    /// Whether a set or queue is one of elements.
    pub(crate) fn is_held(&self, ty: Type) -> bool {
        matches!(ty, Type::Set(_) | Type::Queue(_))
    }

    /// Whether a constant names an element, or a set that is neither empty nor full.
    pub(crate) fn names_elements(&self, expr: &Expr) -> bool {
        let ExprKind::Const(value) = expr.kind else { return false };
        match expr.ty {
            Type::Ref { .. } => value != program::types::NULL,
            Type::Set(_) => value != 0 && value != self.program.types.range(expr.ty).high,
            Type::Queue(_) => value != 0,
            Type::Word(_) => true,
            _ => false,
        }
    }

    /// The number of a variable or field among all, as cells have it.
    pub(crate) fn family(&self, root: &PlaceRoot) -> u32 {
        match root {
            PlaceRoot::Field(_, object, field) => self.field_family(*object, *field),
            PlaceRoot::Shared(id) => {
                let n_fields: usize = self.program.types.objects.values().map(|object| object.fields.len()).sum();
                (n_fields + id.index()) as u32
            }
        }
    }

    /// The number of a field.
    pub(crate) fn field_family(&self, object: ObjectId, field: usize) -> u32 {
        let before = self.program.types.objects.iter().take_while(|(id, _)| *id < object);
        (before.map(|(_, object)| object.fields.len()).sum::<usize>() + field) as u32
    }
}
