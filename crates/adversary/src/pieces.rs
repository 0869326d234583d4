//! Texts as pieces: words, numbers, signs and ends of lines.

/// Signs of two characters.
const LONG: [&str; 9] = ["->", "..", "==", "!=", "<=", ">=", "<<", ">>", "//"];

/// The pieces of a text without blanks; an end of line is one.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            ' ' | '\t' => {
                rest = &rest[1..];
                continue;
            }
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ if LONG.iter().any(|sign| rest.starts_with(sign)) => 2,
            c => c.len_utf8(),
        };
        found.push(rest[..length].to_string());
        rest = &rest[length..];
    }
    found
}

/// The text of pieces. A `(` or `[` stays with what is before it, and so does a label with its sign.
pub(crate) fn text_of(pieces: &[String]) -> String {
    let mut text = String::new();
    for (n, piece) in pieces.iter().enumerate() {
        let before = n.checked_sub(1).map(|n| pieces[n].as_str());
        let is_word =
            |piece: &str| piece.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == ')' || c == ']');
        let joins = match piece.as_str() {
            "[" | "." | ")" | "]" | "," => true,
            "(" => before.is_some_and(|p| is_word(p) && !WORDS.contains(&p)),
            _ => matches!(before, Some("." | "(" | "[" | "@")),
        };
        if n > 0 && !joins {
            text.push(' ');
        }
        text.push_str(piece);
    }
    text
}

/// Words that are no names of calls.
const WORDS: [&str; 14] = [
    "if",
    "while",
    "and",
    "or",
    "not",
    "implies",
    "assume",
    "assert",
    "in",
    "return",
    "always",
    "eventually",
    "next",
    "until",
];

/// Where the bracket that opens at `at` closes.
pub(crate) fn closing(pieces: &[String], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (n, piece) in pieces.iter().enumerate().skip(at) {
        match piece.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(n);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether every bracket in these pieces is closed in them.
pub(crate) fn is_balanced(pieces: &[String]) -> bool {
    let mut depth = 0usize;
    for piece in pieces {
        match piece.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ => {}
        }
    }
    depth == 0
}
