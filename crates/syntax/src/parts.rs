//! The parts of the tree: the one place that lists what is inside an item, a statement and an expression.
//!
//! Every pass that walks the tree starts here, so a new construct is listed once. No match has a `_` arm: the compiler asks
//! where a new construct keeps its parts. The lists are in the order of the text, and the definition is used twice: for
//! reading (this module) and for changing (`mutable`).
//!
//! Types and the values of declarations (`const`, `param`, initial values, settings) are constants. They are no parts: the
//! checker evaluates them where they are declared.

use crate::tree::{Argument, Block, Expr, ExprKind, Item, ItemKind, Name, Stmt, StmtKind};

/// The name that an item declares as a whole; none if it declares none, or only names inside.
pub fn name_of(kind: &ItemKind) -> Option<&Name> {
    match kind {
        ItemKind::Param { name, .. }
        | ItemKind::Flag { name, .. }
        | ItemKind::Const { name, .. }
        | ItemKind::TypeAlias { name, .. }
        | ItemKind::Enum { name, .. }
        | ItemKind::Word { name, .. }
        | ItemKind::Object { name, .. }
        | ItemKind::Invariant { name, .. }
        | ItemKind::Forbid { name, .. }
        | ItemKind::Ltl { name, .. }
        | ItemKind::Predicate { name, .. }
        | ItemKind::Cover { name, .. }
        | ItemKind::Variant { name, .. } => Some(name),
        ItemKind::Shared(shared) => Some(&shared.name),
        ItemKind::Register(register) => Some(&register.name),
        ItemKind::Proc { signature, .. } => Some(&signature.name),
        ItemKind::Thread(thread) => Some(&thread.name),
        ItemKind::Work(work) => Some(&work.name),
        ItemKind::Bucket(bucket) => Some(&bucket.name),
        ItemKind::Guarantee(guarantee) => Some(&guarantee.name),
        ItemKind::Scenario(scenario) => Some(&scenario.name),
        ItemKind::Heap(_)
        | ItemKind::Require(_)
        | ItemKind::Use(_)
        | ItemKind::Releaser(_)
        | ItemKind::Expect(_)
        | ItemKind::Error => None,
    }
}

