//! What a program says about its own proof, and what its procedures refine.

use super::{Expr, LabelPattern, Name};
use base::Span;

/// `level 2`, of an invariant: in a proof it may use those of at most this level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number.
    pub number: u32,
    /// Where it stands.
    pub span: Span,
}

/// `guarantee NAME level 2: thread at (label, ..) requires P modifies (x, ..) ensures Q`: actions that are looked at together, and
/// what they may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// Its name.
    pub name: Name,
    /// What a proof that it is respected may use.
    pub level: Option<Level>,
    /// The thread, all copies of it.
    pub thread: Name,
    /// Where the actions are.
    pub labels: Vec<LabelPattern>,
    /// What is true before each of them.
    pub requires: Option<Expr>,
    /// All that they may change; none if that is not said.
    pub modifies: Option<Vec<Expr>>,
    /// What is true after each of them, of the state before it and the one after it.
    pub ensures: Option<Expr>,
}

/// `refines take when performed`, of a procedure: whoever calls it cannot tell it from the other one, which is a single step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refines {
    /// The other procedure.
    pub specification: Name,
    /// Whether calls begin and return when the thread's older memory operations have been performed.
    pub when_performed: bool,
}
