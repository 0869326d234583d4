//! Conditions forced, negated, or with another connective.

use crate::derive::{Context, Draft};
use crate::drop::is_idle;
use crate::mutant::Kind;
use crate::text::{in_parentheses, snippet};
use base::Span;
use patch::Edit;
use syntax::parts;
use syntax::tree::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};

/// Each other condition that could stand in the statement. A condition on flags and parameters alone is left as it is: other
/// settings of those are variants.
pub(crate) fn condition(context: &Context<'_>, stmt: &Stmt) -> Vec<Draft> {
    let kinds: &[Kind] = match &stmt.kind {
        StmtKind::If { .. } => &[Kind::ConditionAlways, Kind::ConditionNever, Kind::ConditionNegated],
        StmtKind::While { body, .. } if !is_idle(body) => &[Kind::ConditionNever],
        _ => &[],
    };
    let own = match &stmt.kind {
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => Some(condition),
        _ => None,
    };
    let own = own.filter(|condition| !context.declared.is_constant(condition));
    let forced = own.into_iter().flat_map(|condition| kinds.iter().map(move |kind| force(context, *kind, condition)));
    forced.chain(connectives(context, stmt)).collect()
}

fn force(context: &Context<'_>, kind: Kind, condition: &Expr) -> Draft {
    let text = context.text(condition.span);
    let acts = parts::parts(condition).iter().any(|e| matches!(e.kind, ExprKind::Call(..) | ExprKind::Method { .. }));
    // What the condition does, such as a CAS, is still done.
    let text = match kind {
        Kind::ConditionAlways if acts => format!("{} or true", in_parentheses(text)),
        Kind::ConditionNever if acts => format!("{} and false", in_parentheses(text)),
        Kind::ConditionAlways => "true".into(),
        Kind::ConditionNever => "false".into(),
        _ => format!("not {}", in_parentheses(text)),
    };
    Draft::new(
        kind,
        condition.span,
        snippet(context.sources, condition.span),
        vec![Edit::replace(condition.span, text)],
    )
}

/// `and` in place of `or` and the reverse, wherever the statement has one.
fn connectives<'a>(context: &'a Context<'_>, stmt: &'a Stmt) -> impl Iterator<Item = Draft> + 'a {
    parts::exprs(stmt).into_iter().flat_map(parts::parts).filter_map(|expr| connective(context, expr))
}

fn connective(context: &Context<'_>, expr: &Expr) -> Option<Draft> {
    let ExprKind::Binary(op, left, right) = &expr.kind else { return None };
    let (now, other) = match op {
        BinaryOp::Or => ("or", "and"),
        BinaryOp::And => ("and", "or"),
        _ => return None,
    };
    if context.declared.is_constant(left) || context.declared.is_constant(right) {
        return None;
    }
    let between = Span { start: left.span.end, end: right.span.start, ..expr.span };
    let start = between.start + context.text(between).find(now)? as u32;
    let word = Span { start, end: start + now.len() as u32, ..expr.span };
    let what = format!("{}: {now} -> {other}", snippet(context.sources, expr.span));
    Some(Draft::new(Kind::ConditionConnective, expr.span, what, vec![Edit::replace(word, other)]))
}
