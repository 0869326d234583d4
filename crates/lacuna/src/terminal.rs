//! What people read. Texts of files and names come from others: control characters in them are shown, not sent to the terminal.

use crate::exit::Error;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};

/// Prints a text for people to standard output.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    print_raw(&harmless(text))
}

/// Prints data to standard output as it is.
pub(crate) fn print_raw(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Error::BrokenPipe,
        _ => Error::input(format!("cannot write to standard output: {e}")),
    })
}

/// Says something on standard error, if anybody listens.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(text));
}

/// Rewrites the last line on standard error.
pub(crate) fn rewrite_line(text: &str) {
    let line = harmless(text).replace(['\n', '\t'], " ");
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r\x1b[K{line}").and_then(|()| err.flush());
}

/// The text with control characters, and those that turn the direction of writing, as escapes.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| {
        c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let show = |c: char| if is_harmful(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(show).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        assert_eq!(harmless("a\n\tb │ é"), "a\n\tb │ é");
        assert_eq!(harmless("\x1b[31mred\x07\r\u{9b}2J"), "\\u{1b}[31mred\\u{7}\\u{d}\\u{9b}2J");
        assert_eq!(harmless("x\u{202e}y"), "x\\u{202e}y");
    }
}
