//! What a program says about its own proof.

use super::{LabelPattern, Name};
use base::Span;

/// `level 2`, of an invariant: in a proof it may use those of at most this level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number.
    pub number: u32,
    /// Where it stands.
    pub span: Span,
}

/// `guarantee NAME: thread at (label, ..)`: actions that are looked at together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// Its name.
    pub name: Name,
    /// The thread, all copies of it.
    pub thread: Name,
    /// Where the actions are.
    pub labels: Vec<LabelPattern>,
}
