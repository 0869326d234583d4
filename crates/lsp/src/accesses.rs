//! Who reads and writes a cell or a field, by its name: from the trees, in the words of the text.

use base::{FileId, Span};
use syntax::parts;
use syntax::tree::{Argument, Expr, ExprKind, Item, ItemKind, Module, Stmt, StmtKind};

/// An access.
pub(crate) struct Access {
    /// The thread, procedure or kind of work that it stands in.
    pub(crate) by: String,
    /// The operation, as `store` or `cas`.
    pub(crate) operation: String,
    /// The order as it is written; none if no order is.
    pub(crate) order: Option<String>,
    pub(crate) span: Span,
}

impl Access {
    pub(crate) fn writes(&self) -> bool {
        !matches!(self.operation.as_str(), "load" | "ll")
    }
}

/// The accesses of code to what has this name, in the order of the text.
pub(crate) fn of(trees: &[(FileId, Module)], name: &str) -> Vec<Access> {
    let items = trees.iter().flat_map(|(_, module)| &module.items);
    let mut all: Vec<Access> = items.flat_map(|item| within(item, name)).collect();
    all.sort_by_key(|access| (access.span.file, access.span.start));
    all
}

fn within(item: &Item, name: &str) -> Vec<Access> {
    bodies(item)
        .into_iter()
        .flat_map(|(by, stmts)| stmts.into_iter().flat_map(move |stmt| of_stmt(by, stmt, name)))
        .collect()
}

fn of_stmt(by: &str, stmt: &Stmt, name: &str) -> Vec<Access> {
    let access = |operation: &str, order, span| Access { by: by.into(), operation: operation.into(), order, span };
    let exprs: Vec<&Expr> = parts::exprs(stmt).into_iter().flat_map(parts::parts).collect();
    // Places that are acted on: what names them is no load.
    let mut places: Vec<Span> = Vec::new();
    let mut found = Vec::new();
    if let StmtKind::Assign { place, .. } = &stmt.kind
        && target(place) == Some(name)
    {
        places.push(place.span);
        found.push(access("store", None, stmt.span));
    }
    for expr in &exprs {
        if let ExprKind::Method { place, name: operation, arguments } = &expr.kind
            && target(place) == Some(name)
        {
            places.push(place.span);
            found.push(access(&operation.text, order(&operation.text, arguments), expr.span));
        }
    }
    let is_acted_on = |span: Span| places.iter().any(|place| place.start <= span.start && span.end <= place.end);
    let is_load = |expr: &&&Expr| !matches!(expr.kind, ExprKind::Index(..)) && target(expr) == Some(name);
    let loads = exprs.iter().filter(is_load).filter(|expr| !is_acted_on(expr.span));
    found.extend(loads.map(|expr| access("load", None, expr.span)));
    found
}

/// The bodies of an item, each with the name of what it is the body of, and all its statements.
fn bodies(item: &Item) -> Vec<(&str, Vec<&Stmt>)> {
    match &item.kind {
        ItemKind::Proc { signature, body } => vec![(&signature.name.text, parts::stmts(body))],
        ItemKind::Thread(thread) => vec![(&thread.name.text, parts::stmts(&thread.body))],
        ItemKind::Work(work) => vec![(&work.name.text, parts::stmts(&work.body))],
        ItemKind::Scenario(scenario) => {
            scenario.threads.iter().map(|t| (t.name.text.as_str(), parts::stmts(&t.body))).collect()
        }
        _ => Vec::new(),
    }
}

/// The cell or field that a place is of.
fn target(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) | ExprKind::Field(_, name) => Some(&name.text),
        ExprKind::Index(place, _) => target(place),
        _ => None,
    }
}

/// The order among the arguments: it comes after the values, as a word or as a flag that stands for one.
fn order(operation: &str, arguments: &[Argument]) -> Option<String> {
    let n_values = if matches!(operation, "load" | "ll") { 0 } else { 1 };
    match arguments.get(n_values)? {
        Argument::Expr(Expr { kind: ExprKind::Name(name), .. }) => Some(name.text.clone()),
        _ => None,
    }
}
