//! Actions: what a thread does at a point.

use crate::automaton::{PointId, RegId};
use crate::collection::{CellId, CoverId, PropertyId};
use crate::expr::{BinaryOp, Expr, NO_VALUE, Value, Wide};
use crate::transaction::Begin;
use memory::{Fence, Operation, Order};
use std::sync::Arc;

/// What a thread does at a point. All but `Branch`, `Choose`, `Abort` and `Halt` continue at the point's `next`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A memory operation, or, inside a region, a direct one. On abstract cells only inside a region.
    Access(Access),
    /// A fence.
    Fence(Fence),
    /// A register gets a computed value.
    Compute {
        /// The register.
        dst: RegId,
        /// The value.
        value: Expr,
    },
    /// Goes on at one of two points; waits for the condition's value (a control dependency).
    Branch {
        /// The condition; 0 is false.
        condition: Expr,
        /// Where to continue if it is true.
        then: PointId,
        /// Where to continue if it is false.
        otherwise: PointId,
    },
    /// Goes on at any one of several points.
    Choose(Vec<PointId>),
    /// The property is violated if the condition is false. Orders nothing.
    Assert {
        /// The condition.
        condition: Expr,
        /// The property.
        property: PropertyId,
    },
    /// Waits until the condition has a value and is true; inside a region, the region's step is not enabled otherwise.
    Assume(Expr),
    /// A run on which the condition is false is no run. Waits for the condition's value.
    Discard(Expr),
    /// Counts as reached if the condition is true. Orders nothing.
    Cover {
        /// The condition.
        condition: Expr,
        /// What is reached.
        cover: CoverId,
    },
    /// A step of its own, at which a stopped world may find this thread.
    Safepoint,
    /// Waits until every memory operation of the thread has been performed. No step of its own.
    Perform,
    /// Begins a region: all up to the matching `Leave` is one step.
    Enter(Region),
    /// Ends the region.
    Leave,
    /// Begins a transaction: waits until every memory operation of the thread has been performed, and remembers the
    /// registers. All up to the matching `Commit` is part of it. No step of its own.
    Begin(Begin),
    /// Ends the transaction: what it wrote is performed, all in one step.
    Commit,
    /// Aborts the transaction, with a code.
    Abort(Value),
    /// The thread ends.
    Halt,
}

/// What a region may touch and what it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Region {
    /// Abstract state only.
    Atomic(Wait),
    /// Abstract state only, in the step that performs the access at the point before, its own.
    Then,
    /// Abstract state only, in the step that issues the store at the point before, its own.
    Issued,
    /// Memory too, past every queue.
    Direct(Wait),
    /// Memory too; waits until its own queue is empty and every other thread is at a safepoint (or
    /// halted) with an empty queue.
    StopTheWorld,
}

/// What a region waits for of its thread's older memory operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wait {
    /// All are performed.
    Performed,
    /// Those that nothing may overtake are performed: the region is unordered.
    Walls,
}

/// A memory operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// What is done.
    pub op: Op,
    /// To which cell.
    pub address: Address,
    /// The order it carries; for a CAS, when it succeeds.
    pub order: Order,
    /// The order of a CAS that fails.
    pub failure_order: Order,
    /// Whether it is not atomic: a load or store, relaxed, that races with what nothing orders it with.
    pub is_plain: bool,
    /// Whether its cell is a lock that may be elided.
    pub is_elidable: bool,
    /// Where the result goes.
    pub dst: Option<RegId>,
    /// Registers whose values it waits for though they do not change what it does: false dependencies.
    pub after: Vec<RegId>,
}

/// The kinds of memory operations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Result: the cell's value.
    Load,
    /// No result.
    Store(Expr),
    /// Compare and swap.
    Cas {
        /// The value the cell must have.
        expected: Expr,
        /// The value it then gets.
        new: Expr,
        /// What the result is.
        result: CasResult,
    },
    /// Result: the old value.
    Swap(Expr),
    /// Result: the old value.
    Fetch(FetchOp, Expr),
    /// Result: the cell's value; reserves the cell.
    LoadLinked,
    /// Result: 1 if stored, 0 if the reservation was lost (or, if the memory model says so, for no reason).
    StoreConditional(Expr),
}

/// What a CAS gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CasResult {
    /// 1 if it succeeded, else 0.
    Success,
    /// The value found.
    Old,
}

/// How `fetch_..` combines the old value with the operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the operation of that name")]
pub enum FetchOp {
    Add,
    And,
    Or,
    /// The cell is the state of an automaton, and the operand an event.
    Next(Next),
}

/// An automaton: for each state, for each event the next state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Next {
    /// How many events there are.
    pub n_events: usize,
    /// The next states.
    pub states: Arc<[Value]>,
}

