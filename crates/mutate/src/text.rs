//! Statements as text: shown in one line, and taken away.

use base::{Sources, Span};
use patch::{Edit, indent};
use syntax::tree::Stmt;

/// So many characters of a statement are shown.
const WIDTH: usize = 60;

/// The beginning of what `span` covers, in one line.
pub(crate) fn snippet(sources: &Sources, span: Span) -> String {
    let text = sources.text(span);
    let line = text.lines().next().unwrap_or("");
    let line = if text.contains('\n') { line.trim_end().trim_end_matches('{') } else { line };
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}..", line[..end].trim_end()),
        None => line,
    }
}

/// A statement taken away, with its lines if they hold nothing else. Its label stays.
pub(crate) fn remove(sources: &Sources, stmt: &Stmt) -> Edit {
    if let Some(label) = &stmt.label {
        return Edit::replace(stmt.span, format!("@{} skip", label.text));
    }
    match (indent(sources, stmt.span), rest_of_line(sources, stmt.span)) {
        (Some(indent), Some(rest)) => {
            let span = Span { start: stmt.span.start - indent.len() as u32, end: stmt.span.end + rest, ..stmt.span };
            Edit::replace(span, "")
        }
        _ => Edit::replace(stmt.span, "skip"),
    }
}

/// A call taken away, with the labels of what it calls still known to properties.
pub(crate) fn never(sources: &Sources, stmt: &Stmt) -> Edit {
    Edit::replace(stmt.span, format!("if false {{ {} }}", sources.text(stmt.span)))
}

/// How many bytes follow on the line of `span`'s end, the line's end included, if they are space or a comment.
fn rest_of_line(sources: &Sources, span: Span) -> Option<u32> {
    let text = &sources.get(span.file)?.text;
    let rest = &text[span.end as usize..];
    let line = rest.split_inclusive('\n').next().unwrap_or("");
    let is_over = line.trim().is_empty() || line.trim_start().starts_with("//");
    (is_over && line.ends_with('\n')).then_some(line.len() as u32)
}

/// `text` in parentheses, unless it is one word or has its own.
pub(crate) fn in_parentheses(text: &str) -> String {
    if text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') { text.into() } else { format!("({text})") }
}
