//! Operators: types of operands and results. `arithmetic` has what they compute.

use super::Checker;
use super::arithmetic::{fold, negated, number, result_range};
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

    /// A constant that was computed. One that fits no number is reported, and is computed anew wherever it is used.
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
            self.error(codes::UNKNOWN_WORD, other.span, message).hint = base::suggest::hint("", known);
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
