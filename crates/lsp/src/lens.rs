//! The lens above each variant: it runs `check` on it, and shows the verdict once there is one.

use crate::check::Verdicts;
use crate::documents::Document;
use crate::place;
use base::{FileId, Span};
use lsp_types::{CodeLens, Command};
use syntax::tree::ItemKind;

/// The command that a lens runs, with the arguments address and variant.
pub(crate) const COMMAND: &str = "lacuna.check";

/// The lenses of an open text.
pub(crate) fn of(document: &Document, verdicts: &Verdicts) -> Vec<CodeLens> {
    let path = place::path(&document.uri);
    let lens = |(name, span): (String, Span)| {
        let title = verdicts.get(&(path.clone(), name.clone())).cloned().unwrap_or_else(|| "▶ check".into());
        let arguments = vec![document.uri.as_str().into(), name.into()];
        let command = Command { title, command: COMMAND.into(), arguments: Some(arguments) };
        CodeLens { range: place::range(&document.text, span), command: Some(command), data: None }
    };
    variants(&document.text).into_iter().map(lens).collect()
}

/// The variants that a text declares, with their places; `original`, at the beginning, if it declares none but has threads.
fn variants(text: &str) -> Vec<(String, Span)> {
    let (module, _) = syntax::parse(FileId(0), text);
    let mut found = Vec::new();
    for item in &module.items {
        match &item.kind {
            ItemKind::Variant { name, .. } => found.push((name.text.clone(), name.span)),
            ItemKind::Flag { variants, .. } => {
                found.extend(variants.iter().map(|variant| (variant.name.text.clone(), variant.name.span)));
            }
            _ => {}
        }
    }
    let runs = |kind: &ItemKind| matches!(kind, ItemKind::Thread(_) | ItemKind::Scenario(_) | ItemKind::Work(_));
    if found.is_empty() && module.items.iter().any(|item| runs(&item.kind)) {
        found.push(("original".into(), Span::new(FileId(0), 0, 0)));
    }
    found
}
