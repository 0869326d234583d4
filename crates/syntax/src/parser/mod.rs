//! Tokens to tree, by recursive descent.
//!
//! A parse function that returns `None` has reported why; its caller continues at the next statement,
//! list entry or item, so that one mistake gives one diagnostic. What is wrong but understood is
//! reported and read as meant. Every loop consumes a token or stops, and nesting is limited, so any
//! text is read in linear time and bounded stack.

mod assign;
mod cursor;
mod declaration;
mod expectation;
mod expr;
mod item;
mod list;
pub(crate) mod operator;
mod packets;
mod proofs;
mod recover;
mod sets;
mod stmt;
mod temporal;
mod transactions;
mod types;

use crate::codes;
use crate::lexer::{self, MAX_DIAGNOSTICS};
use crate::token::{Comment, CommentKind, Token, TokenKind};
use crate::tree::{Item, ItemKind, Module};
use base::{Diagnostic, FileId, Span};

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
        formula: false,
        row_follows: false,
        block_follows: false,
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
    /// Whether a temporal formula is being read: there `always (` is no call.
    formula: bool,
    /// Whether `{ NAME :` after an expression begins rows of `expect`.
    row_follows: bool,
    /// Whether a `{` outside brackets begins a block, and no set.
    block_follows: bool,
}

impl Parser<'_> {
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
        let n_empty = self.tokens.iter().take_while(|token| token.kind == TokenKind::Semicolon).count();
        for comment in self.comments.clone() {
            let at_top = comment.tokens_before <= n_empty && comment.own_line;
            match comment.kind {
                CommentKind::Module if at_top => lines.push(self.doc_line(comment)),
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
                    Diagnostic::error(codes::TOO_MANY_ERRORS, last.span, message).hint("fix the first ones first"),
                );
            }
        }
        self.diagnostics
    }
}
