//! Statements of the typed program, and the regions and transactions that hold them.

use super::{CoverId, Expr, LocalId, Place, PropertyId};
use crate::types::Value;
use base::Span;
use memory::Fence;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// `@name` before it.
    pub label: Option<String>,
    /// Whether the text says that its step may come before older memory operations of the thread.
    pub is_unordered: bool,
    /// What it is.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// A region that is one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// `atomic`
    Atomic,
    /// `then`: as `atomic`, in the step that performs the operation before it.
    Then,
    /// `when issued`: as `atomic`, in the step that issues the store before it.
    Issued,
    /// `directly`
    Direct,
    /// `stop_the_world`
    StopTheWorld,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A register gets a value, by `let` or by assignment.
    Set(LocalId, Expr),
    /// A place gets a value: a plain store, or a write of abstract state.
    Store(Place, Expr),
    /// An operation or call for its effect.
    Eval(Expr),
    /// `if`
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `while`
    While(Expr, Vec<Stmt>),
    /// `loop`
    Loop(Vec<Stmt>),
    /// `each`, over the values of the local's type.
    Each(LocalId, Vec<Stmt>),
    /// `choose { } or { }`
    Choose(Vec<Vec<Stmt>>),
    /// `atomic`, `directly`, `stop_the_world`
    Region(Region, Vec<Stmt>),
    /// `transaction`
    Transaction(Box<Transaction>),
    /// `abort`, with its code.
    Abort(Value),
    /// `fence`; none for `fence none`.
    Fence(Option<Fence>),
    /// `assert`
    Assert(PropertyId, Expr),
    /// `assume`
    Assume(Expr),
    /// `discard unless`
    Discard(Expr),
    /// `cover`
    Cover(CoverId, Option<Expr>),
    /// `safepoint`
    Safepoint,
    /// `perform`
    Perform,
    /// `lock`
    Lock,
    /// `unlock`
    Unlock,
    /// `return`
    Return(Option<Expr>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `stop`
    Stop,
    /// `skip`
    Skip,
}

/// A transaction.
#[derive(Clone, Debug)]
pub struct Transaction {
    /// How many cells it may touch; without limit if none.
    pub capacity: Option<u32>,
    /// What is done in it.
    pub body: Vec<Stmt>,
    /// The register that holds the cause of an abort.
    pub cause: Option<LocalId>,
    /// The register that holds the code of an explicit abort.
    pub code: Option<LocalId>,
    /// What is done after an abort.
    pub handler: Vec<Stmt>,
}
