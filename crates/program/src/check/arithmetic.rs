//! Arithmetic on constants, exact in 64 bits, and on ranges of expressions.

use crate::typed::{BinaryOp, Expr, ExprKind};
use crate::types::{Range, Type, Value, Wide};
use base::Span;
use base::arithmetic::NO_VALUE;

/// The result of an operator on constants; none if it has no value. Those of sets are folded where the element type is known.
pub(super) fn fold(op: BinaryOp, a: Wide, b: Wide) -> Option<Wide> {
    op.on_numbers().map_or(Some(0), |op| Some(op.apply(a, b)).filter(|value| *value != NO_VALUE))
}

/// A constant as an expression: one number, or a few that make it.
pub(super) fn number(value: Wide, span: Span) -> ExprKind {
    const HALF: Wide = 1 << 16;
    if let Ok(value) = Value::try_from(value) {
        return ExprKind::Const(value);
    }
    let expr = |value: Wide| {
        let kind = number(value, span);
        let end = clamped(i128::from(value));
        Box::new(Expr { kind, ty: Type::Int(Range::new(end, end)), span })
    };
    let all = |kind| Box::new(Expr { kind, ty: Type::Int(Range::new(Value::MIN, Value::MAX)), span });
    let high = all(ExprKind::Binary(BinaryOp::Multiply, expr(value / HALF), expr(HALF)));
    ExprKind::Binary(BinaryOp::Add, high, expr(value % HALF))
}

impl Expr {
    /// The value, if it is constant, even one that fits no number.
    pub(super) fn wide(&self) -> Option<Wide> {
        const DEPTH_OF_NUMBER: usize = 6;
        self.wide_within(DEPTH_OF_NUMBER)
    }

    fn wide_within(&self, depth: usize) -> Option<Wide> {
        match &self.kind {
            ExprKind::Const(value) => Some(Wide::from(*value)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Multiply), left, right) if depth > 0 => {
                fold(*op, left.wide_within(depth - 1)?, right.wide_within(depth - 1)?)
            }
            _ => None,
        }
    }
}

/// The number nearest to `value`.
fn clamped(value: i128) -> Value {
    value.clamp(i128::from(Value::MIN), i128::from(Value::MAX)) as Value
}

/// The least range with all of `values`.
fn hull(values: impl IntoIterator<Item = i128>) -> Range {
    let (mut low, mut high) = (i128::MAX, i128::MIN);
    for value in values {
        low = low.min(value);
        high = high.max(value);
    }
    Range::new(clamped(low), clamped(high))
}

/// The ends of a range of an expression, which may go beyond all numbers.
fn ends(range: Range) -> (i128, i128) {
    let low = if range.low == Value::MIN { i128::from(Wide::MIN) } else { i128::from(range.low) };
    let high = if range.high == Value::MAX { i128::from(Wide::MAX) } else { i128::from(range.high) };
    (low, high)
}

pub(super) fn negated(range: Range) -> Range {
    let (low, high) = ends(range);
    hull([-low, -high])
}

