//! Tokens to tree, by recursive descent.
//!
//! A parse function that returns `None` has reported why; its caller goes on at the next statement,
//! list entry or item, so that one mistake gives one diagnostic. What is wrong but understood is
//! reported and read as meant. Every loop consumes a token or stops, and nesting is limited, so any
//! text is read in linear time and bounded stack.

mod declaration;
mod expectation;
pub(crate) mod expr;
mod item;
mod list;
mod recover;
mod stmt;
mod types;

use crate::codes;
use crate::lexer::{self, MAX_DIAGNOSTICS};
use crate::token::{Comment, CommentKind, Keyword, Token, TokenKind};
use crate::tree::{Item, ItemKind, Module, Name};
use base::{Code, Diagnostic, FileId, Span};

/// Files beyond this size are refused.
const MAX_BYTES: usize = 256 << 20;
/// How deep blocks and expressions may nest, counted together.
const MAX_NESTING: u32 = 200;
/// How high an expression's tree may be; long chains such as `a or b or ..` make high trees.
const MAX_HEIGHT: u32 = 500;

/// Reads the text of `file`. There is always a tree; it is complete if no diagnostic is an error.
pub fn parse(file: FileId, text: &str) -> (Module, Vec<Diagnostic>) {
    if text.len() > MAX_BYTES {
        let span = Span::new(file, 0, 0);
        let diagnostic = Diagnostic::error(codes::FILE_TOO_LARGE, span, "the file is larger than 256 MiB");
        return (Module::default(), vec![diagnostic.hint("is this a `.lac` file?")]);
    }
    let lexed = lexer::lex(file, text);
    let mut parser = Parser {
        text,
        closers: recover::closers(&lexed.tokens),
        tokens: lexed.tokens,
        comments: lexed.comments,
        position: 0,
        diagnostics: lexed.diagnostics,
        reported_at: None,
        suspect: None,
        open: Vec::new(),
        nesting: 0,
        height: 0,
        condition: false,
        row_follows: false,
    };
    let module = parser.module();
    (module, parser.finish())
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    /// For each opening bracket, the index of the token that closes it, if any.
    closers: Vec<Option<usize>>,
    /// The index of the next token.
    position: usize,
    diagnostics: Vec<Diagnostic>,
    /// Where the last diagnostic was made: there is none other at the same token.
    reported_at: Option<usize>,
    /// A `{` whose `}` is indented less than its own line: likely the one that lacks its `}`.
    suspect: Option<usize>,
    /// The round and square brackets we are in. No statement is inside any.
    open: Vec<usize>,
    nesting: u32,
    /// The height of the expression read last.
    height: u32,
    /// Whether a condition is being read: there `=` is a mistake for `==`.
    condition: bool,
    /// Whether `{ NAME :` after an expression begins rows of `expect`.
    row_follows: bool,
}

impl<'a> Parser<'a> {
    fn module(&mut self) -> Module {
        let doc = self.module_doc();
        let mut items = Vec::new();
        let mut comment_idx = 0;
        while self.kind() != TokenKind::End {
            let mut doc = self.item_doc(&mut comment_idx);
            while self.eat(TokenKind::Semicolon) {
                doc.extend(self.item_doc(&mut comment_idx));
            }
            if self.at(TokenKind::End) {
                break;
            }
            let start = self.position;
            let kind = match self.item() {
                Some(kind) => {
                    self.item_end();
                    kind
                }
                None => {
                    self.skip_to_item(start);
                    ItemKind::Error
                }
            };
            self.nesting = 0;
            let span = self.span_from(start);
            items.push(Item { doc, kind, span });
        }
        Module { doc, items }
    }

    /// The lines of the `//!` comment at the top; one elsewhere is reported.
    fn module_doc(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for comment in self.comments.clone() {
            match comment.kind {
                CommentKind::Module if comment.tokens_before == 0 => lines.push(self.doc_line(comment)),
                CommentKind::Module => {
                    self.diagnostics.push(
                        Diagnostic::warning(
                            codes::MISPLACED_DOC,
                            comment.span,
                            "`//!` is only for the top of the file",
                        )
                        .hint("write `//`, or `///` to document the next item"),
                    );
                }
                _ => {}
            }
        }
        lines
    }

