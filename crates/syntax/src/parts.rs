//! Looking at a tree: the blocks, statements and expressions inside others, in the order of the text.

use crate::tree::{Argument, Block, Expr, ExprKind, Stmt, StmtKind};

/// The blocks of a statement, those of regions too.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match &stmt.kind {
        StmtKind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
        StmtKind::Choose(ways) => ways.iter().collect(),
        StmtKind::While { body, .. }
        | StmtKind::Each { body, .. }
        | StmtKind::Loop(body)
        | StmtKind::Atomic(body)
        | StmtKind::Then(body)
        | StmtKind::Issued(body)
        | StmtKind::Directly(body)
        | StmtKind::StopTheWorld(body) => vec![body],
        StmtKind::Transaction(transaction) => vec![&transaction.body, &transaction.handler],
        _ => Vec::new(),
    }
}

/// All statements of a block, those of inner blocks too.
pub fn stmts(block: &Block) -> Vec<&Stmt> {
    let mut all = Vec::new();
    for stmt in &block.stmts {
        all.push(stmt);
        all.extend(blocks(stmt).into_iter().flat_map(stmts));
    }
    all
}

/// The expressions of a statement itself.
pub fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Let { value, .. } => vec![value],
        StmtKind::Assign { place, value } => vec![place, value],
        StmtKind::Expr(expr) | StmtKind::Assume(expr) | StmtKind::Discard(expr) => vec![expr],
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } | StmtKind::Assert { condition, .. } => {
            vec![condition]
        }
        StmtKind::Cover { condition, .. } => condition.iter().collect(),
        StmtKind::Return(value) => value.iter().collect(),
        StmtKind::Request(request) => request.units.iter().collect(),
        _ => Vec::new(),
    }
}

/// The expressions directly inside one.
pub fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Field(e, _) | ExprKind::Unary(_, e) | ExprKind::ChooseIn(e) => vec![e],
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Call(_, all) | ExprKind::Set(all) | ExprKind::List(all) | ExprKind::Temporal(_, all) => {
            all.iter().collect()
        }
        ExprKind::Quantified { body, .. } => vec![body],
        ExprKind::At { thread, .. } => vec![thread],
        ExprKind::Method { place, arguments, .. } => {
            let of = arguments.iter().flat_map(|argument| match argument {
                Argument::Expr(e) => vec![e],
                Argument::Exchange(a, b) => vec![a, b],
            });
            std::iter::once(&**place).chain(of).collect()
        }
        _ => Vec::new(),
    }
}

/// An expression and all inside it.
pub fn parts(expr: &Expr) -> Vec<&Expr> {
    std::iter::once(expr).chain(operands(expr).into_iter().flat_map(parts)).collect()
}
