//! Sets as bit masks: one bit for each value of the element type, the lowest for the least.

use crate::queues;
use crate::simplify::{binary, binary_op};
use automata::{BinaryOp, Expr};
use program::typed::{self, BinaryOp as Word};
use program::types::{Range, Types, Value};

/// `left op right`, where `op` may be a word of sets. What is no element of the type has no bit.
pub(crate) fn apply<L: Clone>(
    types: &Types,
    op: Word,
    (left, left_type): (Expr<L>, &typed::Expr),
    (right, right_type): (Expr<L>, &typed::Expr),
) -> Expr<L> {
    if let (Word::In, Some(queue)) = (op, types.queue(right_type.ty)) {
        return queues::has(&queue, right, left, queue.range.includes(types.range(left_type.ty)));
    }
    let (set, other) = if op == Word::In { (right_type, left_type) } else { (left_type, right_type) };
    let Some(element) = types.element(set.ty) else { return binary(binary_op(op), left, right) };
    let range = types.range(element);
    let all = types.range(set.ty).high;
    match op {
        Word::In => contains(right, left, range, types.range(other.ty)),
        Word::With => binary(BinaryOp::BitOr, left, element_bit(right, range, types.range(other.ty))),
        Word::Without => {
            binary(BinaryOp::BitAnd, left, complement(element_bit(right, range, types.range(other.ty)), all))
        }
        Word::Minus => binary(BinaryOp::BitAnd, left, complement(right, all)),
        _ => binary(binary_op(op), left, right),
    }
}

/// Whether the bit at this distance from the lowest is set.
pub(crate) fn has<L>(set: Expr<L>, distance: Expr<L>) -> Expr<L> {
    binary(BinaryOp::BitAnd, binary(BinaryOp::ShiftRight, set, distance), Expr::Const(1))
}

/// The number of elements among the `n` that there can be.
pub(crate) fn size<L: Clone>(set: Expr<L>, n: u32) -> Expr<L> {
    (0..n as Value).fold(Expr::Const(0), |sum, bit| binary(BinaryOp::Add, sum, has(set.clone(), Expr::constant(bit))))
}

fn distance<L>(element: Expr<L>, range: Range) -> Expr<L> {
    binary(BinaryOp::Subtract, element, Expr::constant(range.low))
}

/// Whether a value, which is one of `given`, is in a set.
pub(crate) fn contains<L: Clone>(set: Expr<L>, element: Expr<L>, range: Range, given: Range) -> Expr<L> {
    if range.includes(given) {
        return has(set, distance(element, range));
    }
    let (is_element, distance) = at_most(element, range);
    binary(BinaryOp::BitAnd, is_element, has(set, distance))
}

/// The bit of an element whose values are those of `given`; 0 if it is no element.
pub(crate) fn element_bit<L: Clone>(element: Expr<L>, range: Range, given: Range) -> Expr<L> {
    if range.includes(given) {
        return binary(BinaryOp::ShiftLeft, Expr::Const(1), distance(element, range));
    }
    let (is_element, distance) = at_most(element, range);
    binary(BinaryOp::Multiply, is_element, binary(BinaryOp::ShiftLeft, Expr::Const(1), distance))
}

/// Whether it is an element, and its distance from the least one; 0 if it is none, so that it can be shifted by.
fn at_most<L: Clone>(element: Expr<L>, range: Range) -> (Expr<L>, Expr<L>) {
    let low = binary(BinaryOp::LessEqual, Expr::constant(range.low), element.clone());
    let high = binary(BinaryOp::LessEqual, element.clone(), Expr::constant(range.high));
    let is_element = binary(BinaryOp::BitAnd, low, high);
    let distance = binary(BinaryOp::Multiply, is_element.clone(), distance(element, range));
    (is_element, distance)
}

/// All bits of `all` that `set` has not.
fn complement<L>(set: Expr<L>, all: Value) -> Expr<L> {
    binary(BinaryOp::BitXor, set, Expr::constant(all))
}
