//! Edits: a span and what stands there instead.

use base::{Sources, Span};

/// A change to the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// By what.
    pub text: String,
}

impl Edit {
    /// `text` in place of what `span` covers.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }

    /// `text` at byte `at` of the file of `span`.
    pub fn insert(span: Span, at: u32, text: impl Into<String>) -> Self {
        Edit { span: Span { start: at, end: at, ..span }, text: text.into() }
    }
}

/// What stands before `span` on its line, if that is nothing but space.
pub fn indent(sources: &Sources, span: Span) -> Option<String> {
    let text = &sources.get(span.file)?.text;
    let before = text[..span.start as usize].rsplit('\n').next()?;
    before.trim().is_empty().then(|| before.to_string())
}
