//! Operators: types of operands and results, folding of constants, ranges of results.

use super::Checker;
use super::scope::Scope;
use super::sets::is_set;
use crate::codes;
use crate::names::Decl;
use crate::typed::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::{Range, Type, Value};
use base::Span;
use syntax::tree;

impl<'a> Checker<'a> {
    pub(super) fn unary(&mut self, scope: &mut Scope, op: UnaryOp, operand: &'a tree::Expr, span: Span) -> Expr {
        let operand = self.expr(scope, operand);
        let ty = match op {
            UnaryOp::Not => self.wants(Type::Bool, &operand).then_some(Type::Bool),
            UnaryOp::Negate => self.number(&operand).map(|r| Type::Int(hull([-i64::from(r.low), -i64::from(r.high)]))),
        };
        let kind = match (op, operand.constant()) {
            (UnaryOp::Not, Some(value)) => ExprKind::Const(Value::from(value == 0)),
            (UnaryOp::Negate, Some(value)) => ExprKind::Const(value.wrapping_neg()),
            _ => ExprKind::Unary(op, Box::new(operand)),
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
        let ty = self.binary_type(scope, op, &left, &right).unwrap_or(Type::Error);
        let constant = match (left.constant(), right.constant()) {
            (Some(a), Some(b)) => Some(fold(op, a, b)),
            (Some(0), None) if op == BinaryOp::And => Some(0),
            (Some(0), None) if op == BinaryOp::Implies => Some(1),
            (Some(1), None) if op == BinaryOp::Or => Some(1),
            _ => None,
        };
        let kind = match constant {
            Some(value) => ExprKind::Const(value),
            None => ExprKind::Binary(op, Box::new(left), Box::new(right)),
        };
        Expr { kind, ty, span }
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

/// The result of an operator on constants; a division by zero gives zero.
fn fold(op: BinaryOp, a: Value, b: Value) -> Value {
    match op {
        BinaryOp::Implies => Value::from(a == 0 || b != 0),
        BinaryOp::Or => Value::from(a != 0 || b != 0),
        BinaryOp::And => Value::from(a != 0 && b != 0),
        BinaryOp::Equal => Value::from(a == b),
        BinaryOp::NotEqual => Value::from(a != b),
        BinaryOp::Less => Value::from(a < b),
        BinaryOp::LessEqual => Value::from(a <= b),
        BinaryOp::Greater => Value::from(a > b),
        BinaryOp::GreaterEqual => Value::from(a >= b),
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitAnd => a & b,
        // Those of sets are folded where the element type is known.
        BinaryOp::In | BinaryOp::With | BinaryOp::Without | BinaryOp::Union | BinaryOp::Minus => 0,
        BinaryOp::ShiftLeft => a.checked_shl(b as u32).unwrap_or(0),
        BinaryOp::ShiftRight => a.checked_shr(b as u32).unwrap_or(0),
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide => a.checked_div(b).unwrap_or(0),
        BinaryOp::Remainder => a.checked_rem(b).unwrap_or(0),
    }
}

/// The least range with all of `values`, or all numbers if one does not fit: arithmetic wraps then.
fn hull(values: impl IntoIterator<Item = i64>) -> Range {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for value in values {
        low = low.min(value);
        high = high.max(value);
    }
    match (Value::try_from(low), Value::try_from(high)) {
        (Ok(low), Ok(high)) => Range::new(low, high),
        _ => Range::new(Value::MIN, Value::MAX),
    }
}

/// The range of `a op b`, for operators on numbers.
fn result_range(op: BinaryOp, a: Range, b: Range) -> Range {
    let (al, ah, bl, bh) = (i64::from(a.low), i64::from(a.high), i64::from(b.low), i64::from(b.high));
    let corners = |f: &dyn Fn(i64, i64) -> i64| hull([f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)]);
    let is_shift = bl >= 0 && bh <= 31;
    match op {
        BinaryOp::Add => corners(&|x, y| x + y),
        BinaryOp::Subtract => corners(&|x, y| x - y),
        BinaryOp::Multiply => corners(&|x, y| x * y),
        BinaryOp::ShiftLeft if is_shift => corners(&|x, y| x << y),
        BinaryOp::ShiftRight if is_shift => corners(&|x, y| x >> y),
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
            hull([0, ((ah.max(bh) + 1) as u64).next_power_of_two() as i64 - 1])
        }
        _ => Range::new(Value::MIN, Value::MAX),
    }
}
