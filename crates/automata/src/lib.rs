//! The intermediate form: one automaton per thread, over shared cells.
//!
//! Reading order: `expr` (what is computed), `action` (what a point does), `automaton` (points of a
//! thread), `transaction` (how one begins and aborts), `collection` (all threads, cells and properties of one system), `graph` (objects
//! that refer to one another), `name` (what names are made of), `leaves` (what a property speaks of), `part` (what of it people
//! hear of), `liveness` (which
//! registers matter), `scalars` (what a symmetry may permute), `validate` (the rules; its header lists them), `text` (printed form).
//! Knows neither the source language nor any memory model.

pub mod action;
pub mod automaton;
pub mod collection;
pub mod expr;
mod graph;
mod leaves;
pub mod liveness;
mod name;
mod part;
pub mod scalars;
pub mod text;
pub mod transaction;
mod validate;

pub use action::{Access, Action, Address, AddressTerm, CasResult, FetchOp, Next, Op, Region, Wait};
pub use automaton::{Automaton, Kept, Point, PointId, RegId, Register};
pub use collection::{
    Automata, Cell, CellId, CellKind, Cover, CoverId, Definedness, Effect, Fairness, Guarantee, Ltl, Moment, Property,
    PropertyId, PropertyKind, Relation, StateProperty, Stated, Thread, ThreadId,
};
pub use expr::{BinaryOp, Domain, Expr, NO_VALUE, StateExpr, StateLeaf, StatePlace, UnaryOp, Value, Wide};
pub use graph::{Graph, GraphId, GraphNode};
pub use name::{CellPlace, ThreadPlace};
pub use part::PropertyPart;
pub use scalars::Scalars;
pub use transaction::{Begin, Cause};
pub use validate::validate;
