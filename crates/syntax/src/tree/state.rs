//! Declared state in the syntax tree: objects of the heap, cells, abstract variables, ghosts, registers.

use super::{Expr, Name, Setting, Type};

/// One object of the initial heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapObject {
    /// Its name, a constant reference.
    pub name: Name,
    /// The object type.
    pub object: Name,
    /// How many alike there are, the first of them with the name.
    pub count: Option<Expr>,
    /// Initial values that differ from the declaration's.
    pub settings: Vec<Setting>,
}

/// What kind of shared state a declaration gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedKind {
    /// Weakly ordered memory.
    Cell,
    /// Abstract state: acted on in atomic actions, not subject to the memory model.
    Abstract,
    /// Abstract state that only assertions and other ghosts may read.
    Ghost,
}

/// A shared cell, abstract variable or ghost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedDecl {
    /// Which of the three.
    pub kind: SharedKind,
    /// Its name.
    pub name: Name,
    /// The index type, for an array.
    pub index: Option<Type>,
    /// The type of one element.
    pub ty: Type,
    /// The initial value of each element.
    pub init: Expr,
    /// Whether steps on it may come before older memory operations of their thread: `unordered abstract`.
    pub is_unordered: bool,
    /// Whether accesses without an order are not atomic: `plain cell`.
    pub is_plain: bool,
    /// Whether it is a lock that may be elided: `elidable cell`.
    pub is_elidable: bool,
}

/// A register that every thread which uses it has of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterDecl {
    /// Its name.
    pub name: Name,
    /// The thread that it is for, if its copies start with values of their own.
    pub index: Option<Type>,
    /// Its type.
    pub ty: Type,
    /// The value it starts with, in each thread.
    pub init: Expr,
}
