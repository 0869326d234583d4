//! What is known of the name at a place: its declaration and type, the orders of its accesses, who writes it.

use crate::accesses::{self, Access};
use crate::declarations::{Declaration, Seen};
use crate::definition::{Named, named};
use crate::documents::{Document, Documents};
use base::Span;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use program::{Program, Settings};
use std::fmt::Write;

/// What is shown at a position.
pub(crate) fn of(documents: &Documents, document: &Document, position: Position) -> Option<Hover> {
    let named = named(documents, document, position)?;
    let declarations = named.declarations();
    let mut value = String::new();
    for declaration in &declarations {
        value.push_str(&declared(&named, declaration));
    }
    if !value.is_empty() && declarations.iter().all(|declaration| !matches!(declaration.seen, Seen::Within(_))) {
        value.push_str(&accessed(&named));
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    (!declarations.is_empty()).then_some(Hover { contents, range: None })
}

/// The first line of a declaration, its comment, and the type of a register that the text does not state.
fn declared(named: &Named, declaration: &Declaration) -> String {
    let text = named.loaded.sources.text(declaration.whole);
    let line = text.lines().find(|line| !line.trim_start().starts_with("//")).unwrap_or("").trim();
    let mut out = format!("```lac\n{line}\n```\n");
    out.extend(declaration.doc.iter().map(|line| format!("{}\n", line.trim())));
    if let Some(ty) = register_type(named, declaration) {
        let _ = writeln!(out, "\nIts type is `{ty}`.");
    }
    out
}

/// The type of a register, if the program is right as it stands.
fn register_type(named: &Named, declaration: &Declaration) -> Option<String> {
    let Seen::Within(_) = declaration.seen else { return None };
    let program = program::check(&named.loaded, &Settings::default()).0?;
    local_type(&program, declaration.span)
}

fn local_type(program: &Program, span: Span) -> Option<String> {
    let bodies =
        program.procs.values().map(|proc| &proc.body).chain(program.threads.values().map(|thread| &thread.body));
    let local = bodies.flat_map(|body| body.locals.values()).find(|local| local.span == span)?;
    Some(program.types.show(local.ty))
}

/// The orders of the accesses, and who writes.
fn accessed(named: &Named) -> String {
    let accesses = accesses::of(&named.trees, &named.name);
    if accesses.is_empty() {
        return String::new();
    }
    let mut orders: Vec<String> = accesses.iter().map(with_order).collect();
    orders.sort();
    orders.dedup();
    let mut out = format!("\nAccessed by {}.\n", orders.join(", "));
    let line = |access: &Access| named.loaded.sources.place(access.span).map_or(0, |(_, place)| place.line);
    let writers: Vec<String> = accesses
        .iter()
        .filter(|access| access.writes())
        .map(|access| format!("`{}` ({}, line {})", access.by, access.operation, line(access)))
        .collect();
    if !writers.is_empty() {
        let _ = writeln!(out, "\nWritten by {}.", writers.join(", "));
    }
    out
}

/// `store` or `store(release)`, as code
fn with_order(access: &Access) -> String {
    let order = access.order.as_ref().map_or(String::new(), |order| format!("({order})"));
    format!("`{}{order}`", access.operation)
}
