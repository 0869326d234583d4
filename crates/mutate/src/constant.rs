//! Values changed: another constant of its kind, a boolean negated.

use crate::derive::{Context, Draft};
use crate::mutant::Kind;
use crate::text::{in_parentheses, snippet};
use patch::Edit;
use syntax::tree::{Argument, Expr, ExprKind, Stmt, StmtKind, UnaryOp};

/// A value with more characters is not repeated.
const LONG: usize = 24;

/// Each other value that could be stored, assigned, returned or passed by the statement.
pub(crate) fn constant(context: &Context<'_>, stmt: &Stmt) -> Vec<Draft> {
    let values = match &stmt.kind {
        StmtKind::Let { value, .. } | StmtKind::Assign { value, .. } | StmtKind::Return(Some(value)) => values(value),
        StmtKind::Expr(expr) => arguments(expr),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => arguments(condition),
        _ => Vec::new(),
    };
    values.into_iter().flat_map(|value| others(context, stmt, value)).collect()
}

/// A value and those that it is made of.
fn values(expr: &Expr) -> Vec<&Expr> {
    std::iter::once(expr).chain(arguments(expr)).collect()
}

/// What a call, an operation or a word is given.
fn arguments(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Call(_, all) | ExprKind::Set(all) => all.iter().flat_map(values).collect(),
        ExprKind::Unary(UnaryOp::Not, inner) => arguments(inner),
        ExprKind::Method { arguments, .. } => {
            let given = arguments.iter().map(|argument| match argument {
                Argument::Expr(value) | Argument::Exchange(_, value) => value,
            });
            given.flat_map(values).collect()
        }
        _ => Vec::new(),
    }
}

fn others(context: &Context<'_>, stmt: &Stmt, value: &Expr) -> Vec<Draft> {
    let now = context.text(value.span);
    let put = |kind: Kind, text: String| {
        let shown = snippet(context.sources, stmt.span);
        let what = if now.len() > LONG { format!("{shown}: negated") } else { format!("{shown}: {now} -> {text}") };
        Draft::new(kind, value.span, what, vec![Edit::replace(value.span, text)])
    };
    match &value.kind {
        ExprKind::Int(n @ (0 | 1)) => vec![put(Kind::ConstantValue, (1 - n).to_string())],
        ExprKind::Bool(is_true) => vec![put(Kind::ConstantNegated, (!is_true).to_string())],
        ExprKind::Unary(UnaryOp::Not, inner) => {
            vec![put(Kind::ConstantNegated, context.text(inner.span).to_string())]
        }
        ExprKind::Name(name) if context.declared.alike.contains_key(&name.text) => {
            let alike = context.declared.alike[&name.text].iter().filter(|other| **other != name.text);
            alike.map(|other| put(Kind::ConstantValue, other.clone())).collect()
        }
        _ if context.declared.is_bool(value) && !context.declared.is_constant(value) => {
            vec![put(Kind::ConstantNegated, format!("not {}", in_parentheses(now)))]
        }
        _ => Vec::new(),
    }
}
