//! Edits that put a fence or an order into the text.

use crate::accesses::Writing;
use crate::places::Site;
use crate::spelling::Spelling;
use base::{Sources, Span};
use memory::{Fence, Order};
use patch::{Edit, indent};
use program::Loaded;
use syntax::tree::{ItemKind, Setting};

/// The edits that put `fence` (or none) at a fence's site; `variant` is where flags are set.
pub(crate) fn put_fence(
    loaded: &Loaded,
    spelling: &Spelling,
    variant: &str,
    site: &Site,
    fence: Option<Fence>,
) -> Vec<Edit> {
    let word = fence.map_or("none", Fence::name);
    let kind = spelling.write(word);
    match site {
        Site::Before(stmt) => vec![insert_before(&loaded.sources, *stmt, kind)],
        Site::After(stmt) => vec![insert_after(&loaded.sources, *stmt, kind)],
        Site::Fence(span) => vec![Edit::replace(*span, kind)],
        Site::Flag(flag) => set_flag(loaded, variant, flag, word).into_iter().collect(),
        Site::Access(_) => Vec::new(),
    }
}

/// On a line of its own if the statement begins a line.
fn insert_before(sources: &Sources, stmt: Span, kind: &str) -> Edit {
    let indent = indent(sources, stmt);
    match indent {
        Some(indent) => Edit::insert(stmt, stmt.start - indent.len() as u32, format!("{indent}fence {kind}\n")),
        None => Edit::insert(stmt, stmt.start, format!("fence {kind}; ")),
    }
}

/// On a line of its own if the block does not end on the statement's line.
fn insert_after(sources: &Sources, stmt: Span, kind: &str) -> Edit {
    let text = sources.get(stmt.file).map_or("", |source| source.text.as_str());
    let rest = &text[stmt.end as usize..];
    let line = rest.split('\n').next().unwrap_or("");
    let is_ended = line.trim().is_empty() || line.trim_start().starts_with("//");
    match indent(sources, stmt).filter(|_| is_ended) {
        Some(indent) => Edit::insert(stmt, stmt.end + line.len() as u32, format!("\n{indent}fence {kind}")),
        None => Edit::insert(stmt, stmt.end, format!("; fence {kind}")),
    }
}

/// Sets a flag in a variant, or its default if there is no such variant; none if it has no such word.
fn set_flag(loaded: &Loaded, variant: &str, flag: &str, word: &str) -> Option<Edit> {
    let items = || loaded.modules.iter().flat_map(|module| &module.items);
    let default = items().find_map(|item| match &item.kind {
        ItemKind::Flag { name, alternatives, default, .. } if name.text == flag => {
            alternatives.iter().any(|a| a.text == word).then_some(default.span)
        }
        _ => None,
    })?;
    let found = items().find_map(|item| match &item.kind {
        ItemKind::Variant { name, settings, .. } if name.text == variant => Some((item.span, settings)),
        _ => None,
    });
    match found {
        None => Some(Edit::replace(default, word)),
        Some((span, settings)) => Some(set_in_variant(&loaded.sources, span, settings, flag, word)),
    }
}

fn set_in_variant(sources: &Sources, item: Span, settings: &[Setting], flag: &str, word: &str) -> Edit {
    if let Some(setting) = settings.iter().find(|setting| setting.name.text == flag) {
        return Edit::replace(setting.value.span, word);
    }
    let Some(last) = settings.last() else {
        let text = sources.text(item);
        let open = text.rfind('{').unwrap_or(0) as u32;
        return Edit::replace(Span { start: item.start + open, ..item }, format!("{{ {flag} = {word} }}"));
    };
    let end = last.value.span;
    let is_one_line = !sources.text(Span { start: end.end, ..item }).contains('\n');
    match indent(sources, last.name.span).filter(|_| !is_one_line) {
        Some(indent) => {
            let rest = sources.text(Span { start: end.end, ..item });
            let line = rest.split('\n').next().unwrap_or("").len() as u32;
            Edit::insert(item, end.end + line, format!("\n{indent}{flag} = {word}"))
        }
        None => Edit::insert(item, end.end, format!("; {flag} = {word}")),
    }
}

/// The edits that give an access this order; `failure` is the order on failure, where it is written.
pub(crate) fn put_order(
    spelling: &Spelling,
    access: Span,
    writing: Writing,
    order: Order,
    failure: Order,
) -> Vec<Edit> {
    let name = spelling.write(order.name());
    match writing {
        Writing::Load if order == Order::Relaxed => Vec::new(),
        Writing::Load => vec![Edit::insert(access, access.end, format!(".load({name})"))],
        Writing::Store(..) if order == Order::Relaxed => Vec::new(),
        Writing::Store(place, value) => vec![
            Edit::replace(Span { start: place.end, end: value.start, ..place }, ".store("),
            // The statement ends behind the parentheses that the value may be in.
            Edit::replace(Span { start: value.end, end: access.end, ..value }, format!(", {name})")),
        ],
        Writing::Method { close, has_values, order: None, .. } => {
            let comma = if has_values { ", " } else { "" };
            vec![Edit::insert(access, close, format!("{comma}{name}"))]
        }
        Writing::Method { order: Some(span), failure: written, .. } => {
            let on_failure = written.map(|span| Edit::replace(span, spelling.write(failure.name())));
            std::iter::once(Edit::replace(span, name)).chain(on_failure).collect()
        }
    }
}
