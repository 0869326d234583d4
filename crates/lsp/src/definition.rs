//! Which declarations the name at a place means.

use crate::declarations::{Declaration, Seen, all, trees};
use crate::diagnostics::own_source;
use crate::documents::{Document, Documents};
use crate::place;
use base::{FileId, Span};
use lsp_types::{Location, Position, Range};
use program::Loaded;
use std::path::{Path, PathBuf};
use syntax::Mark;
use syntax::tree::{ItemKind, Module};

/// A name under the cursor, with the files it is understood by.
pub(crate) struct Named {
    pub(crate) loaded: Loaded,
    pub(crate) trees: Vec<(FileId, Module)>,
    pub(crate) name: String,
    /// Where it stands.
    pub(crate) span: Span,
    is_after_dot: bool,
}

/// The name at a position, if there is one.
pub(crate) fn named(documents: &Documents, document: &Document, position: Position) -> Option<Named> {
    let loaded = documents.load(document);
    let own = own_source(&loaded, document)?;
    let file = loaded.sources.iter().find(|(_, source)| std::ptr::eq(*source, own))?.0;
    let at = place::offset(&own.text, position) as u32;
    let marks = syntax::marks(file, &own.text);
    let (_, span) = *marks.iter().find(|(mark, span)| *mark == Mark::Name && span.start <= at && at <= span.end)?;
    let is_after_dot = own.text[..span.start as usize].trim_end().ends_with('.');
    let name = loaded.sources.text(span).to_string();
    let trees = trees(&loaded);
    Some(Named { loaded, trees, name, span, is_after_dot })
}

impl Named {
    /// The declarations that it may mean: the nearest kind that has any.
    pub(crate) fn declarations(&self) -> Vec<Declaration> {
        let mut all = all(&self.trees);
        all.retain(|declaration| declaration.name == self.name);
        // A declaration means itself, wherever its name is seen.
        if let Some(own) = all.iter().position(|declaration| declaration.span == self.span) {
            return vec![all.swap_remove(own)];
        }
        let nearness = |declaration: &Declaration| match declaration.seen {
            Seen::AfterDot if self.is_after_dot => Some(0),
            Seen::Within(_) if self.is_after_dot => Some(1),
            _ if self.is_after_dot => None,
            Seen::Within(item) => is_within(self.span, item).then_some(0),
            Seen::Everywhere => Some(1),
            // Settings of objects name fields without a dot.
            Seen::AfterDot => Some(2),
        };
        let nearest = all.iter().filter_map(nearness).min();
        all.retain(|declaration| nearest.is_some() && nearness(declaration) == nearest);
        all
    }

    /// The file that it names in a `use`.
    fn used(&self) -> Option<PathBuf> {
        let (_, module) = self.trees.iter().find(|(file, _)| *file == self.span.file)?;
        let is_use = |kind: &ItemKind| matches!(kind, ItemKind::Use(name) if name.span == self.span);
        module.items.iter().find(|item| is_use(&item.kind))?;
        let is_it = |path: &Path| path.file_stem().is_some_and(|stem| stem == self.name.as_str());
        self.loaded.sources.iter().map(|(_, source)| PathBuf::from(&source.name)).find(|path| is_it(path))
    }
}

fn is_within(span: Span, item: Span) -> bool {
    item.contains(span)
}

/// Where the name at a position is declared.
pub(crate) fn of(documents: &Documents, document: &Document, position: Position) -> Vec<Location> {
    let Some(named) = named(documents, document, position) else { return Vec::new() };
    if let Some(uri) = named.used().and_then(|path| place::uri(&path)) {
        return vec![Location::new(uri, Range::default())];
    }
    let location = |declaration: &Declaration| {
        let source = named.loaded.sources.get(declaration.span.file)?;
        Some(Location::new(place::uri(Path::new(&source.name))?, place::range(&source.text, declaration.span)))
    };
    named.declarations().iter().filter_map(location).collect()
}
