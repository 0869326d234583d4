//! Source files and spans: where in the user's text a thing stands.

use crate::table::{Id, Table};

crate::id_type! {
    /// A source file.
    pub struct FileId("file");
}

/// A range of bytes in one source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Whether all of `inner` is in it.
    pub fn contains(self, inner: Span) -> bool {
        self.file == inner.file && self.start <= inner.start && inner.end <= self.end
    }

    /// A span of `file` from byte `start` up to, not including, byte `end`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// A span for things that stand in no file, such as generated code.
    pub fn none() -> Self {
        Span { file: FileId(u32::MAX), start: 0, end: 0 }
    }

    /// Whether this span stands in no file.
    pub fn is_none(self) -> bool {
        self.file == FileId(u32::MAX)
    }

    /// The least span that holds both; the spans are of one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One source file: its name as shown to the user, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name as shown to the user, usually a path.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A place in a file as people count: from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// The line and column of byte `offset`.
    pub fn place(&self, offset: usize) -> Place {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Place { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    /// The text of line `line`, counted from 1, without its line end.
    pub fn line(&self, line: usize) -> &str {
        self.text.lines().nth(line.saturating_sub(1)).unwrap_or("")
    }
}

/// All source files of one run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Table<FileId, Source>,
}

impl Sources {
    /// Adds a file and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(Source { name: name.into(), text: text.into() })
    }

    /// The file of `id`.
    pub fn get(&self, id: FileId) -> Option<&Source> {
        (id.index() < self.files.len()).then(|| &self.files[id])
    }

    /// The line and column where `span` starts, with its file; none for a span without file.
    pub fn place(&self, span: Span) -> Option<(&Source, Place)> {
        let source = self.get(span.file)?;
        Some((source, source.place(span.start as usize)))
    }

    /// The text that `span` covers.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// All files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter()
    }
}
