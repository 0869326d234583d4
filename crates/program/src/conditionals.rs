//! Conditional expressions in properties (semantics 8.9).
//!
//! The condition around `if c then a else b`, which says `f` of it, means `(c and f(a)) or (not c and f(b))`. It is replaced by that
//! before types are checked, so that no later stage knows conditional expressions in properties.

use crate::{Loaded, codes};
use base::{Diagnostic, Span};
use syntax::parts::{self, mutable};
use syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Conditional expressions in one comparison: each doubles it.
const MAX_LIFTED: usize = 6;

/// Replaces the conditional expressions in all properties and predicates.
pub(crate) fn lift(loaded: &mut Loaded) {
    let out = &mut loaded.diagnostics;
    for item in loaded.modules.iter_mut().flat_map(|module| &mut module.items) {
        for condition in mutable::of_item(&mut item.kind).conditions {
            lift_condition(condition, out);
        }
    }
}

/// Lifts within an expression that is a truth.
fn lift_condition(condition: &mut Expr, out: &mut Vec<Diagnostic>) {
    let is_logical = matches!(
        condition.kind,
        ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, ..)
            | ExprKind::Quantified { .. }
            | ExprKind::Temporal(..)
    );
    if !is_logical {
        let n_conditionals = parts::parts(condition).iter().filter(|part| is_conditional(part)).count();
        if n_conditionals > MAX_LIFTED {
            let message = format!("more than {MAX_LIFTED} conditional expressions in one comparison");
            let hint = "each doubles the condition: state fewer, or use a `predicate` for each side";
            out.push(Diagnostic::error(codes::TOO_LARGE, condition.span, message).hint(hint));
        }
        if !(1..=MAX_LIFTED).contains(&n_conditionals) {
            return;
        }
        lift_one(condition);
    }
    mutable::operands(condition).into_iter().for_each(|operand| lift_condition(operand, out));
}

fn is_conditional(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::If { .. })
}

/// `f(if c then a else b)` becomes `(c and f(a)) or (not c and f(b))`, for the first conditional expression in it.
fn lift_one(condition: &mut Expr) {
    let mut other = condition.clone();
    let Some(decides) = replace_first(condition, true) else { return };
    replace_first(&mut other, false);
    let span = condition.span;
    let not = Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(decides.clone())), span };
    let both = |left, right| join(BinaryOp::And, left, right, span);
    let then = std::mem::replace(condition, Expr { kind: ExprKind::Error, span });
    *condition = join(BinaryOp::Or, both(decides, then), both(not, other), span);
}

/// Replaces the first conditional expression by one of its sides; gives its condition.
fn replace_first(expr: &mut Expr, side: bool) -> Option<Expr> {
    if let ExprKind::If { condition, then, otherwise } = &mut expr.kind {
        let decides = (**condition).clone();
        let taken = if side { (**then).clone() } else { (**otherwise).clone() };
        *expr = taken;
        return Some(decides);
    }
    mutable::operands(expr).into_iter().find_map(|operand| replace_first(operand, side))
}

fn join(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
