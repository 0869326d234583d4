//! Operations that read and write in one, taken apart: a load, a comparison, a store.

use crate::derive::{Context, Draft};
use crate::mutant::Kind;
use crate::text::{in_parentheses, snippet};
use base::Span;
use patch::{Edit, indent};
use syntax::parts;
use syntax::tree::{Argument, BinaryOp, Expr, ExprKind, Stmt, StmtKind};

/// Each operation of the statement taken apart. `room` says whether a statement can stand before it.
pub(crate) fn atomicity(context: &Context<'_>, stmt: &Stmt, room: bool) -> Vec<Draft> {
    let is_plain = matches!(
        stmt.kind,
        StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::If { .. }
    );
    let is_loop = matches!(stmt.kind, StmtKind::While { .. }) && stmt.label.is_none();
    if !(is_plain && room || is_loop) {
        return Vec::new();
    }
    let operations = parts::exprs(stmt).into_iter().flat_map(certain);
    operations.filter_map(|operation| apart(context, stmt, operation)).collect()
}

/// The parts of an expression that are evaluated whenever it is.
fn certain(expr: &Expr) -> Vec<&Expr> {
    let inner = match &expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, _) => vec![&**left],
        _ => parts::operands(expr),
    };
    std::iter::once(expr).chain(inner.into_iter().flat_map(certain)).collect()
}

/// The statement with the operation replaced by a register, and what gives that register its value.
fn apart(context: &Context<'_>, stmt: &Stmt, operation: &Expr) -> Option<Draft> {
    let seen = context.fresh(stmt.span.file, "seen");
    let lines = lines(context, operation, &seen)?;
    let edits = match &stmt.kind {
        StmtKind::Expr(expr) if expr.span == operation.span => {
            vec![Edit::replace(stmt.span, before(context, stmt, &lines, ""))]
        }
        StmtKind::While { condition, body } => {
            let start = Span { end: condition.span.start, ..stmt.span };
            let open = Span { start: condition.span.end, end: body.span.start + 1, ..stmt.span };
            vec![
                Edit::replace(start, format!("loop {{ {}if not (", inline(&lines))),
                Edit::replace(operation.span, seen),
                Edit::replace(open, ") { break }"),
            ]
        }
        _ => vec![
            Edit::insert(stmt.span, stmt.span.start, before(context, stmt, &lines, "then")),
            Edit::replace(operation.span, seen),
        ],
    };
    Some(Draft::new(Kind::DropAtomicity, operation.span, snippet(context.sources, operation.span), edits))
}

/// The statements that do what the operation does, in several steps.
fn lines(context: &Context<'_>, operation: &Expr, seen: &str) -> Option<[String; 2]> {
    let ExprKind::Method { place, name, arguments } = &operation.kind else { return None };
    let place = context.text(place.span);
    let text = |expr: &Expr| context.text(expr.span);
    Some(match (name.text.as_str(), arguments.first()?) {
        ("cas", Argument::Exchange(old, new)) => [
            format!("let {seen} = {place} == {}", in_parentheses(text(old))),
            format!("if {seen} {{ {place} = {} }}", text(new)),
        ],
        ("cas_old", Argument::Exchange(old, new)) => [
            format!("let {seen} = {place}"),
            format!("if {seen} == {} {{ {place} = {} }}", in_parentheses(text(old)), text(new)),
        ],
        ("swap", Argument::Expr(new)) => [format!("let {seen} = {place}"), format!("{place} = {}", text(new))],
        ("fetch_add" | "fetch_and" | "fetch_or", Argument::Expr(by)) => {
            let op = match name.text.as_str() {
                "fetch_add" => "+",
                "fetch_and" => "&",
                _ => "|",
            };
            [format!("let {seen} = {place}"), format!("{place} = {seen} {op} {}", in_parentheses(text(by)))]
        }
        _ => return None,
    })
}

/// The lines, each on a line of its own if the statement begins one, and then, if something follows, room for it.
fn before(context: &Context<'_>, stmt: &Stmt, lines: &[String; 2], then: &str) -> String {
    match indent(context.sources, stmt.span) {
        Some(indent) if then.is_empty() => format!("{}\n{indent}{}", lines[0], lines[1]),
        Some(indent) => format!("{}\n{indent}{}\n{indent}", lines[0], lines[1]),
        None if then.is_empty() => inline(lines).trim_end_matches("; ").into(),
        None => inline(lines),
    }
}

fn inline(lines: &[String; 2]) -> String {
    let end = if lines[1].ends_with('}') { " " } else { "; " };
    format!("{}; {}{end}", lines[0], lines[1])
}