macro_rules! define_parts {
    ($($mutable:tt)?) => {
        /// The parts of an item.
        #[derive(Default)]
        pub struct ItemParts<'a> {
            /// The conditions of properties, predicates and guarantees.
            pub conditions: Vec<&'a $($mutable)? Expr>,
            /// The guards of buckets and of the releaser.
            pub guards: Vec<&'a $($mutable)? Expr>,
            /// The bodies of procedures, threads and kinds of work.
            pub bodies: Vec<&'a $($mutable)? Block>,
        }

        /// The parts of a statement itself.
        #[derive(Default)]
        pub struct StmtParts<'a> {
            /// The expressions.
            pub exprs: Vec<&'a $($mutable)? Expr>,
            /// The blocks, those of regions too.
            pub blocks: Vec<&'a $($mutable)? Block>,
        }

        /// The parts of an item.
        pub fn of_item(kind: &$($mutable)? ItemKind) -> ItemParts<'_> {
            let mut parts = ItemParts::default();
            match kind {
                ItemKind::Proc { body, .. } => parts.bodies.push(body),
                ItemKind::Thread(thread) => parts.bodies.push(&$($mutable)? thread.body),
                ItemKind::Work(work) => parts.bodies.push(&$($mutable)? work.body),
                ItemKind::Scenario(scenario) => {
                    for thread in &$($mutable)? scenario.threads {
                        parts.bodies.push(&$($mutable)? thread.body);
                    }
                }
                ItemKind::Invariant { condition, .. }
                | ItemKind::Forbid { condition, .. }
                | ItemKind::Cover { condition, .. }
                | ItemKind::Predicate { condition, .. }
                | ItemKind::Ltl { formula: condition, .. } => parts.conditions.push(condition),
                ItemKind::Guarantee(guarantee) => {
                    parts.conditions.extend(&$($mutable)? guarantee.requires);
                    if let Some(places) = &$($mutable)? guarantee.modifies {
                        parts.conditions.extend(places);
                    }
                    parts.conditions.extend(&$($mutable)? guarantee.ensures);
                }
                ItemKind::Bucket(bucket) => {
                    parts.guards.extend(&$($mutable)? bucket.opens);
                    parts.guards.extend(&$($mutable)? bucket.closes);
                }
                ItemKind::Releaser(releaser) => parts.guards.push(&$($mutable)? releaser.ends),
                ItemKind::Use(_)
                | ItemKind::Param { .. }
                | ItemKind::Flag { .. }
                | ItemKind::Const { .. }
                | ItemKind::TypeAlias { .. }
                | ItemKind::Enum { .. }
                | ItemKind::Word { .. }
                | ItemKind::Object { .. }
                | ItemKind::Heap(_)
                | ItemKind::Shared(_)
                | ItemKind::Register(_)
                | ItemKind::Require(_)
                | ItemKind::Variant { .. }
                | ItemKind::Expect(_)
                | ItemKind::Error => {}
            }
            parts
        }

        /// The parts of a statement itself.
        pub fn of_stmt(stmt: &$($mutable)? Stmt) -> StmtParts<'_> {
            let mut parts = StmtParts::default();
            match &$($mutable)? stmt.kind {
                StmtKind::Let { value, .. } => parts.exprs.push(value),
                StmtKind::Assign { place, value } => parts.exprs.extend([place, value]),
                StmtKind::Expr(expr) | StmtKind::Assume(expr) | StmtKind::Discard(expr) => parts.exprs.push(expr),
                StmtKind::Assert { condition, .. } => parts.exprs.push(condition),
                StmtKind::Cover { condition, .. } => parts.exprs.extend(condition),
                StmtKind::Return(value) | StmtKind::Abort(value) => parts.exprs.extend(value),
                StmtKind::Request(request) => parts.exprs.extend(&$($mutable)? request.units),
                StmtKind::If { condition, then, otherwise } => {
                    parts.exprs.push(condition);
                    parts.blocks.push(then);
                    parts.blocks.extend(otherwise);
                }
                StmtKind::While { condition, body } => {
                    parts.exprs.push(condition);
                    parts.blocks.push(body);
                }
                StmtKind::Choose(ways) => parts.blocks.extend(ways),
                StmtKind::Loop(body)
                | StmtKind::Each { body, .. }
                | StmtKind::Atomic(body)
                | StmtKind::Then(body)
                | StmtKind::Issued(body)
                | StmtKind::Directly(body)
                | StmtKind::StopTheWorld(body) => parts.blocks.push(body),
                StmtKind::Transaction(transaction) => {
                    let transaction = &$($mutable)? **transaction;
                    parts.exprs.extend(&$($mutable)? transaction.capacity);
                    parts.blocks.extend([&$($mutable)? transaction.body, &$($mutable)? transaction.handler]);
                }
                StmtKind::Fence(_)
                | StmtKind::Perform
                | StmtKind::Lock
                | StmtKind::Unlock
                | StmtKind::Safepoint
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Stop
                | StmtKind::Skip
                | StmtKind::Error => {}
            }
            parts
        }

        /// The expressions directly inside one.
        pub fn operands(expr: &$($mutable)? Expr) -> Vec<&$($mutable)? Expr> {
            let mut parts: Vec<&$($mutable)? Expr> = Vec::new();
            match &$($mutable)? expr.kind {
                ExprKind::Field(inner, _)
                | ExprKind::Unary(_, inner)
                | ExprKind::ChooseIn(inner)
                | ExprKind::Quantified { body: inner, .. }
                | ExprKind::At { thread: inner, .. } => parts.push(inner),
                ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
                    parts.push(left);
                    parts.push(right);
                }
                ExprKind::If { condition, then, otherwise } => {
                    parts.push(condition);
                    parts.push(then);
                    parts.push(otherwise);
                }
                ExprKind::Call(_, all) | ExprKind::Set(all) | ExprKind::List(all) | ExprKind::Temporal(_, all) => {
                    parts.extend(all);
                }
                ExprKind::Method { place, arguments, .. } => {
                    parts.push(place);
                    for argument in arguments {
                        match argument {
                            Argument::Expr(value) => parts.push(value),
                            Argument::Exchange(old, new) => parts.extend([old, new]),
                        }
                    }
                }
                ExprKind::Int(_)
                | ExprKind::Bool(_)
                | ExprKind::Null
                | ExprKind::SelfIndex
                | ExprKind::Name(_)
                | ExprKind::Choose(_)
                | ExprKind::Every(_)
                | ExprKind::Error => {}
            }
            parts
        }
    };
}

define_parts!();

/// The same definition, for passes that change the tree.
pub mod mutable {
    use super::*;

    define_parts!(mut);
}

/// The blocks of a statement, those of regions too.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    of_stmt(stmt).blocks
}

/// The expressions of a statement itself.
pub fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    of_stmt(stmt).exprs
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

/// An expression and all inside it.
pub fn parts(expr: &Expr) -> Vec<&Expr> {
    std::iter::once(expr).chain(operands(expr).into_iter().flat_map(parts)).collect()
}

/// All statements of an item.
pub fn item_stmts(item: &Item) -> Vec<&Stmt> {
    of_item(&item.kind).bodies.into_iter().flat_map(stmts).collect()
}

/// All expressions of an item: in its conditions, guards and statements.
pub fn item_exprs(item: &Item) -> Vec<&Expr> {
    let of_item = of_item(&item.kind);
    let of_stmts = of_item.bodies.into_iter().flat_map(stmts).flat_map(exprs);
    of_item.conditions.into_iter().chain(of_item.guards).chain(of_stmts).flat_map(parts).collect()
}