impl FetchOp {
    /// What the cell gets; `NO_VALUE` if there is no such state or event.
    pub fn apply(&self, old: Wide, operand: Wide) -> Wide {
        match self {
            FetchOp::Add => BinaryOp::Add.apply(old, operand),
            FetchOp::And => BinaryOp::BitAnd.apply(old, operand),
            FetchOp::Or => BinaryOp::BitOr.apply(old, operand),
            FetchOp::Next(next) => next.after(old, operand).map_or(NO_VALUE, Wide::from),
        }
    }
}

impl Next {
    fn after(&self, state: Wide, event: Wide) -> Option<Value> {
        let event = usize::try_from(event).ok().filter(|event| *event < self.n_events)?;
        self.states.get(usize::try_from(state).ok()? * self.n_events + event).copied()
    }
}

/// Which cell: `base` plus, for each term, `index * stride`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// The cell when every index is 0.
    pub base: CellId,
    /// The computed parts; none for a named cell.
    pub terms: Vec<AddressTerm>,
}

/// One computed part of an address.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AddressTerm {
    /// The index, such as a reference.
    pub index: Expr,
    /// Cells from one index to the next.
    pub stride: u32,
    /// Indices `0..count` are allowed; any other (such as `null`) violates `valid_reference`.
    pub count: u32,
}

impl Address {
    /// The address of a named cell.
    pub fn cell(base: CellId) -> Self {
        Address { base, terms: Vec::new() }
    }
}

impl Access {
    /// What the ordering rules see of it when it is performed. A CAS may fail: then it counts as `MemoryModel::failed` says.
    pub fn operation(&self) -> Operation {
        Operation {
            reads: self.op.is_read(),
            writes: self.op.is_write(),
            linked: matches!(self.op, Op::LoadLinked | Op::StoreConditional(_)),
            is_half: false,
            order: self.order,
        }
    }

    /// Whether it is a load-linked or a store-conditional.
    pub fn is_linked(&self) -> bool {
        matches!(self.op, Op::LoadLinked | Op::StoreConditional(_))
    }

    /// Whether it takes a lock that may be elided.
    pub fn takes_elidable_lock(&self) -> bool {
        self.is_elidable && self.op.is_rmw()
    }

    /// An access with relaxed order and no result.
    pub fn new(op: Op, address: Address) -> Self {
        let (order, failure_order) = (Order::Relaxed, Order::Relaxed);
        let (is_plain, is_elidable) = (false, false);
        Access { op, address, order, failure_order, is_plain, is_elidable, dst: None, after: Vec::new() }
    }

    /// Calls `visit` with every expression of the operation, address first.
    pub fn exprs<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        for term in &self.address.terms {
            visit(&term.index);
        }
        self.op.exprs(visit);
    }
}

impl Op {
    /// Calls `visit` with every operand.
    pub fn exprs<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match self {
            Op::Load | Op::LoadLinked => {}
            Op::Store(value) | Op::Swap(value) | Op::Fetch(_, value) | Op::StoreConditional(value) => visit(value),
            Op::Cas { expected, new, .. } => {
                visit(expected);
                visit(new);
            }
        }
    }

    /// Whether it reads the cell.
    pub fn is_read(&self) -> bool {
        !matches!(self, Op::Store(_) | Op::StoreConditional(_))
    }

    /// Whether it may write the cell.
    pub fn is_write(&self) -> bool {
        !matches!(self, Op::Load | Op::LoadLinked)
    }

    /// Whether it reads and writes in one: CAS, swap, fetch.
    pub fn is_rmw(&self) -> bool {
        self.is_read() && self.is_write()
    }
}

impl Action {
    /// Calls `visit` with every expression, address first.
    pub fn exprs<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match self {
            Action::Access(access) => access.exprs(visit),
            Action::Compute { value: expr, .. }
            | Action::Branch { condition: expr, .. }
            | Action::Assert { condition: expr, .. }
            | Action::Cover { condition: expr, .. }
            | Action::Assume(expr)
            | Action::Discard(expr) => visit(expr),
            Action::Fence(_)
            | Action::Choose(_)
            | Action::Safepoint
            | Action::Perform
            | Action::Enter(_)
            | Action::Leave
            | Action::Begin(_)
            | Action::Commit
            | Action::Abort(_)
            | Action::Halt => {}
        }
    }

    /// Whether a transaction may begin here, if locks are elided.
    pub fn may_begin_transaction(&self) -> bool {
        matches!(self, Action::Begin(_)) || matches!(self, Action::Access(access) if access.takes_elidable_lock())
    }

    /// Calls `visit` with every register read.
    pub fn uses(&self, visit: &mut impl FnMut(RegId)) {
        self.exprs(&mut |expr| expr.leaves(&mut |register| visit(*register)));
        if let Action::Access(access) = self {
            access.after.iter().copied().for_each(visit);
        }
    }

    /// The register written.
    pub fn defines(&self) -> Option<RegId> {
        match self {
            Action::Access(access) => access.dst,
            Action::Compute { dst, .. } => Some(*dst),
            _ => None,
        }
    }
}
