//! Diagnostics as data: what is wrong with the user's text, where, and what to do about it.
//!
//! Every stage returns its result *and* its diagnostics; none stops at the first one.

use crate::source::{Sources, Span};
use std::fmt::Write;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The text has no meaning as it stands.
    Error,
    /// The text has a meaning, likely not the intended one.
    Warning,
}

/// A stable code with its short name, such as `E0103 unknown-field`. The book lists all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Code {
    /// The number, as in `E0103`.
    pub number: u16,
    /// The name, as in `unknown-field`.
    pub name: &'static str,
}

/// A further place that explains the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// What to see there.
    pub message: String,
}

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable code.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that matter.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, code, message: message.into(), span, notes: Vec::new(), hint: None }
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds another place that matters.
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { span, message: message.into() });
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The diagnostic as rustc would print it: message, place, the line with carets, notes, hint.
    pub fn render(&self, sources: &Sources) -> String {
        let (word, letter) = match self.severity {
            Severity::Error => ("error", 'E'),
            Severity::Warning => ("warning", 'W'),
        };
        let mut out = format!("{word}[{letter}{:04} {}]: {}\n", self.code.number, self.code.name, self.message);
        excerpt(&mut out, sources, self.span, "");
        for note in &self.notes {
            let _ = writeln!(out, "note: {}", note.message);
            excerpt(&mut out, sources, note.span, "");
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "  = hint: {hint}");
        }
        out
    }
}

/// Characters of a line that are shown, and how many of them stand before the place.
const LONG: usize = 500;
const BEFORE: usize = 100;

/// Appends `--> file:line:column`, the line and a row of carets under `span`.
fn excerpt(out: &mut String, sources: &Sources, span: Span, label: &str) {
    let Some((source, place)) = sources.place(span) else { return };
    let line = source.line(place.line);
    let margin = place.line.to_string().len();
    let line_left = line.chars().count().saturating_sub(place.column - 1);
    let length = sources.text(span).lines().next().unwrap_or("").chars().count();
    let carets = length.min(line_left).max(1);
    // Of a long line, what is near is shown.
    let before = place.column - 1;
    let skipped = if line_left + before > LONG { before.saturating_sub(BEFORE) } else { 0 };
    let shown: String = line.chars().skip(skipped).take(LONG).collect();
    let carets = carets.min(LONG - (before - skipped));
    let _ = writeln!(out, "{:margin$}--> {}:{}:{}", "", source.name, place.line, place.column);
    let _ = writeln!(out, "{:margin$} |", "");
    let _ = writeln!(out, "{} | {}", place.line, shown.replace('\t', " "));
    let _ = writeln!(out, "{:margin$} | {}{} {label}", "", " ".repeat(before - skipped), "^".repeat(carets));
    while out.ends_with(" \n") {
        out.truncate(out.len() - 2);
        out.push('\n');
    }
}
