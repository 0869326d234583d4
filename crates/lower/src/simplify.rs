//! Expressions with constants folded and neutral operands left out.

use automata::{BinaryOp, Expr, NO_VALUE, UnaryOp, Wide};
use program::typed;

/// `left op right`, simplified. Operands of logical operators are 0 or 1.
pub(crate) fn binary<L>(op: BinaryOp, left: Expr<L>, right: Expr<L>) -> Expr<L> {
    use BinaryOp::{Add, And, BitOr, Implies, Multiply, Or, ShiftLeft, ShiftRight, Subtract};
    match (op, left, right) {
        // What has no value is no truth; on the right it matters only if the left side does not decide.
        (op, left @ Expr::Const(NO_VALUE), right) | (op, left, right @ Expr::Const(NO_VALUE)) => {
            Expr::binary(op, left, right)
        }
        (And, Expr::Const(0), _) | (And, _, Expr::Const(0)) => Expr::Const(0),
        (And, Expr::Const(_), e) | (And, e, Expr::Const(_)) => e,
        (Or, Expr::Const(0), e) | (Or, e, Expr::Const(0)) => e,
        (Or, Expr::Const(_), _) | (Or, _, Expr::Const(_)) => Expr::Const(1),
        (Implies, Expr::Const(0), _) => Expr::Const(1),
        (Implies, Expr::Const(_), e) => e,
        (Implies, e, Expr::Const(0)) => Expr::unary(UnaryOp::Not, e),
        (Implies, _, Expr::Const(_)) => Expr::Const(1),
        (Add | BitOr, Expr::Const(0), e) | (Add | BitOr | Subtract | ShiftLeft | ShiftRight, e, Expr::Const(0)) => e,
        (Multiply, Expr::Const(1), e) | (Multiply, e, Expr::Const(1)) => e,
        (Add, e, Expr::Const(by)) => moved(e, by),
        (Subtract, e, Expr::Const(by)) if by != Wide::MIN => moved(e, -by),
        (op, left, right) => Expr::binary(op, left, right),
    }
}

/// `expr + by`, with constant summands of `expr` drawn together.
fn moved<L>(expr: Expr<L>, by: Wide) -> Expr<L> {
    let (rest, by) = match expr {
        Expr::Const(_) => return Expr::binary(BinaryOp::Add, expr, Expr::Const(by)),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), rest, inner) => match summed(op, &inner, by) {
            Some(sum) => (*rest, sum),
            None => (Expr::Binary(op, rest, inner), by),
        },
        other => (other, by),
    };
    match by {
        0 => rest,
        1.. => Expr::Binary(BinaryOp::Add, Box::new(rest), Box::new(Expr::Const(by))),
        _ => Expr::Binary(BinaryOp::Subtract, Box::new(rest), Box::new(Expr::Const(-by))),
    }
}

/// `by` and the constant that is added, or subtracted, before it.
fn summed<L>(op: BinaryOp, inner: &Expr<L>, by: Wide) -> Option<Wide> {
    let Expr::Const(inner) = inner else { return None };
    let sum = if op == BinaryOp::Add { by.checked_add(*inner) } else { by.checked_sub(*inner) };
    sum.filter(|sum| *sum != Wide::MIN)
}

/// The operator of the same name.
pub(crate) fn unary_op(op: typed::UnaryOp) -> UnaryOp {
    match op {
        typed::UnaryOp::Not => UnaryOp::Not,
        typed::UnaryOp::Negate => UnaryOp::Negate,
    }
}

/// The operator of the same name; for a word of sets, the one that its bits are joined with.
pub(crate) fn binary_op(op: typed::BinaryOp) -> BinaryOp {
    use typed::BinaryOp as T;
    op.on_numbers().unwrap_or(match op {
        T::With | T::Union => BinaryOp::BitOr,
        _ => BinaryOp::BitAnd,
    })
}
