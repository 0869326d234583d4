//! Text to tokens, comments apart. Never fails: what has no meaning becomes an error token and a diagnostic.

use crate::codes;
use crate::token::{Comment, CommentKind, Foreign, Keyword, Token, TokenKind};
use crate::tree::BinaryOp;
use base::{Diagnostic, FileId, Span};

/// All that the lexer finds in one file.
pub(crate) struct Lexed {
    /// The tokens; the last, and only the last, is `End`.
    pub(crate) tokens: Vec<Token>,
    /// The comments, in order.
    pub(crate) comments: Vec<Comment>,
    /// What is wrong.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Splits `text` into tokens.
pub(crate) fn lex(file: FileId, text: &str) -> Lexed {
    let out = Lexed { tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new() };
    let mut lexer = Lexer { file, text, position: 0, after_newline: true, line_indent: None, line_start: 0, out };
    if text.starts_with('\u{feff}') {
        lexer.position = '\u{feff}'.len_utf8();
        lexer.line_start = lexer.position;
    }
    while lexer.skip_blanks() {
        lexer.token();
    }
    lexer.push(TokenKind::End, lexer.position);
    lexer.out
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    position: usize,
    after_newline: bool,
    line_start: usize,
    /// The indentation of the current line, once its first token is known.
    line_indent: Option<u32>,
    out: Lexed,
}

/// How many diagnostics one file may have; what comes after is not of use to anyone.
pub(crate) const MAX_DIAGNOSTICS: usize = 100;

/// The two-sign symbols, tried before the one-sign ones.
const PAIRS: &[(&str, TokenKind)] = &[
    ("..", TokenKind::DotDot),
    ("->", TokenKind::Arrow),
    ("==", TokenKind::Operator(BinaryOp::Equal)),
    ("!=", TokenKind::Operator(BinaryOp::NotEqual)),
    ("<=", TokenKind::Operator(BinaryOp::LessEqual)),
    (">=", TokenKind::Operator(BinaryOp::GreaterEqual)),
    ("<<", TokenKind::Operator(BinaryOp::ShiftLeft)),
    (">>", TokenKind::Operator(BinaryOp::ShiftRight)),
    ("&&", TokenKind::Foreign(Foreign::AndAnd)),
    ("||", TokenKind::Foreign(Foreign::OrOr)),
    (":=", TokenKind::Foreign(Foreign::ColonEqual)),
    ("::", TokenKind::Foreign(Foreign::ColonColon)),
    ("=>", TokenKind::Foreign(Foreign::FatArrow)),
    ("++", TokenKind::Foreign(Foreign::Increment)),
    ("+=", TokenKind::Foreign(Foreign::Compound(BinaryOp::Add))),
    ("-=", TokenKind::Foreign(Foreign::Compound(BinaryOp::Subtract))),
    ("*=", TokenKind::Foreign(Foreign::Compound(BinaryOp::Multiply))),
    ("|=", TokenKind::Foreign(Foreign::Compound(BinaryOp::BitOr))),
    ("&=", TokenKind::Foreign(Foreign::Compound(BinaryOp::BitAnd))),
    ("^=", TokenKind::Foreign(Foreign::Compound(BinaryOp::BitXor))),
];

/// The symbol of one sign.
fn single(byte: u8) -> Option<TokenKind> {
    use TokenKind::*;
    Some(match byte {
        b'{' => OpenBrace,
        b'}' => CloseBrace,
        b'(' => OpenParen,
        b')' => CloseParen,
        b'[' => OpenBracket,
        b']' => CloseBracket,
        b',' => Comma,
        b';' => Semicolon,
        b':' => Colon,
        b'.' => Dot,
        b'?' => Question,
        b'@' => At,
        b'=' => Assign,
        b'<' => Operator(BinaryOp::Less),
        b'>' => Operator(BinaryOp::Greater),
        b'|' => Operator(BinaryOp::BitOr),
        b'^' => Operator(BinaryOp::BitXor),
        b'&' => Operator(BinaryOp::BitAnd),
        b'+' => Operator(BinaryOp::Add),
        b'-' => Operator(BinaryOp::Subtract),
        b'*' => Operator(BinaryOp::Multiply),
        b'/' => Operator(BinaryOp::Divide),
        b'%' => Operator(BinaryOp::Remainder),
        b'!' => Foreign(self::Foreign::Bang),
        _ => return None,
    })
}

/// What to write instead of a character that is not of the language.
fn advice(character: char) -> &'static str {
    match character {
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '∧' => "write `and`",
        '∨' => "write `or`",
        '¬' | '~' => "write `not`",
        '→' => "write `->`",
        '←' => "write `=`",
        '⇒' => "write `implies`",
        '∀' => "write `all x in T: ..`",
        '∃' => "write `exists x in T: ..`",
        '…' => "write `..`",
        '−' | '–' | '—' => "write `-`",
        '“' | '”' | '‘' | '’' | '\'' | '`' => "titles are in straight double quotes: `\"..\"`",
        '#' => "comments begin with `//`",
        '\u{a0}' | '\u{200b}' => "this is an invisible character: write a plain space",
        c if c.is_alphabetic() => "names are made of the letters A to Z, digits and `_`",
        _ => "remove it",
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.position + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &str {
        self.text.get(self.position..).unwrap_or("")
    }

    /// Goes on while `wanted` holds of the next byte.
    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.position).is_some_and(|&b| wanted(b)) {
            self.position += 1;
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.position)
    }

    /// Goes past white space and comments; false at the end of the text.
    fn skip_blanks(&mut self) -> bool {
        while self.position < self.text.len() {
            match self.byte(0) {
                b'\n' => {
                    self.position += 1;
                    self.line_start = self.position;
                    self.line_indent = None;
                    self.after_newline = true;
                }
                byte if is_blank(byte) => self.position += 1,
                b'/' if self.byte(1) == b'/' => self.comment(),
                b'/' if self.byte(1) == b'*' => self.block_comment(),
                _ => return true,
            }
        }
        false
    }

    fn comment(&mut self) {
        let start = self.position;
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or("");
        let kind = match line.as_bytes().get(2) {
            Some(b'!') => CommentKind::Module,
            Some(b'/') if line.as_bytes().get(3) != Some(&b'/') => CommentKind::Item,
            _ => CommentKind::Plain,
        };
        let span = Span::new(self.file, start, start + line.trim_end().len());
        let length = line.len();
        self.position += length;
        let tokens_before = self.out.tokens.len();
        self.out.comments.push(Comment { kind, span, own_line: self.after_newline, tokens_before });
    }

    fn block_comment(&mut self) {
        let start = self.position;
        let rest = self.rest();
        let end = rest.find("*/").map_or(rest.len(), |i| i + 2);
        if rest.get(..end).is_some_and(|comment| comment.contains('\n')) {
            self.after_newline = true;
            self.line_indent = None;
            self.line_start = self.position + end;
        }
        self.position += end;
        let opening = Span::new(self.file, start, start + 2);
        self.report(
            Diagnostic::error(codes::BLOCK_COMMENT, opening, "there are no `/* */` comments")
                .hint("begin each line of the comment with `//`"),
        );
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let indent = *self.line_indent.get_or_insert((start - self.line_start) as u32);
        let token = Token { kind, span: self.span(start), after_newline: self.after_newline, indent };
        self.out.tokens.push(token);
        self.after_newline = false;
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.out.diagnostics.len() < MAX_DIAGNOSTICS {
            self.out.diagnostics.push(diagnostic);
        }
    }

    /// Reads one token; the text continues with something that is not blank.
    fn token(&mut self) {
        let start = self.position;
        let kind = match self.byte(0) {
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            byte if is_name_byte(byte) => {
                self.skip_while(is_name_byte);
                Keyword::from_text(&self.text[start..self.position]).map_or(TokenKind::Name, TokenKind::Keyword)
            }
            _ => self.symbol(),
        };
        self.push(kind, start);
    }

    fn symbol(&mut self) -> TokenKind {
        for (triple, kind) in [("..=", Foreign::DotDotEqual), ("...", Foreign::Ellipsis)] {
            if self.rest().starts_with(triple) {
                self.position += triple.len();
                return TokenKind::Foreign(kind);
            }
        }
        if let Some((pair, kind)) = PAIRS.iter().find(|(pair, _)| self.rest().starts_with(pair)) {
            self.position += pair.len();
            return *kind;
        }
        match single(self.byte(0)) {
            Some(kind) => {
                self.position += 1;
                kind
            }
            None => self.unknown(),
        }
    }

    fn number(&mut self) -> TokenKind {
        let start = self.position;
        self.skip_while(|byte| byte.is_ascii_digit());
        if !is_name_byte(self.byte(0)) {
            return TokenKind::Int;
        }
        self.skip_while(is_name_byte);
        let text = &self.text[start..self.position];
        let diagnostic =
            Diagnostic::error(codes::MALFORMED_NUMBER, self.span(start), format!("`{text}` is not a number"))
                .hint("numbers are decimal digits only, and names begin with a letter or `_`");
        self.report(diagnostic);
        TokenKind::Error
    }

    fn string(&mut self) -> TokenKind {
        let start = self.position;
        self.position += 1;
        self.skip_while(|byte| byte != b'"' && byte != b'\n');
        if self.byte(0) == b'"' {
            self.position += 1;
            return TokenKind::Str;
        }
        let opening = Span::new(self.file, start, start + 1);
        self.report(
            Diagnostic::error(codes::UNTERMINATED_STRING, opening, "the string that begins here has no end")
                .hint("close it with `\"` on the same line"),
        );
        TokenKind::Error
    }

    /// Takes a whole run of unknown characters as one error, so that binary input gives few of them.
    fn unknown(&mut self) -> TokenKind {
        let start = self.position;
        let first = self.rest().chars().next().unwrap_or(' ');
        self.position += first.len_utf8();
        self.skip_while(|byte| {
            !is_blank(byte) && !is_name_byte(byte) && byte != b'"' && byte != b'/' && single(byte).is_none()
        });
        let message = match first {
            c if c.is_control() || c.is_whitespace() => "this character has no meaning here".to_string(),
            c => format!("the character `{c}` has no meaning here"),
        };
        let diagnostic = Diagnostic::error(codes::UNKNOWN_CHARACTER, self.span(start), message).hint(advice(first));
        self.report(diagnostic);
        TokenKind::Error
    }
}
