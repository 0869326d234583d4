//! Places as the protocol has them: lines from 0, columns in units of UTF-16, files by address.

use base::Span;
use lsp_types::{Position, Range, Uri};
use std::path::{Path, PathBuf};

/// The byte at a position; one beyond the text, or beyond its line, is the nearest before.
pub(crate) fn offset(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or("").trim_end_matches('\r');
    let mut units = 0;
    for (at, character) in line.char_indices() {
        units += character.len_utf16();
        if units > position.character as usize {
            return start + at;
        }
    }
    start + line.len()
}

/// The position of a byte; inside a character it is that of the character.
pub(crate) fn position(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count();
    Position::new(line as u32, before[start..].encode_utf16().count() as u32)
}

/// The range of a span of this text.
pub(crate) fn range(text: &str, span: Span) -> Range {
    Range::new(position(text, span.start as usize), position(text, span.end as usize))
}

const FILE: &str = "file://";

/// The path of a file's address; a text without a file has its address as its path.
pub(crate) fn path(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    program::normal(&text.strip_prefix(FILE).map_or_else(|| text.into(), |path| PathBuf::from(decoded(path))))
}

/// The address of a file. None if its path cannot be one.
pub(crate) fn uri(path: &Path) -> Option<Uri> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let code = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let path: String = path.to_str()?.bytes().map(code).collect();
    format!("{FILE}{path}").parse().ok()
}

/// The text with `%41` as `A`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(first), rest = after).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// é𝄞x\r\ncell\n";

    #[test]
    fn columns_are_units_of_utf_16() {
        // é has two bytes and one unit, 𝄞 four bytes and two units.
        for (byte, line, column) in [(0, 0, 0), (3, 0, 3), (5, 0, 4), (9, 0, 6), (10, 0, 7), (12, 1, 0), (14, 1, 2)] {
            assert_eq!(position(TEXT, byte), Position::new(line, column), "{byte}");
            assert_eq!(offset(TEXT, Position::new(line, column)), byte, "{byte}");
        }
        assert_eq!(position(TEXT, 7), Position::new(0, 4), "inside of a character");
        assert_eq!(offset(TEXT, Position::new(0, 5)), 5, "between its units");
    }

    #[test]
    fn positions_out_of_range_are_the_nearest_before() {
        assert_eq!(offset(TEXT, Position::new(0, 99)), 10, "before the line's end");
        assert_eq!(offset(TEXT, Position::new(99, 0)), TEXT.len());
        assert_eq!(offset("", Position::new(u32::MAX, u32::MAX)), 0);
        assert_eq!(position(TEXT, usize::MAX), Position::new(2, 0));
    }

    #[test]
    fn addresses_and_paths_are_one_another() {
        let odd = Path::new("/a b/ü%/c.lac");
        let address = uri(odd).expect("it has an address");
        assert_eq!(address.as_str(), "file:///a%20b/%C3%BC%25/c.lac");
        assert_eq!(path(&address), odd);
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}
