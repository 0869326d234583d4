//! How the text writes each access, so that its order can be changed there.

use crate::places::{bodies, inner_blocks};
use base::Span;
use program::Loaded;
use rustc_hash::FxHashMap;
use syntax::parts::{exprs, parts};
use syntax::tree::{Argument, Block, Expr, ExprKind, Stmt, StmtKind};

/// How an access is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writing {
    /// `place`: a plain load.
    Load,
    /// `place = value`: a plain store. The spans of both sides.
    Store(Span, Span),
    /// `place.cas(old -> new, order, failure_order)`
    Method {
        /// The closing bracket's first byte.
        close: u32,
        /// Whether there are other arguments than orders.
        has_values: bool,
        /// The order, where written.
        order: Option<Span>,
        /// The failure order, where written.
        failure: Option<Span>,
    },
}

/// An access of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// How.
    pub writing: Writing,
    /// Branches of its procedure around it.
    pub n_branches: u32,
}

/// Everything in the protocol's bodies that may be an access, by span. What only checks (assertions, assumptions,
/// covers) is left out: it is no part of the protocol.
pub(crate) fn written(loaded: &Loaded) -> FxHashMap<Span, Written> {
    let mut found = FxHashMap::default();
    for block in bodies(loaded) {
        in_block(block, 0, &mut found);
    }
    found
}

fn in_block(block: &Block, n_branches: u32, found: &mut FxHashMap<Span, Written>) {
    for stmt in &block.stmts {
        in_stmt(stmt, n_branches, found);
        for (inner, is_branch) in inner_blocks(stmt) {
            in_block(inner, n_branches + u32::from(is_branch), found);
        }
    }
}

fn in_stmt(stmt: &Stmt, n_branches: u32, found: &mut FxHashMap<Span, Written>) {
    if matches!(
        stmt.kind,
        StmtKind::Assert { .. } | StmtKind::Assume(_) | StmtKind::Discard(_) | StmtKind::Cover { .. }
    ) {
        return;
    }
    for expr in exprs(stmt).into_iter().flat_map(parts) {
        found.insert(expr.span, Written { writing: writing(expr), n_branches });
    }
    if let StmtKind::Assign { place, value } = &stmt.kind {
        found.insert(stmt.span, Written { writing: Writing::Store(place.span, value.span), n_branches });
    }
}

fn writing(expr: &Expr) -> Writing {
    let ExprKind::Method { arguments, .. } = &expr.kind else { return Writing::Load };
    let is_order = |argument: &&Argument| order_span(argument).is_some();
    let n_values = arguments.len() - arguments.iter().rev().take_while(is_order).count();
    // `swap(flag, acquire)`: the first argument of a method that takes a value is a value, whatever it is.
    let n_values = n_values.max(usize::from(takes_value(expr)));
    let order = |n: usize| arguments.get(n_values + n).and_then(order_span);
    Writing::Method { close: expr.span.end - 1, has_values: n_values > 0, order: order(0), failure: order(1) }
}

fn takes_value(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Method { name, .. } if name.text != "load" && name.text != "ll")
}

/// The argument's span, if it may be an order: a word, or a flag's name.
fn order_span(argument: &Argument) -> Option<Span> {
    match argument {
        Argument::Expr(Expr { kind: ExprKind::Name(name), .. }) => Some(name.span),
        _ => None,
    }
}
