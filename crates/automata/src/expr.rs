//! Expressions: pure functions of their leaves.
//!
//! In a thread the leaves are registers; in a property they are parts of the whole state. Booleans
//! are 0 and 1. What is stored is narrow, what is computed is wide: arithmetic is exact in 64 bits (semantics 1.3 to 1.5).

pub use base::arithmetic::{BinaryOp, NO_VALUE, UnaryOp, Wide};

use crate::automaton::{PointId, RegId};
use crate::collection::{CellId, ThreadId};
use crate::graph::GraphId;

/// What registers and cells hold: a number, a boolean (0, 1), an enum's variant, a packed word, or
/// a reference (the object's index within its type, -1 for `null`).
pub type Value = i32;

/// The values that a register or cell may hold, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    /// The least.
    pub low: Value,
    /// The greatest.
    pub high: Value,
}

impl Domain {
    /// `low..high`, both included.
    pub fn new(low: Value, high: Value) -> Self {
        Domain { low, high }
    }

    /// Whether `value` is one of them.
    pub fn contains(self, value: impl Into<Wide>) -> bool {
        let value = value.into();
        Wide::from(self.low) <= value && value <= Wide::from(self.high)
    }

    /// The computed value as one of them, if it is one.
    pub fn narrow(self, value: Wide) -> Option<Value> {
        self.contains(value).then_some(value as Value)
    }

    /// Whether all values of `other` are values of this one.
    pub fn includes(self, other: Domain) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The number of bits that tell them apart.
    pub fn bits(self) -> u32 {
        let span = (i64::from(self.high) - i64::from(self.low)).max(0) as u64;
        64 - span.leading_zeros()
    }
}

/// An expression over leaves of type `L`; a thread's expressions are over its registers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr<L = RegId> {
    /// A constant.
    Const(Wide),
    /// A leaf.
    Leaf(L),
    /// An operator and its operand.
    Unary(UnaryOp, Box<Expr<L>>),
    /// An operator and its operands.
    Binary(BinaryOp, Box<Expr<L>>, Box<Expr<L>>),
}

/// What a property speaks of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StateLeaf {
    /// The value that shared memory holds for a cell, or an abstract variable's.
    Cell(CellId),
    /// The cell at `base + index * stride`; outside `0..count` there is no value.
    CellAt {
        /// The cell of index 0.
        base: CellId,
        /// Cells from one index to the next.
        stride: u32,
        /// How many indices there are.
        count: u32,
        /// Which.
        index: Box<StateExpr>,
    },
    /// A register of a thread; while its value is still to come, what is computed from it has none either.
    Register(ThreadId, RegId),
    /// 1 if the thread is at one of these points.
    At(ThreadId, Vec<PointId>),
    /// 1 if the thread has ended; its operations may still wait to be performed.
    Ended(ThreadId),
    /// 1 if the thread has no memory operation pending.
    Performed(ThreadId),
    /// How many of the thread's stores to the place are pending; with a value, 1 if one of that value is. A store whose cell
    /// or value is not known yet counts for none.
    Pending {
        /// The thread.
        thread: ThreadId,
        /// The place.
        place: StatePlace,
        /// The value that is looked for.
        value: Option<Box<StateExpr>>,
    },
    /// The value of the oldest of the thread's pending stores to the place (with cell and value known), else the value there.
    Oldest {
        /// The thread.
        thread: ThreadId,
        /// The place.
        place: StatePlace,
    },
    /// The value in the state before a step; only where a guarantee says what a step ensures.
    Old(Box<StateExpr>),
    /// The set (a bit for each object) of all that paths through a graph reach from the objects of a set, these included.
    Reached {
        /// The graph.
        graph: GraphId,
        /// Where the paths begin: a set.
        from: Box<StateExpr>,
    },
}

impl StateLeaf {
    /// The thread whose own state this is a part of; none if it is a part of shared state.
    pub fn thread(&self) -> Option<ThreadId> {
        match self {
            StateLeaf::Register(thread, _)
            | StateLeaf::At(thread, _)
            | StateLeaf::Ended(thread)
            | StateLeaf::Performed(thread)
            | StateLeaf::Pending { thread, .. }
            | StateLeaf::Oldest { thread, .. } => Some(*thread),
            StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } | StateLeaf::Old(_) => None,
        }
    }
}

