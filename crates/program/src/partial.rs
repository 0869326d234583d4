//! Which expressions may have no value (semantics 1.5, 1.6), by the ranges of their parts.

use crate::typed::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::Types;

impl Expr {
    /// Whether some part of it may have no value where it is evaluated.
    pub fn may_have_no_value(&self, types: &Types) -> bool {
        may_itself(self, types) || self.operands().into_iter().any(|operand| operand.may_have_no_value(types))
    }

    /// Whether it may stand for a constant (semantics 1.11): it takes no steps, and has a value.
    pub fn may_be_constant(&self, types: &Types) -> bool {
        self.only_computes() && !self.may_have_no_value(types)
    }
}

/// Whether it may have no value though its operands have.
fn may_itself(expr: &Expr, types: &Types) -> bool {
    let range = |e: &Expr| types.range(e.ty);
    // The range of what may need more than 32 bits ends where that of all numbers does.
    let is_wide = |e: &Expr| !range(e).includes(range(e));
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, by) => range(by).contains(0),
        ExprKind::Binary(BinaryOp::ShiftLeft, e, by) => is_wide(e) || range(by).low < 0 || range(by).high > 31,
        ExprKind::Binary(BinaryOp::ShiftRight, _, by) => range(by).low < 0,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, a, b) => is_wide(a) || is_wide(b),
        ExprKind::Unary(UnaryOp::Negate, e) => is_wide(e),
        ExprKind::Binary(BinaryOp::With, set, x) => {
            types.element(set.ty).is_some_and(|element| !types.range(element).includes(range(x)))
        }
        ExprKind::Build(word, parts) => {
            let fields = &types.words[*word].fields;
            !fields.iter().zip(parts).all(|(field, part)| field.range.includes(range(part)))
        }
        ExprKind::Push(..) | ExprKind::Top(_) => true,
        _ => false,
    }
}
