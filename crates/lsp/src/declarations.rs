//! What the files of a protocol declare: names with their places, from the trees, so that wrong texts have them too.

use base::{FileId, Span};
use program::Loaded;
use syntax::tree::{Item, ItemKind, Name, Stmt, StmtKind};
use syntax::{parts, tree};

/// Which names mean a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Everywhere.
    Everywhere,
    /// After a dot: a field, or a part of a word.
    AfterDot,
    /// Within an item, and after a dot elsewhere: a register, a parameter, a bound name.
    Within(Span),
}

/// A declaration.
pub(crate) struct Declaration {
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) span: Span,
    /// All of what declares it.
    pub(crate) whole: Span,
    pub(crate) seen: Seen,
    /// The lines of the comment above it.
    pub(crate) doc: Vec<String>,
}

/// The trees as they are written: nothing is expanded in them.
pub(crate) fn trees(loaded: &Loaded) -> Vec<(FileId, tree::Module)> {
    loaded.sources.iter().map(|(file, source)| (file, syntax::parse(file, &source.text).0)).collect()
}

/// All declarations of these trees.
pub(crate) fn all(trees: &[(FileId, tree::Module)]) -> Vec<Declaration> {
    let items = trees.iter().flat_map(|(_, module)| &module.items);
    items.flat_map(|item| of_item(item).into_iter().chain(of_body(item))).collect()
}

/// What an item declares besides names of its body.
fn of_item(item: &Item) -> Vec<Declaration> {
    let declared = |name: &Name, whole: Span, seen: Seen| {
        let doc = item.doc.clone();
        Declaration { name: name.text.clone(), span: name.span, whole, seen, doc }
    };
    let everywhere = |name: &Name| declared(name, item.span, Seen::Everywhere);
    let inside = |name: &Name, seen| declared(name, name.span, seen);
    let inner: Vec<Declaration> = match &item.kind {
        ItemKind::Flag { variants, .. } => variants.iter().map(|variant| everywhere(&variant.name)).collect(),
        ItemKind::Enum { variants, .. } => variants.iter().map(everywhere).collect(),
        ItemKind::Word { fields, .. } | ItemKind::Object { fields, .. } => {
            let field =
                |field: &tree::FieldDecl| declared(&field.name, field.name.span.to(field.ty.span), Seen::AfterDot);
            fields.iter().map(field).collect()
        }
        ItemKind::Heap(objects) => objects.iter().map(|object| inside(&object.name, Seen::Everywhere)).collect(),
        ItemKind::Scenario(scenario) => {
            scenario.threads.iter().map(|thread| inside(&thread.name, Seen::Everywhere)).collect()
        }
        _ => Vec::new(),
    };
    parts::name_of(&item.kind).map(everywhere).into_iter().chain(inner).collect()
}

/// The registers, parameters and bound names of an item.
fn of_body(item: &Item) -> Vec<Declaration> {
    let declared = |name: &Name, whole: Span| {
        let (name, span) = (name.text.clone(), name.span);
        Declaration { name, span, whole, seen: Seen::Within(item.span), doc: Vec::new() }
    };
    let params: Vec<Declaration> = match &item.kind {
        ItemKind::Proc { signature, .. } => {
            signature.params.iter().map(|param| declared(&param.name, param.name.span.to(param.ty.span))).collect()
        }
        ItemKind::Predicate { params, .. } => {
            params.iter().map(|(name, ty)| declared(name, name.span.to(ty.span))).collect()
        }
        ItemKind::Work(work) => work.unit.iter().map(|(name, ty)| declared(name, name.span.to(ty.span))).collect(),
        _ => Vec::new(),
    };
    let stmt = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let { name, .. } => Some(declared(name, stmt.span)),
        StmtKind::Each { name, domain, .. } => Some(declared(name, name.span.to(domain.span))),
        _ => None,
    };
    let expr = |expr: &tree::Expr| match &expr.kind {
        tree::ExprKind::Quantified { name, domain, .. } => Some(declared(name, name.span.to(domain.span))),
        _ => None,
    };
    let stmts = parts::item_stmts(item).into_iter().filter_map(stmt);
    params.into_iter().chain(stmts).chain(parts::item_exprs(item).into_iter().filter_map(expr)).collect()
}
