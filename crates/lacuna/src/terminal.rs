//! What people read. Texts of files and names come from others: control characters in them are shown, not sent to the terminal.

use crate::args::Color;
use crate::exit::Error;
use crate::paint;
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// How texts for people look.
#[derive(Clone, Copy, Default)]
struct Look {
    is_coloured: bool,
    is_plain: bool,
}

static LOOK: OnceLock<Look> = OnceLock::new();

/// Decides once how texts look: colours where the terminal has them and nobody objects, ASCII where the locale asks for it.
pub(crate) fn begin(color: Color) {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let has_colours = || {
        let is_dumb = set("TERM").is_some_and(|term| term == "dumb");
        std::io::stdout().is_terminal() && set("NO_COLOR").is_none() && !is_dumb
    };
    let is_coloured = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => has_colours(),
    };
    // The first that is set decides; without any, everybody can read UTF-8 today.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).map(|locale| locale.to_lowercase());
    let is_plain = locale.is_some_and(|locale| !locale.contains("utf-8") && !locale.contains("utf8"));
    let _ = LOOK.set(Look { is_coloured, is_plain });
}

/// How many columns there are; 0 if nobody knows.
pub(crate) fn width() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    given.or_else(asked).unwrap_or(0)
}

/// Prints a text for people to standard output. Who reads it by `head` has seen enough, and hears no complaint.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let Look { is_coloured, is_plain } = LOOK.get().copied().unwrap_or_default();
    let text = harmless(text);
    let painted = if is_coloured { paint::coloured(&text) } else { text.into_owned() };
    let printed = print_raw(&if is_plain { paint::plain(&painted) } else { painted });
    printed.map_err(|error| if matches!(error, Error::BrokenPipe) { Error::Reported } else { error })
}

/// Prints data to standard output as it is.
pub(crate) fn print_raw(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| cannot_print(&error))
}

/// What it means that standard output cannot be written to.
pub(crate) fn cannot_print(error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::BrokenPipe => Error::BrokenPipe,
        _ => Error::input(format!("cannot write to standard output: {error}")),
    }
}

/// Set while another process says the same.
static IS_MUTE: AtomicBool = AtomicBool::new(false);

/// Says nothing on standard error from now on, or something again.
pub(crate) fn mute(is_mute: bool) {
    IS_MUTE.store(is_mute, Ordering::Relaxed);
}

/// Says something on standard error, if anybody listens.
pub(crate) fn complain(text: &str) {
    if IS_MUTE.load(Ordering::Relaxed) {
        return;
    }
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
    let harmless = |line: &str| line.chars().map(show).collect::<String>();
    // A line may end as those of Windows do.
    Cow::Owned(text.split("\r\n").map(harmless).collect::<Vec<_>>().join("\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        assert_eq!(harmless("a\n\tb │ é"), "a\n\tb │ é");
        assert_eq!(harmless("\x1b[31mred\x07\r\u{9b}2J"), "\\u{1b}[31mred\\u{7}\\u{d}\\u{9b}2J");
        assert_eq!(harmless("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(harmless("a\r\nb\rc\r\n"), "a\r\nb\\u{d}c\r\n");
    }
}
