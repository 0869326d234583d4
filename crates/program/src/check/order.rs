//! Where `then`, `when issued` and `unordered` may stand (semantics 3.6, 3.9, 3.10).

use super::regions::Complaint;
use crate::codes;
use crate::typed::{Expr, ExprKind, Op, Region, SharedKind, Stmt, StmtKind};

/// What is wrong with the place of `stmt`, `before` being the statement before it in its block.
pub(super) fn complaint(before: Option<&Stmt>, stmt: &Stmt) -> Option<Complaint> {
    let before = before.map(|before| &before.kind);
    match &stmt.kind {
        StmtKind::Region(Region::Then, _) if !before.is_some_and(is_operation) => {
            let message = "this `then` has no memory operation of its own";
            let hint = "it stands right behind a load, a store or another operation on memory, such as `let r = x`";
            Some((codes::MISPLACED_THEN, stmt.span, message.into(), hint, None))
        }
        StmtKind::Region(Region::Issued, _) if !before.is_some_and(is_store) => {
            let message = "this `when issued` has no store of its own";
            Some((
                codes::MISPLACED_THEN,
                stmt.span,
                message.into(),
                "it stands right behind a store, such as `x = 1`",
                None,
            ))
        }
        _ if stmt.is_unordered && !is_step(stmt) => {
            let message = "this statement is no step on abstract state, so `unordered` means nothing";
            let hint =
                "it stands before `atomic`, `directly`, `lock`, `request`, or what reads or writes abstract state";
            Some((codes::MISPLACED_UNORDERED, stmt.span, message.into(), hint, None))
        }
        _ => None,
    }
}

/// Whether the last thing that a statement does is one operation on memory.
fn is_operation(kind: &StmtKind) -> bool {
    let is_one = |expr: &Expr| match &expr.kind {
        ExprKind::Load(place) => place.kind == SharedKind::Cell,
        ExprKind::Access(_) => true,
        _ => false,
    };
    match kind {
        StmtKind::Set(_, value) | StmtKind::Eval(value) => is_one(value),
        StmtKind::Store(place, _) => place.kind == SharedKind::Cell,
        _ => false,
    }
}

/// Whether it is a store and nothing else: no read-modify-write.
fn is_store(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Store(place, _) => place.kind == SharedKind::Cell,
        StmtKind::Eval(Expr { kind: ExprKind::Access(access), .. }) => matches!(access.op, Op::Store(_)),
        _ => false,
    }
}

/// Whether a statement is a region by itself.
fn is_step(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Region(Region::Atomic | Region::Direct, _) | StmtKind::Lock => true,
        StmtKind::Store(place, _) if place.kind != SharedKind::Cell => true,
        StmtKind::Region(..) => false,
        _ => stmt.exprs().into_iter().any(Expr::reads_abstract),
    }
}