    /// The lines of the `///` comment just before the next token. `from` is the first comment not yet passed.
    fn item_doc(&self, from: &mut usize) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(comment) = self.comments.get(*from).filter(|c| c.tokens_before <= self.position) {
            if comment.kind == CommentKind::Item && comment.tokens_before == self.position && comment.own_line {
                lines.push(self.doc_line(*comment));
            }
            *from += 1;
        }
        lines
    }

    /// A documentation comment without its marker and the space after it.
    fn doc_line(&self, comment: Comment) -> String {
        let text = self.slice(comment.span);
        let text = text.get(3..).unwrap_or("");
        text.strip_prefix(' ').unwrap_or(text).to_string()
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|d| d.span.start);
        if self.diagnostics.len() > MAX_DIAGNOSTICS {
            self.diagnostics.truncate(MAX_DIAGNOSTICS);
            if let Some(last) = self.diagnostics.last() {
                let message = "there are more errors after this one";
                self.diagnostics.push(
                    Diagnostic::error(codes::TOO_MANY_ERRORS, last.span, message).hint("mend the first ones first"),
                );
            }
        }
        self.diagnostics
    }

    // What is next.

    /// The token `ahead` of the next one; past the end, the end.
    fn token_at(&self, ahead: usize) -> Token {
        self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    fn token(&self) -> Token {
        self.token_at(0)
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the next token if it is on the line of the one before.
    fn kind_same_line(&self) -> Option<TokenKind> {
        (!self.token().after_newline).then(|| self.kind())
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.at(TokenKind::Keyword(keyword))
    }

    /// Whether the next token is the contextual key word `word`.
    fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Name) && self.slice(self.token().span) == word
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn next_text(&self) -> &'a str {
        self.slice(self.token().span)
    }

    /// The token consumed last; at the start of the file, the first.
    fn previous(&self) -> Token {
        self.tokens[self.position.saturating_sub(1)]
    }

    // Consuming.

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// From the token of index `start` to the one consumed last.
    fn span_from(&self, start: usize) -> Span {
        let first = self.tokens[start.min(self.tokens.len() - 1)].span;
        let last = self.previous().span;
        if self.position <= start { Span { end: first.start, ..first } } else { first.to(last) }
    }

    /// Consumes `kind`, written `symbol`, or reports that it is missing.
    fn expect(&mut self, kind: TokenKind, symbol: &str, context: &str) -> Option<()> {
        if self.eat(kind) {
            return Some(());
        }
        self.expected(codes::EXPECTED_SYMBOL, &format!("`{symbol}` {context}"), None);
        None
    }

    /// Consumes a name that is `what` it names. A key word is reported and taken as the name.
    fn name(&mut self, what: &str) -> Option<Name> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {}
            TokenKind::Keyword(_) if !token.after_newline => {
                let text = self.slice(token.span);
                self.report(
                    Diagnostic::error(
                        codes::KEYWORD_AS_NAME,
                        token.span,
                        format!("`{text}` is a key word and cannot be {what}"),
                    )
                    .hint(format!("choose another name, such as `{text}_`")),
                );
            }
            _ => {
                self.expected(codes::EXPECTED_NAME, what, None);
                return None;
            }
        }
        self.bump();
        Some(Name { text: self.slice(token.span).to_string(), span: token.span })
    }

    // Reporting.

    /// Adds a diagnostic, unless there is one at this token already.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.reported_at == Some(self.position) {
            return;
        }
        self.reported_at = Some(self.position);
        if self.diagnostics.len() <= 2 * MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that `wanted` should stand here.
    fn expected(&mut self, code: Code, wanted: &str, hint: Option<&str>) {
        let token = self.token();
        let ends = token.after_newline || token.kind == TokenKind::End;
        if token.kind == TokenKind::Error {
            return;
        }
        let (span, message) = if ends && self.position > 0 {
            let before = self.previous().span;
            (before, format!("expected {wanted} after `{}`", self.slice(before)))
        } else if token.kind == TokenKind::End {
            (token.span, format!("expected {wanted}, but the file ends here"))
        } else {
            (token.span, format!("expected {wanted}, found `{}`", self.slice(token.span)))
        };
        let diagnostic = Diagnostic::error(code, span, message);
        self.report(match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        });
    }
}
