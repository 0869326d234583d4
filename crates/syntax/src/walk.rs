//! Changing a tree: every statement and every expression of an item, each after its own parts.

use crate::parts::mutable::{of_item, of_stmt, operands};
use crate::tree::{Block, Expr, ItemKind, Stmt};

/// Where an expression is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a statement or a guard.
    Code,
    /// In a property or predicate.
    Property,
}

/// Calls `visit` with every expression of an item.
pub fn exprs(item: &mut ItemKind, visit: &mut impl FnMut(&mut Expr, Place)) {
    let parts = of_item(item);
    for expr in parts.conditions {
        within(expr, &mut |expr| visit(expr, Place::Property));
    }
    for expr in parts.guards {
        within(expr, &mut |expr| visit(expr, Place::Code));
    }
    for body in parts.bodies {
        block(body, &mut |stmt| {
            for expr in of_stmt(stmt).exprs {
                within(expr, &mut |expr| visit(expr, Place::Code));
            }
        });
    }
}

/// Calls `visit` with every statement of an item.
pub fn stmts(item: &mut ItemKind, visit: &mut impl FnMut(&mut Stmt)) {
    for body in of_item(item).bodies {
        block(body, visit);
    }
}

fn block(block_: &mut Block, visit: &mut impl FnMut(&mut Stmt)) {
    for stmt in &mut block_.stmts {
        for inner in of_stmt(stmt).blocks {
            block(inner, visit);
        }
        visit(stmt);
    }
}

/// Calls `visit` with every part of an expression, and then with it.
fn within(expr: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    for part in operands(expr) {
        within(part, visit);
    }
    visit(expr);
}
