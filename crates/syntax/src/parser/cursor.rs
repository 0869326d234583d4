//! The parser's place in the tokens: looking ahead, consuming, reporting.

use super::Parser;
use crate::codes;
use crate::lexer::MAX_DIAGNOSTICS;
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::Name;
use base::{Code, Diagnostic, Span};

impl<'a> Parser<'a> {
    // What is next.

    /// The token `ahead` of the next one; past the end, the end.
    pub(super) fn token_at(&self, ahead: usize) -> Token {
        self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn token(&self) -> Token {
        self.token_at(0)
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the next token if it is on the line of the one before.
    pub(super) fn kind_same_line(&self) -> Option<TokenKind> {
        (!self.token().after_newline).then(|| self.kind())
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.at(TokenKind::Keyword(keyword))
    }

    /// Whether the next token is the contextual keyword `word`.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Name) && self.slice(self.token().span) == word
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    pub(super) fn next_text(&self) -> &'a str {
        self.slice(self.token().span)
    }

    /// The token consumed last; at the start of the file, the first.
    pub(super) fn previous(&self) -> Token {
        self.tokens[self.position.saturating_sub(1)]
    }

    // Consuming.

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// From the token of index `start` to the one consumed last.
    pub(super) fn span_from(&self, start: usize) -> Span {
        let first = self.tokens[start.min(self.tokens.len() - 1)].span;
        let last = self.previous().span;
        if self.position <= start { Span { end: first.start, ..first } } else { first.to(last) }
    }

    /// Consumes `kind`, written `symbol`, or reports that it is missing.
    pub(super) fn expect(&mut self, kind: TokenKind, symbol: &str, context: &str) -> Option<()> {
        if self.eat(kind) {
            return Some(());
        }
        self.expected(codes::EXPECTED_SYMBOL, &format!("`{symbol}` {context}"), None);
        None
    }

    /// Consumes a name that is `what` it names. A keyword is reported and taken as the name.
    pub(super) fn name(&mut self, what: &str) -> Option<Name> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {}
            TokenKind::Keyword(_) if !token.after_newline => {
                let text = self.slice(token.span);
                self.report(
                    Diagnostic::error(
                        codes::KEYWORD_AS_NAME,
                        token.span,
                        format!("`{text}` is a keyword and cannot be {what}"),
                    )
                    .hint(format!("choose another name, such as `{text}_`")),
                );
            }
            _ => {
                self.expected(codes::EXPECTED_NAME, what, Some("a name is made of letters, digits and `_`"));
                return None;
            }
        }
        self.bump();
        Some(Name { text: self.slice(token.span).to_string(), span: token.span })
    }

    // Reporting.

    /// Adds a diagnostic about the next token, unless there is one already.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.report_at(self.position, diagnostic);
    }

    /// Adds a diagnostic about what was consumed last, unless there is one already.
    pub(super) fn report_before(&mut self, diagnostic: Diagnostic) {
        self.report_at(self.position.saturating_sub(1), diagnostic);
    }

    pub(super) fn report_at(&mut self, position: usize, diagnostic: Diagnostic) {
        if self.reported_at == Some(position) {
            return;
        }
        self.reported_at = Some(position);
        if self.diagnostics.len() <= 2 * MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that `wanted` should stand here.
    pub(super) fn expected(&mut self, code: Code, wanted: &str, hint: Option<&str>) {
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
