//! `if c then a else b` in threads (semantics 1.12). In properties it is gone before: `crate::conditionals`.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use super::sets::is_set;
use crate::codes;
use crate::typed::{Expr, ExprKind};
use crate::types::Type;
use base::Span;
use base::diagnostic::Note;
use syntax::tree;

impl<'a> Checker<'a> {
    pub(super) fn conditional(
        &mut self,
        scope: &mut Scope,
        (condition, then, otherwise): (&'a tree::Expr, &'a tree::Expr, &'a tree::Expr),
        wanted: Option<Type>,
        span: Span,
    ) -> Expr {
        let condition = self.condition(scope, condition);
        let known = condition.constant();
        let is_first_unknown = wanted.is_none() && is_set(then) && !is_set(otherwise);
        let (then, otherwise) = if is_first_unknown {
            let otherwise = self.side(scope, otherwise, None, known == Some(1));
            (self.side(scope, then, Some(otherwise.ty), known == Some(0)), otherwise)
        } else {
            let then = self.side(scope, then, wanted, known == Some(0));
            let wanted = wanted.or(Some(then.ty));
            (then, self.side(scope, otherwise, wanted, known == Some(1)))
        };
        let Some(ty) = then.ty.join(otherwise.ty) else {
            let (a, b) = (self.types.show(then.ty), self.types.show(otherwise.ty));
            let message = format!("one side of this is {a}, and the other is {b}");
            self.error(codes::MISMATCH, otherwise.span, message)
                .notes
                .push(Note { span: then.span, message: format!("this is {a}") });
            return wrong(span);
        };
        match known {
            _ if ty == Type::Error || condition.ty != Type::Bool => wrong(span),
            Some(0) => otherwise,
            Some(_) => then,
            // There were too many of them, which is reported.
            None if scope.place == Place::Property => wrong(span),
            None => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(Box::new);
                Expr { kind: ExprKind::If(condition, then, otherwise), ty, span }
            }
        }
    }

    /// One of the two values; nothing is out of range in one that is never taken.
    fn side(&mut self, scope: &mut Scope, value: &'a tree::Expr, wanted: Option<Type>, is_dead: bool) -> Expr {
        scope.dead += usize::from(is_dead);
        let value = self.expr_like(scope, value, wanted);
        scope.dead -= usize::from(is_dead);
        value
    }
}
