//! Queues as packed numbers: a slot for each element, the oldest in the lowest bits, 0 where there is none.
//!
//! An element's slot holds its distance from the least value, and 1 more.

use crate::cells::domain;
use crate::expressions::provided;
use crate::simplify::binary;
use crate::thread::Lowering;
use automata::{Action, BinaryOp, Expr};
use program::queues::Queue;
use program::typed;
use program::types::Value;

impl<'p> Lowering<'p, '_> {
    /// `push(q, x)`; a full queue violates `in_range`.
    pub(crate) fn push(&mut self, held: &'p typed::Expr, element: &'p typed::Expr) -> Expr {
        let queue = self.program.types.queue(held.ty).expect("only queues have these operations");
        let before = self.held(held, &queue);
        let value = self.value(element);
        let value = self.within(value, element, queue.range);
        provided(has_room(&queue, before.clone()), push(&queue, before, value, true))
    }

    /// `top(q)`; the empty queue violates `in_range`.
    pub(crate) fn top(&mut self, held: &'p typed::Expr) -> Expr {
        let queue = self.program.types.queue(held.ty).expect("only queues have these operations");
        let held = self.held(held, &queue);
        provided(binary(BinaryOp::NotEqual, held.clone(), Expr::Const(0)), top(&queue, held))
    }

    /// `size(q)`
    pub(crate) fn queue_size(&mut self, held: &'p typed::Expr) -> Expr {
        let queue = self.program.types.queue(held.ty).expect("only queues have these operations");
        let held = self.held(held, &queue);
        size(&queue, held)
    }

    /// A queue's value in a register or constant: it is used several times.
    fn held(&mut self, expr: &'p typed::Expr, queue: &Queue) -> Expr {
        let value = self.value(expr);
        if let Expr::Leaf(_) | Expr::Const(_) = value {
            return value;
        }
        let range = program::types::Range::new(0, queue.all());
        let dst = self.out.temporary(domain(range));
        self.out.emit(Action::Compute { dst, value }, expr.span);
        Expr::Leaf(dst)
    }
}

/// The queue with one element more. Where it is full, or `element` is none, nothing is added.
pub(crate) fn push<L: Clone>(queue: &Queue, held: Expr<L>, element: Expr<L>, is_sure: bool) -> Expr<L> {
    let slot = slot(queue, element.clone());
    let slot = if is_sure { slot } else { binary(BinaryOp::Multiply, is_element(queue, element), slot) };
    let bits = binary(BinaryOp::Multiply, size(queue, held.clone()), Expr::constant(queue.width() as Value));
    let moved = binary(BinaryOp::ShiftLeft, slot, bits);
    binary(BinaryOp::BitOr, held, binary(BinaryOp::BitAnd, moved, Expr::constant(queue.all())))
}

/// The queue without its oldest element.
pub(crate) fn pop<L>(queue: &Queue, held: Expr<L>) -> Expr<L> {
    binary(BinaryOp::ShiftRight, held, Expr::constant(queue.width() as Value))
}

/// The oldest element; of the empty queue, the number below the least element.
pub(crate) fn top<L>(queue: &Queue, held: Expr<L>) -> Expr<L> {
    let slot = binary(BinaryOp::BitAnd, held, Expr::constant(queue.mask()));
    binary(BinaryOp::Add, slot, Expr::constant(queue.range.low.wrapping_sub(1)))
}

/// How many elements there are.
pub(crate) fn size<L: Clone>(queue: &Queue, held: Expr<L>) -> Expr<L> {
    let is_filled = |i: u32| binary(BinaryOp::NotEqual, from_slot(queue, held.clone(), i), Expr::Const(0));
    (0..queue.length).fold(Expr::Const(0), |sum, i| binary(BinaryOp::Add, sum, is_filled(i)))
}

/// Whether there is room for one more.
pub(crate) fn has_room<L>(queue: &Queue, held: Expr<L>) -> Expr<L> {
    binary(BinaryOp::Equal, from_slot(queue, held, queue.length - 1), Expr::Const(0))
}

/// Whether `element` is in the queue.
pub(crate) fn has<L: Clone>(queue: &Queue, held: Expr<L>, element: Expr<L>, is_sure: bool) -> Expr<L> {
    let wanted = slot(queue, element.clone());
    let is_it = |i: u32| {
        let slot = binary(BinaryOp::BitAnd, from_slot(queue, held.clone(), i), Expr::constant(queue.mask()));
        binary(BinaryOp::Equal, slot, wanted.clone())
    };
    let any = (0..queue.length).fold(Expr::Const(0), |any, i| binary(BinaryOp::Or, any, is_it(i)));
    if is_sure { any } else { binary(BinaryOp::And, is_element(queue, element), any) }
}

/// What the slot of an element holds.
fn slot<L>(queue: &Queue, element: Expr<L>) -> Expr<L> {
    binary(BinaryOp::Subtract, element, Expr::constant(queue.range.low.wrapping_sub(1)))
}

fn is_element<L: Clone>(queue: &Queue, element: Expr<L>) -> Expr<L> {
    let low = binary(BinaryOp::LessEqual, Expr::constant(queue.range.low), element.clone());
    let high = binary(BinaryOp::LessEqual, element, Expr::constant(queue.range.high));
    binary(BinaryOp::And, low, high)
}

/// The slots from the `i`th on.
fn from_slot<L>(queue: &Queue, held: Expr<L>, i: u32) -> Expr<L> {
    binary(BinaryOp::ShiftRight, held, Expr::constant((i * queue.width()) as Value))
}
