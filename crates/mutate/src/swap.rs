//! Two neighbouring statements in the other order.

use crate::derive::{Context, Draft};
use crate::mutant::Kind;
use crate::text::snippet;
use patch::Edit;
use syntax::parts;
use syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

/// `first` after `second`. Nothing if one of them only checks, jumps or is part of the step before it, or if both only compute and
/// neither needs the other.
pub(crate) fn swap(context: &Context<'_>, first: &Stmt, second: &Stmt) -> Vec<Draft> {
    let moves = |stmt: &Stmt| !context.declared.is_checking(stmt) && !is_bound(stmt);
    if !moves(first) || !moves(second) || context.text(first.span) == context.text(second.span) {
        return Vec::new();
    }
    if are_independent(context, first, second) {
        return Vec::new();
    }
    let edits = vec![
        Edit::replace(first.span, context.text(second.span)),
        Edit::replace(second.span, context.text(first.span)),
    ];
    let what = format!("{} <-> {}", snippet(context.sources, first.span), snippet(context.sources, second.span));
    vec![Draft::new(Kind::Swap, first.span, what, edits)]
}

fn is_bound(stmt: &Stmt) -> bool {
    use StmtKind::{Break, Continue, Issued, Return, Stop, Then};
    matches!(stmt.kind, Return(_) | Break | Continue | Stop | Then(_) | Issued(_))
}

/// Whether both only give registers values, none of which the other has to do with. Where a name is declared by one and used
/// by the other, the text swapped would be no program.
fn are_independent(context: &Context<'_>, first: &Stmt, second: &Stmt) -> bool {
    let (Some(a), Some(b)) = (assigned(first), assigned(second)) else {
        return declares(first).is_some_and(|name| names(second).contains(&name));
    };
    let is_local = |stmt: &Stmt| parts::exprs(stmt).into_iter().flat_map(parts::parts).all(|e| is_local(context, e));
    let needs = |stmt: &Stmt, name: &str| names(stmt).contains(&name);
    needs(second, a) && declares(first).is_some()
        || is_local(first) && is_local(second) && !needs(second, a) && !needs(first, b)
}

fn is_local(context: &Context<'_>, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Method { .. } | ExprKind::Call(..) | ExprKind::Choose(_) | ExprKind::ChooseIn(_) => false,
        _ => !context.declared.is_shared(expr),
    }
}

fn declares(stmt: &Stmt) -> Option<&str> {
    match &stmt.kind {
        StmtKind::Let { name, .. } => Some(&name.text),
        _ => None,
    }
}

/// The register that a statement gives a value.
fn assigned(stmt: &Stmt) -> Option<&str> {
    match &stmt.kind {
        StmtKind::Assign { place: Expr { kind: ExprKind::Name(name), .. }, .. } => Some(&name.text),
        _ => declares(stmt),
    }
}

/// All names in a statement.
fn names(stmt: &Stmt) -> Vec<&str> {
    let own = parts::exprs(stmt).into_iter();
    let inner = parts::blocks(stmt).into_iter().flat_map(parts::stmts).flat_map(parts::exprs);
    let all = own.chain(inner).flat_map(parts::parts);
    all.filter_map(|expr| match &expr.kind {
        ExprKind::Name(name) => Some(name.text.as_str()),
        _ => None,
    })
    .collect()
}
