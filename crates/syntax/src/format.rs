//! The formatter: text to tree to text, keeping comments, single blank lines, and short lines.

use crate::layout::Layout;
use crate::parser::parse;
use crate::print::print_with;
use base::{Diagnostic, FileId};

/// The text in the usual layout: 4 spaces, one statement per line, lines of at most 110 characters
/// where that can be. Formatting twice changes nothing more, and the tree stays the same.
///
/// Text with errors is not formatted; the errors are returned (their file is `FileId(0)`).
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let file = FileId(0);
    let (module, diagnostics) = parse(file, text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    Ok(print_with(&module, Some(Layout::new(file, text))))
}
