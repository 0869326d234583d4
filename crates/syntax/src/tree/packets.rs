//! Work packets in the syntax tree: kinds of work, buckets, the releaser, requests.

use super::{Block, Expr, Name, Type};
use base::Span;

/// A kind of work, with the workers that do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Its name, which is also that of its workers.
    pub name: Name,
    /// The unit that one packet holds; none if one unit is like another.
    pub unit: Option<(Name, Type)>,
    /// How requests for the same unit add up.
    pub pool: Pool,
    /// How many workers; one if not said.
    pub workers: Option<Expr>,
    /// What a worker does with a unit.
    pub body: Block,
    /// From `work` up to the body.
    pub head: Span,
    /// Whether steps on its units may come before older memory operations of their thread: `unordered work`.
    pub is_unordered: bool,
}

/// How requests for the same unit add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// A unit waits once, however often it is requested.
    Set,
    /// Each request is served.
    Multiset,
}

impl Pool {
    /// Both.
    pub const ALL: [Pool; 2] = [Pool::Set, Pool::Multiset];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Pool::Set => "set",
            Pool::Multiset => "multiset",
        }
    }
}

/// Kinds of work that open and close together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its name.
    pub name: Name,
    /// The kinds of work.
    pub kinds: Vec<Name>,
    /// Whether it is open from the start.
    pub is_open: bool,
    /// The guard under which the releaser opens it.
    pub opens: Option<Expr>,
    /// The guard under which the releaser closes it.
    pub closes: Option<Expr>,
}

/// The thread that opens and closes buckets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Releaser {
    /// The word, which is also the thread's name.
    pub name: Name,
    /// When it ends, and the workers with it.
    pub ends: Expr,
}

/// A request for a unit of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The kind of work.
    pub work: Name,
    /// The unit, if the kind has any.
    pub units: Vec<Expr>,
}
