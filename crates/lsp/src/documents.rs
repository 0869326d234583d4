//! Texts as they are in the editor, over those on the disk, and the protocol that each is read with.

use crate::place;
use base::Diagnostic;
use lsp_types::Uri;
use program::{Loaded, World};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where files come from that are not open.
pub trait Disk: World + Send + Sync {
    /// Every `.lac` file in a folder and below.
    fn texts(&self, folder: &Path) -> Vec<PathBuf>;
}

/// An open text.
#[derive(Clone)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) text: String,
    /// As the editor counts.
    pub(crate) version: i32,
    /// The protocol that it is part of: itself, if it stands alone.
    root: PathBuf,
}

/// All open texts, over the disk.
#[derive(Clone)]
pub(crate) struct Documents {
    disk: Arc<dyn Disk>,
    open: BTreeMap<PathBuf, Document>,
}

impl World for Documents {
    fn read(&self, path: &Path) -> io::Result<String> {
        match self.open.get(&program::normal(path)) {
            Some(document) => Ok(document.text.clone()),
            None => self.disk.read(path),
        }
    }
}

impl Documents {
    pub(crate) fn new(disk: Arc<dyn Disk>) -> Self {
        Documents { disk, open: BTreeMap::new() }
    }

    pub(crate) fn open(&mut self, uri: &Uri, version: i32, text: String) {
        let path = place::path(uri);
        self.open.insert(path.clone(), Document { uri: uri.clone(), text, version, root: path.clone() });
        let root = self.root(&path);
        self.open.entry(path).and_modify(|document| document.root = root);
    }

    pub(crate) fn change(&mut self, uri: &Uri, version: i32, text: String) {
        if let Some(document) = self.open.get_mut(&place::path(uri)) {
            (document.version, document.text) = (version, text);
        }
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        self.open.remove(&place::path(uri));
    }

    /// The open text of an address.
    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(&place::path(uri))
    }

    /// All open texts, the one of this address first.
    pub(crate) fn from(&self, uri: &Uri) -> Vec<&Document> {
        let mut all: Vec<&Document> = self.open.values().collect();
        all.sort_by_key(|document| document.uri != *uri);
        all
    }

    /// A document with all files of its protocol.
    pub(crate) fn load(&self, document: &Document) -> Loaded {
        program::load(self, &document.root)
    }

    /// The protocol of a file: itself, or if it means nothing alone, the first in its folder or below that uses it.
    fn root(&self, path: &Path) -> PathBuf {
        let loaded = program::load(self, path);
        if loaded.diagnostics.iter().any(Diagnostic::is_error) || program::stands_alone(&loaded) {
            return path.to_path_buf();
        }
        let name = path.display().to_string();
        let uses = |other: &PathBuf| {
            other != path && program::load(self, other).sources.iter().any(|(_, source)| source.name == name)
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        self.disk.texts(folder).into_iter().find(uses).unwrap_or(path.to_path_buf())
    }
}
