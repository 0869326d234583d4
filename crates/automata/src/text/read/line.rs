//! Lines, and words in them.

use super::{Entry, Printed, ReadError, position};
use crate::expr::Domain;
use base::Table;
use base::table::Id;

pub(super) type Result<T> = std::result::Result<T, ReadError>;

/// One line that is read from left to right.
#[derive(Clone)]
pub(super) struct Line<'t> {
    number: usize,
    text: &'t str,
    tokens: Vec<&'t str>,
    at: usize,
    /// What stands behind `//`.
    pub(super) comment: Option<&'t str>,
}

/// The lines of a text: each without indentation with the indented ones below it. Empty lines and lines of comment are left out.
pub(super) fn entries(text: &str) -> Result<Vec<Entry<'_>>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (i, text) in text.lines().enumerate() {
        if text.trim().is_empty() || text.trim_start().starts_with("//") {
            continue;
        }
        let line = Line::new(i + 1, text)?;
        match entries.last_mut() {
            Some(entry) if text.starts_with(' ') => entry.children.push(line),
            None if text.starts_with(' ') => return Err(line.error("indented, and nothing is above it")),
            _ => entries.push(Entry { head: line, children: Vec::new() }),
        }
    }
    Ok(entries)
}

impl<'t> Line<'t> {
    fn new(number: usize, text: &'t str) -> Result<Self> {
        let (text, comment) = text.split_once("  // ").map_or((text, None), |(text, comment)| (text, Some(comment)));
        let mut tokens = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let n = token(rest).ok_or_else(|| ReadError {
                line: number,
                message: format!("unexpected `{}`", rest.chars().next().unwrap_or(' ')),
            })?;
            match rest[..n].rfind('.').filter(|dot| *dot > 0 && rest[n..].starts_with('(')) {
                Some(dot) => tokens.extend([&rest[..dot], &rest[dot..n]]),
                None => tokens.push(&rest[..n]),
            }
            rest = rest[n..].trim_start();
        }
        Ok(Line { number, text, tokens, at: 0, comment })
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { line: self.number, message: message.into() }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    pub(super) fn is_next(&self, token: &str) -> bool {
        self.peek(0) == Some(token)
    }

    /// The token `n` places on.
    pub(super) fn peek(&self, n: usize) -> Option<&'t str> {
        self.tokens.get(self.at + n).copied()
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let is_next = self.is_next(token);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, token: &str) -> Result<()> {
        if self.eat(token) {
            return Ok(());
        }
        Err(self.error(format!("{} where `{token}` is due", self.found())))
    }

    pub(super) fn end(&self) -> Result<()> {
        if self.is_at_end() { Ok(()) } else { Err(self.error(format!("{} is too much", self.found()))) }
    }

    /// What is next, for messages.
    pub(super) fn found(&self) -> String {
        self.peek(0).map_or("the end of the line".into(), |token| format!("`{token}`"))
    }

    /// The next token, whatever it is.
    pub(super) fn word(&mut self) -> Result<&'t str> {
        let token = self.peek(0).ok_or_else(|| self.error("the line ends too early"))?;
        self.at += 1;
        Ok(token)
    }

    /// All that follows, as it is written.
    pub(super) fn rest(&mut self) -> &'t str {
        let Some(first) = self.peek(0) else { return "" };
        self.at = self.tokens.len();
        let start = first.as_ptr() as usize - self.text.as_ptr() as usize;
        self.text[start..].trim_end()
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Result<N> {
        let found = self.found();
        self.word()?.parse().map_err(|_| self.error(format!("{found} where a number is due")))
    }

    /// `low..high`
    pub(super) fn domain(&mut self) -> Result<Domain> {
        let word = self.word()?;
        let ends = word.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let (low, high) = ends.ok_or_else(|| self.error(format!("`{word}` where a range is due")))?;
        Ok(Domain::new(low, high))
    }

    /// An id by its number: `p3`.
    pub(super) fn id<I: Id + std::fmt::Display>(&mut self) -> Result<I> {
        let word = self.word()?;
        I::parse(word).ok_or_else(|| self.error(format!("`{word}` where something like `{}` is due", I::new(0))))
    }

    /// Something that is declared, by its name.
    pub(super) fn known<I: Id, T>(&mut self, table: &Table<I, T>, name: impl Fn(&T) -> &str, what: &str) -> Result<I> {
        let word = self.word()?;
        position(table, name, word).ok_or_else(|| self.error(format!("there is no {what} `{word}`")))
    }
}

/// The length of the first token: a name or number, a string, or a symbol.
///
/// A name continues through its brackets, as in `n0.data[1]` (but `x.load(` is two tokens: `Line::new`); a number may begin with a
/// minus, and a range has one word: `-1..3`.
fn token(text: &str) -> Option<usize> {
    const SYMBOLS: [&str; 23] = [
        "->", "==", "!=", "<=", ">=", "<<", ">>", ":", "=", "(", ")", "[", "]", ",", "+", "-", "*", "/", "%", "&", "|",
        "^", "@",
    ];
    let bytes = text.as_bytes();
    let is_digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    if bytes[0] == b'"' {
        return text[1..].find('"').map(|n| n + 2);
    }
    let is_signed = matches!(bytes[0], b'-' | b'%') && is_digit(1);
    if !is_signed && let Some(symbol) = SYMBOLS.iter().find(|symbol| text.starts_with(**symbol)) {
        return Some(symbol.len());
    }
    if matches!(bytes[0], b'<' | b'>') {
        return Some(1);
    }
    let mut end = usize::from(is_signed);
    while let Some(byte) = bytes.get(end) {
        end += match byte {
            b'.' | b'_' | b'#' | b'%' => 1,
            b'-' if text[..end].ends_with("..") => 1,
            b'[' => closed(&text[end..])?,
            _ => match text[end..].chars().next() {
                Some(c) if c.is_alphanumeric() => c.len_utf8(),
                _ => break,
            },
        };
    }
    (end > 0).then_some(end)
}

/// The length of what is in brackets, these included.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        depth += match byte {
            b'[' => 1,
            b']' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