/// The range of `a op b`, for operators on numbers.
pub(super) fn result_range(op: BinaryOp, a: Range, b: Range) -> Range {
    let ((al, ah), (bl, bh)) = (ends(a), ends(b));
    let corners = |f: &dyn Fn(i128, i128) -> i128| hull([f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)]);
    // What is shifted by more than this is beyond all numbers, or nothing.
    let by = |y: i128| y.clamp(0, 63) as u32;
    match op {
        BinaryOp::Add => corners(&|x, y| x + y),
        BinaryOp::Subtract => corners(&|x, y| x - y),
        BinaryOp::Multiply => corners(&|x, y| x * y),
        BinaryOp::ShiftLeft => corners(&|x, y| x << by(y)),
        BinaryOp::ShiftRight => corners(&|x, y| x >> by(y)),
        BinaryOp::Divide => {
            let most = al.abs().max(ah.abs());
            if al >= 0 && bl > 0 { hull([al / bh, ah / bl]) } else { hull([-most, most]) }
        }
        BinaryOp::Remainder => {
            let most = (bl.abs().max(bh.abs()) - 1).max(0).min(al.abs().max(ah.abs()));
            if al >= 0 { hull([0, most]) } else { hull([-most, most]) }
        }
        BinaryOp::BitAnd if al >= 0 && bl >= 0 => hull([0, ah.min(bh)]),
        BinaryOp::BitOr | BinaryOp::BitXor if al >= 0 && bl >= 0 => {
            hull([0, ((ah.max(bh) + 1) as u128).next_power_of_two() as i128 - 1])
        }
        _ => Range::new(Value::MIN, Value::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_all_values_that_can_come() {
        let a = Range::new(0, 65536);
        let square = result_range(BinaryOp::Multiply, a, a);
        assert_eq!((square.low, square.high), (0, Value::MAX));
        let by = Range::new(16, 16);
        let shifted = result_range(BinaryOp::ShiftRight, square, by);
        assert!(shifted.contains(65536), "{shifted:?}");
        assert!(!Range::new(0, Value::MAX).includes(square), "it may be more");
        assert_eq!(result_range(BinaryOp::Remainder, Range::new(0, 9), Range::new(1, 3)), Range::new(0, 2));
        assert_eq!(result_range(BinaryOp::Remainder, Range::new(-1, 9), Range::new(1, 3)), Range::new(-2, 2));
        assert_eq!(negated(Range::new(Value::MIN, 3)), Range::new(-3, Value::MAX));
        assert_eq!(
            result_range(BinaryOp::ShiftLeft, Range::new(-1, 1), Range::new(0, 40)),
            Range::new(Value::MIN, Value::MAX)
        );
    }

    #[test]
    fn every_operator_on_constants_is_what_it_says() {
        use BinaryOp::*;
        let at = |op| [(2, 3), (3, 3), (3, 2)].map(|(a, b)| fold(op, a, b).unwrap_or(-1));
        assert_eq!([at(Less), at(LessEqual), at(Equal)], [[1, 0, 0], [1, 1, 0], [0, 1, 0]]);
        assert_eq!([at(Greater), at(GreaterEqual), at(NotEqual)], [[0, 0, 1], [0, 1, 1], [1, 0, 1]]);
        assert_eq!([at(BitOr), at(BitAnd), at(BitXor)], [[3, 3, 3], [2, 3, 2], [1, 0, 1]]);
        assert_eq!([at(Add), at(Subtract), at(Multiply)], [[5, 6, 5], [-1, 0, 1], [6, 9, 6]]);
        assert_eq!([at(Divide), at(Remainder)], [[0, 1, 1], [2, 0, 1]]);
        let truth = |op| [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(a, b)| fold(op, a, b).unwrap_or(-1));
        assert_eq!([truth(And), truth(Or), truth(Implies)], [[0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 0, 1]]);
    }

    #[test]
    fn a_constant_is_exact_or_has_no_value() {
        assert_eq!(fold(BinaryOp::Multiply, 65536, 65536), Some(1 << 32));
        assert_eq!(fold(BinaryOp::Multiply, 1 << 32, 1 << 32), None);
        assert_eq!(fold(BinaryOp::ShiftLeft, 0, 100), Some(0));
        assert_eq!(fold(BinaryOp::ShiftLeft, 1, 63), None);
        assert_eq!(fold(BinaryOp::ShiftRight, -5, 100), Some(-1));
        assert_eq!(fold(BinaryOp::ShiftRight, 1, -1), None);
        assert_eq!(fold(BinaryOp::Remainder, 7, 0), None);
        for value in [0, -1, Wide::from(Value::MAX) + 1, Wide::from(Value::MIN) - 1, 1 << 62, Wide::MAX, -Wide::MAX] {
            let span = Span::none();
            let expr = Expr { kind: number(value, span), ty: Type::Error, span };
            assert_eq!(expr.wide(), Some(value));
        }
    }
}