/// The cell at `base + index * stride`; there is none outside `0..count`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StatePlace {
    /// The cell of index 0.
    pub base: CellId,
    /// Cells from one index to the next.
    pub stride: u32,
    /// How many indices there are.
    pub count: u32,
    /// Which.
    pub index: Box<StateExpr>,
}

impl StatePlace {
    /// The cell of an index.
    pub fn cell(&self, index: impl Into<Wide>) -> Option<CellId> {
        let index = u32::try_from(index.into()).ok().filter(|index| *index < self.count)?;
        Some(CellId(self.base.0 + index * self.stride))
    }

    /// The cells of all indices.
    pub fn cells(&self) -> Vec<CellId> {
        (0..self.count).map(|index| CellId(self.base.0 + index * self.stride)).collect()
    }
}

/// An expression over a whole state.
pub type StateExpr = Expr<StateLeaf>;

impl<L> Expr<L> {
    /// A constant.
    pub fn constant(value: impl Into<Wide>) -> Self {
        Expr::Const(value.into())
    }

    /// `op operand`, folded if the operand is constant.
    pub fn unary(op: UnaryOp, operand: Expr<L>) -> Self {
        match operand {
            Expr::Const(value) => Expr::Const(op.apply(value)),
            operand => Expr::Unary(op, Box::new(operand)),
        }
    }

    /// `left op right`, folded if both are constant.
    pub fn binary(op: BinaryOp, left: Expr<L>, right: Expr<L>) -> Self {
        match (left, right) {
            (Expr::Const(a), Expr::Const(b)) => Expr::Const(op.apply(a, b)),
            (left, right) => Expr::Binary(op, Box::new(left), Box::new(right)),
        }
    }

    /// The value, given the leaves' values; none if a leaf that matters has none yet.
    pub fn eval<V: Into<Wide>>(&self, leaf: &mut impl FnMut(&L) -> Option<V>) -> Option<Wide> {
        match self {
            Expr::Const(value) => Some(*value),
            Expr::Leaf(l) => leaf(l).map(Into::into),
            Expr::Unary(op, operand) => Some(op.apply(operand.eval(leaf)?)),
            Expr::Binary(op, left, right) => Some(op.apply(left.eval(leaf)?, right.eval(leaf)?)),
        }
    }

    /// Whether it is true, as soon as the leaves that have values decide that: `and`, `or`, `implies` and `not` as
    /// in Kleene's logic; everything below any other operator is needed.
    ///
    /// What has no value decides nothing.
    pub fn decide<V: Into<Wide>>(&self, leaf: &mut impl FnMut(&L) -> Option<V>) -> Option<bool> {
        match self {
            Expr::Unary(UnaryOp::Not, operand) => operand.decide(leaf).map(|is_true| !is_true),
            Expr::Binary(BinaryOp::And, left, right) => match (left.decide(leaf), right.decide(leaf)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (left, right) => left.and(right),
            },
            Expr::Binary(BinaryOp::Or, left, right) => match (left.decide(leaf), right.decide(leaf)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (left, right) => left.and(right),
            },
            Expr::Binary(BinaryOp::Implies, left, right) => match (left.decide(leaf), right.decide(leaf)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (left, right) => left.and(right),
            },
            _ => self.eval(leaf).filter(|value| *value != NO_VALUE).map(|value| value != 0),
        }
    }

    /// Calls `visit` with every leaf, from left to right.
    pub fn leaves<'a>(&'a self, visit: &mut impl FnMut(&'a L)) {
        match self {
            Expr::Const(_) => {}
            Expr::Leaf(l) => visit(l),
            Expr::Unary(_, operand) => operand.leaves(visit),
            Expr::Binary(_, left, right) => {
                left.leaves(visit);
                right.leaves(visit);
            }
        }
    }
}
