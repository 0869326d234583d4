//! Statements taken away.

use crate::derive::{Context, Draft};
use crate::mutant::Kind;
use crate::text::{remove, snippet};
use syntax::tree::{Block, Expr, ExprKind, Stmt, StmtKind};

/// The statement taken away, if that is a mutant.
pub(crate) fn drop(context: &Context<'_>, stmt: &Stmt) -> Vec<Draft> {
    let Some(kind) = kind(context, stmt) else { return Vec::new() };
    let what = snippet(context.sources, stmt.span);
    vec![Draft::new(kind, stmt.span, what, vec![remove(context.sources, stmt)])]
}

fn kind(context: &Context<'_>, stmt: &Stmt) -> Option<Kind> {
    match &stmt.kind {
        StmtKind::Fence(kind) if context.value(&kind.text) == "none" => None,
        StmtKind::Fence(_) => Some(Kind::DropFence),
        StmtKind::Assign { place, .. } if context.declared.is_shared(place) => Some(Kind::DropStore),
        StmtKind::Assign { .. } => Some(Kind::DropAssignment),
        StmtKind::Expr(expr) => effect(expr),
        StmtKind::Assume(condition) if context.declared.is_constant(condition) => None,
        StmtKind::Assume(_) => Some(Kind::DropAssume),
        StmtKind::While { body, .. } if is_idle(body) => Some(Kind::DropWait),
        StmtKind::Request(_) => Some(Kind::DropRequest),
        StmtKind::Perform => Some(Kind::DropPerform),
        _ => None,
    }
}

fn effect(expr: &Expr) -> Option<Kind> {
    match &expr.kind {
        ExprKind::Call(..) => Some(Kind::DropCall),
        ExprKind::Method { name, .. } if name.text == "store" => Some(Kind::DropStore),
        ExprKind::Method { name, .. } if name.text == "load" => None,
        ExprKind::Method { .. } => Some(Kind::DropRmw),
        _ => None,
    }
}

/// Whether a loop with this body does nothing but wait.
pub(crate) fn is_idle(body: &Block) -> bool {
    body.stmts.iter().all(|stmt| matches!(stmt.kind, StmtKind::Skip | StmtKind::Safepoint))
}
