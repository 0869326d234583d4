//! Operators: types of operands and results, folding of constants, ranges of results.

use super::Checker;
use super::scope::Scope;
use super::sets::is_set;
use crate::codes;
use crate::names::Decl;
use crate::typed::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::{Range, Type, Value, Wide};
use base::{Diagnostic, Span};
use syntax::tree;

impl<'a> Checker<'a> {
    pub(super) fn unary(&mut self, scope: &mut Scope, op: UnaryOp, operand: &'a tree::Expr, span: Span) -> Expr {
        let operand = self.expr(scope, operand);
        let ty = match op {
            UnaryOp::Not => self.wants(Type::Bool, &operand).then_some(Type::Bool),
            UnaryOp::Negate => self.number(&operand).map(|range| Type::Int(negated(range))),
        };
        let constant = operand.wide().and_then(|value| match op {
            UnaryOp::Not => Some(Wide::from(value == 0)),
            UnaryOp::Negate => value.checked_neg(),
        });
        let kind = match constant {
            Some(value) => self.folded(scope, value, span),
            None => ExprKind::Unary(op, Box::new(operand)),
        };
        Expr { kind, ty: ty.unwrap_or(Type::Error), span }
    }

    pub(super) fn binary(
        &mut self,
        scope: &mut Scope,
        op: BinaryOp,
        (left, right): (&'a tree::Expr, &'a tree::Expr),
        span: Span,
    ) -> Expr {
        if let Some(expr) = self.flag_comparison(op, left, right, span) {
            return expr;
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) && is_set(left) | is_set(right) {
            return self.set_comparison(scope, op, (left, right), span);
        }
        let left = self.expr(scope, left);
        let is_dead =
            matches!((op, left.constant()), (BinaryOp::And | BinaryOp::Implies, Some(0)) | (BinaryOp::Or, Some(1)));
        scope.dead += usize::from(is_dead);
        let right = self.expr(scope, right);
        scope.dead -= usize::from(is_dead);
        let mut ty = self.binary_type(scope, op, &left, &right).unwrap_or(Type::Error);
        let constant = match (left.wide(), right.wide()) {
            (Some(a), Some(b)) => {
                let folded = fold(op, a, b);
                if folded.is_none() && scope.dead == 0 && ty != Type::Error {
                    self.error(codes::OUT_OF_RANGE, span, "this needs more than 64 bits, so it has no value");
                    ty = Type::Error;
                }
                folded
            }
            (Some(0), None) if op == BinaryOp::And => Some(0),
            (Some(0), None) if op == BinaryOp::Implies => Some(1),
            (Some(1), None) if op == BinaryOp::Or => Some(1),
            _ => None,
        };
        let kind = match constant {
            Some(value) => self.folded(scope, value, span),
            None => ExprKind::Binary(op, Box::new(left), Box::new(right)),
        };
        Expr { kind, ty, span }
    }

    /// A constant that was computed. One that fits no number is told, and is computed anew wherever it is used.
    fn folded(&mut self, scope: &Scope, value: Wide, span: Span) -> ExprKind {
        if Value::try_from(value).is_err() && scope.dead == 0 {
            let message = format!("{value} fits no number: those go from {} to {}", Value::MIN, Value::MAX);
            self.out.push(Diagnostic::warning(codes::OUT_OF_RANGE, span, message));
        }
        number(value, span)
    }

