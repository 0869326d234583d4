//! Statements taken away.

use crate::derive::{Context, Draft};
use crate::mutant::Kind;
use crate::text::{never, remove, snippet};
use base::Span;
use patch::Edit;
use syntax::parts;
use syntax::tree::{Block, Expr, ExprKind, Stmt, StmtKind};

/// The statement taken away, if that is a mutant; `next` is the one behind it.
pub(crate) fn drop(context: &Context<'_>, stmt: &Stmt, next: Option<&Stmt>) -> Vec<Draft> {
    let Some(kind) = kind(context, stmt) else { return Vec::new() };
    let what = snippet(context.sources, stmt.span);
    let edit = match kind {
        Kind::DropCall if context.declared.has_labels => never(context.sources, stmt),
        _ => remove(context.sources, stmt),
    };
    let edits = std::iter::once(edit).chain(next.and_then(on_its_own)).collect();
    vec![Draft::new(kind, stmt.span, what, edits)]
}

/// What was part of the step before it becomes a step of its own.
fn on_its_own(next: &Stmt) -> Option<Edit> {
    if !matches!(next.kind, StmtKind::Then(_) | StmtKind::Issued(_)) {
        return None;
    }
    let block = parts::blocks(next).first()?.span.start;
    let label = next.label.as_ref().map_or(0, |label| label.text.len() as u32 + 1);
    Some(Edit::replace(Span { start: next.span.start + label, end: block, ..next.span }, " atomic "))
}

/// The bus lock of a body, each with the `unlock` that follows it, taken away.
pub(crate) fn drop_locks(context: &Context<'_>, body: &Block) -> Vec<(Draft, Span)> {
    let all = parts::stmts(body);
    let locks = all.iter().enumerate().filter(|(_, stmt)| stmt.kind == StmtKind::Lock);
    let pairs = locks.filter_map(|(n, lock)| {
        let unlock = all[n..].iter().find(|stmt| stmt.kind == StmtKind::Unlock)?;
        let edits = vec![remove(context.sources, lock), remove(context.sources, unlock)];
        let what = snippet(context.sources, lock.span);
        Some((Draft::new(Kind::DropLock, lock.span, what, edits), lock.span))
    });
    pairs.collect()
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
