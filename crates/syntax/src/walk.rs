//! Walking through a tree: every statement and every expression of an item, each part after its own parts.

use crate::tree::{Argument, Block, Expr, ExprKind, ItemKind, Stmt, StmtKind};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a statement, a guard or a declaration.
    Code,
    /// In a property or predicate.
    Property,
}

/// Calls `visit` with every expression of an item.
pub fn exprs(item: &mut ItemKind, visit: &mut impl FnMut(&mut Expr, Place)) {
    for expr in conditions(item) {
        within(expr, &mut |expr| visit(expr, Place::Property));
    }
    for expr in values(item) {
        within(expr, &mut |expr| visit(expr, Place::Code));
    }
    stmts(item, &mut |stmt| {
        for expr in of_stmt(&mut stmt.kind) {
            within(expr, &mut |expr| visit(expr, Place::Code));
        }
    });
}

/// Calls `visit` with every statement of an item.
pub fn stmts(item: &mut ItemKind, visit: &mut impl FnMut(&mut Stmt)) {
    let bodies: Vec<&mut Block> = match item {
        ItemKind::Proc { body, .. } => vec![body],
        ItemKind::Thread(thread) => vec![&mut thread.body],
        ItemKind::Work(work) => vec![&mut work.body],
        ItemKind::Scenario(scenario) => scenario.threads.iter_mut().map(|thread| &mut thread.body).collect(),
        _ => Vec::new(),
    };
    for body in bodies {
        block(body, visit);
    }
}

fn block(block_: &mut Block, visit: &mut impl FnMut(&mut Stmt)) {
    for stmt in &mut block_.stmts {
        match &mut stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                block(then, visit);
                otherwise.iter_mut().for_each(|otherwise| block(otherwise, visit));
            }
            StmtKind::Choose(blocks) => blocks.iter_mut().for_each(|way| block(way, visit)),
            StmtKind::While { body, .. }
            | StmtKind::Each { body, .. }
            | StmtKind::Loop(body)
            | StmtKind::Atomic(body)
            | StmtKind::Then(body)
            | StmtKind::Issued(body)
            | StmtKind::Directly(body)
            | StmtKind::StopTheWorld(body) => block(body, visit),
            StmtKind::Transaction(transaction) => {
                block(&mut transaction.body, visit);
                block(&mut transaction.handler, visit);
            }
            _ => {}
        }
        visit(stmt);
    }
}

/// The conditions of a property or predicate.
fn conditions(item: &mut ItemKind) -> Vec<&mut Expr> {
    match item {
        ItemKind::Invariant { condition, .. }
        | ItemKind::Forbid { condition, .. }
        | ItemKind::Cover { condition, .. }
        | ItemKind::Predicate { condition, .. } => vec![condition],
        ItemKind::Ltl { formula, .. } => vec![formula],
        _ => Vec::new(),
    }
}

/// The guards of buckets and of the releaser.
fn values(item: &mut ItemKind) -> Vec<&mut Expr> {
    match item {
        ItemKind::Bucket(bucket) => bucket.opens.iter_mut().chain(&mut bucket.closes).collect(),
        ItemKind::Releaser(releaser) => vec![&mut releaser.ends],
        _ => Vec::new(),
    }
}

fn of_stmt(stmt: &mut StmtKind) -> Vec<&mut Expr> {
    match stmt {
        StmtKind::Let { value, .. } => vec![value],
        StmtKind::Assign { place, value } => vec![place, value],
        StmtKind::Expr(expr) | StmtKind::Assume(expr) => vec![expr],
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } | StmtKind::Assert { condition, .. } => {
            vec![condition]
        }
        StmtKind::Cover { condition, .. } => condition.iter_mut().collect(),
        StmtKind::Return(value) | StmtKind::Abort(value) => value.iter_mut().collect(),
        StmtKind::Transaction(transaction) => transaction.capacity.iter_mut().collect(),
        StmtKind::Request(request) => request.units.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Calls `visit` with every part of an expression, and then with it.
fn within(expr: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) | ExprKind::ChooseIn(inner) => within(inner, visit),
        ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
            within(left, visit);
            within(right, visit);
        }
        ExprKind::Call(_, parts) | ExprKind::Set(parts) | ExprKind::List(parts) | ExprKind::Temporal(_, parts) => {
            parts.iter_mut().for_each(|part| within(part, visit));
        }
        ExprKind::Method { place, arguments, .. } => {
            within(place, visit);
            for argument in arguments {
                match argument {
                    Argument::Expr(value) => within(value, visit),
                    Argument::Exchange(old, new) => {
                        within(old, visit);
                        within(new, visit);
                    }
                }
            }
        }
        ExprKind::Quantified { body, .. } => within(body, visit),
        _ => {}
    }
    visit(expr);
}