    /// `flag == word`: a constant.
    fn flag_comparison(
        &mut self,
        op: BinaryOp,
        left: &'a tree::Expr,
        right: &'a tree::Expr,
        span: Span,
    ) -> Option<Expr> {
        let is_equal = match op {
            BinaryOp::Equal => true,
            BinaryOp::NotEqual => false,
            _ => return None,
        };
        let flag = |e: &'a tree::Expr| match &e.kind {
            tree::ExprKind::Name(name) => match self.names.get(&name.text).map(|e| e.decl) {
                Some(Decl::Flag(words, _)) => Some((name, words)),
                _ => None,
            },
            _ => None,
        };
        let ((name, words), other) = flag(left).map(|f| (f, right)).or(flag(right).map(|f| (f, left)))?;
        let known: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
        let tree::ExprKind::Name(word) = &other.kind else {
            let message = format!("the flag `{}` is compared with one of its words", name.text);
            self.error(codes::UNKNOWN_WORD, other.span, message).hint = crate::suggest::hint("", known);
            return Some(Expr { kind: ExprKind::Const(0), ty: Type::Error, span });
        };
        if !known.contains(&word.text.as_str()) {
            self.unknown_of(codes::UNKNOWN_WORD, word, &format!("the flag `{}` has", name.text), "word", &known);
            return Some(Expr { kind: ExprKind::Const(0), ty: Type::Error, span });
        }
        let is_word = self.flag_word(&name.text) == Some(&word.text);
        Some(Expr { kind: ExprKind::Const(Value::from(is_word == is_equal)), ty: Type::Bool, span })
    }

    pub(super) fn binary_type(&mut self, scope: &Scope, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Type> {
        match op {
            BinaryOp::Implies | BinaryOp::Or | BinaryOp::And => {
                let (a, b) = (self.wants(Type::Bool, left), self.wants(Type::Bool, right));
                (a && b).then_some(Type::Bool)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                if left.ty.accepts(right.ty) {
                    return Some(Type::Bool);
                }
                let (a, b) = (self.types.show(left.ty), self.types.show(right.ty));
                self.error(codes::MISMATCH, right.span, format!("{a} cannot be compared with {b}"))
                    .notes
                    .push(base::diagnostic::Note { span: left.span, message: format!("this is {a}") });
                Some(Type::Bool)
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                let (a, b) = (self.number(left), self.number(right));
                a.and(b).map(|_| Type::Bool)
            }
            _ => {
                let (a, b) = (self.number(left), self.number(right));
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                if divides && right.constant() == Some(0) && scope.dead == 0 {
                    self.error(codes::ZERO_DIVISOR, right.span, "this divisor is zero");
                    return None;
                }
                let shifts = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                if shifts && right.wide().is_some_and(|by| by < 0) && scope.dead == 0 {
                    self.error(codes::OUT_OF_RANGE, right.span, "a shift by a negative amount has no value");
                    return None;
                }
                Some(Type::Int(result_range(op, a?, b?)))
            }
        }
    }

    /// Whether the expression is of type `wanted`; reports it if not.
    pub(super) fn wants(&mut self, wanted: Type, expr: &Expr) -> bool {
        if expr.ty == Type::Error {
            return false;
        }
        self.fits(expr.ty, wanted, expr.span)
    }

    /// The range of a number; reports it if it is none.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<Range> {
        match expr.ty {
            Type::Int(range) => Some(range),
            Type::Error => None,
            other => {
                let message = format!("a number is wanted here, not {}", self.types.show(other));
                self.error(codes::MISMATCH, expr.span, message);
                None
            }
        }
    }
}

/// The result of an operator on constants; none if it has no value.
fn fold(op: BinaryOp, a: Wide, b: Wide) -> Option<Wide> {
    Some(match op {
        BinaryOp::Implies => Wide::from(a == 0 || b != 0),
        BinaryOp::Or => Wide::from(a != 0 || b != 0),
        BinaryOp::And => Wide::from(a != 0 && b != 0),
        BinaryOp::Equal => Wide::from(a == b),
        BinaryOp::NotEqual => Wide::from(a != b),
        BinaryOp::Less => Wide::from(a < b),
        BinaryOp::LessEqual => Wide::from(a <= b),
        BinaryOp::Greater => Wide::from(a > b),
        BinaryOp::GreaterEqual => Wide::from(a >= b),
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitAnd => a & b,
        // Those of sets are folded where the element type is known.
        BinaryOp::In | BinaryOp::With | BinaryOp::Without | BinaryOp::Union | BinaryOp::Minus => 0,
        BinaryOp::ShiftLeft => shifted(i128::from(a), b).and_then(|value| Wide::try_from(value).ok())?,
        BinaryOp::ShiftRight if b < 0 => return None,
        BinaryOp::ShiftRight => a >> b.min(63),
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Subtract => a.checked_sub(b)?,
        BinaryOp::Multiply => a.checked_mul(b)?,
        BinaryOp::Divide => a.checked_div(b)?,
        BinaryOp::Remainder => a.checked_rem(b)?,
    })
}

/// `value << by`, if it has a value in 64 bits or one as far beyond.
fn shifted(value: i128, by: Wide) -> Option<i128> {
    match (value, by) {
        (_, ..0) => None,
        (0, _) => Some(0),
        (_, 0..=63) => Some(value << by),
        _ => None,
    }
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
    let high = all(ExprKind::Binary(BinaryOp::Multiply, expr(value.div_euclid(HALF)), expr(HALF)));
    ExprKind::Binary(BinaryOp::Add, high, expr(value.rem_euclid(HALF)))
}

impl Expr {
    /// The value, if it is constant, be it one that fits no number.
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

fn negated(range: Range) -> Range {
    let (low, high) = ends(range);
    hull([-low, -high])
}

/// The range of `a op b`, for operators on numbers.
fn result_range(op: BinaryOp, a: Range, b: Range) -> Range {
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
