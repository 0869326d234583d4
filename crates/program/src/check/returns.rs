//! A procedure with a result returns on every path.

use super::Checker;
use crate::codes;
use crate::typed::{Stmt, StmtKind};
use base::Span;

impl Checker<'_> {
    /// Reports a procedure whose statements may end without `return`.
    pub(super) fn check_returns(&mut self, name: &str, span: Span, block: &[Stmt]) {
        if may_end(block) {
            let message = format!("`{name}` has a result, but may end without `return`");
            self.error(codes::MISSING_RETURN, span, message).hint = Some("end every path with `return e`".into());
        }
    }
}

/// Whether control may reach the end of a block.
fn may_end(block: &[Stmt]) -> bool {
    block.iter().all(may_pass)
}

/// Whether control may continue after a statement.
fn may_pass(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Stop | StmtKind::Abort(_) | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::If(condition, then, otherwise) => match condition.constant() {
            Some(0) => may_end(otherwise),
            Some(_) => may_end(then),
            None => may_end(then) || may_end(otherwise),
        },
        StmtKind::Choose(blocks) => blocks.iter().any(|b| may_end(b)),
        StmtKind::Region(_, body) => may_end(body),
        StmtKind::Transaction(transaction) => may_end(&transaction.body) || may_end(&transaction.handler),
        StmtKind::Loop(body) => may_break(body),
        StmtKind::While(condition, body) if condition.constant() == Some(1) => may_break(body),
        StmtKind::Assume(condition) | StmtKind::Discard(condition) => condition.constant() != Some(0),
        StmtKind::Each(_, body) => may_end(body) || may_break(body) || may_continue(body),
        _ => true,
    }
}

/// Whether a `break` of this loop's body leaves the loop.
fn may_break(body: &[Stmt]) -> bool {
    jumps(body, &|kind| matches!(kind, StmtKind::Break))
}

fn may_continue(body: &[Stmt]) -> bool {
    jumps(body, &|kind| matches!(kind, StmtKind::Continue))
}

/// Whether the body has a jump of that kind that is not of an inner loop.
fn jumps(body: &[Stmt], is_wanted: &dyn Fn(&StmtKind) -> bool) -> bool {
    body.iter().any(|stmt| {
        let is_loop = matches!(stmt.kind, StmtKind::Loop(_) | StmtKind::While(..) | StmtKind::Each(..));
        is_wanted(&stmt.kind) || (!is_loop && stmt.blocks().into_iter().any(|b| jumps(b, is_wanted)))
    })
}
