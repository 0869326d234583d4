//! Continuing after a mistake: where the next statement, entry or item begins, and which brace is missing.

use super::{MAX_NESTING, Parser};
use crate::codes;
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::{Expr, ExprKind};
use base::Diagnostic;

/// For each opening bracket the index of its closing one. A brace ends all round and square brackets
/// opened inside it, so a forgotten `)` does no harm beyond its block.
pub(super) fn closers(tokens: &[Token]) -> Vec<Option<usize>> {
    use TokenKind::*;
    let mut closers = vec![None; tokens.len()];
    let mut stack: Vec<usize> = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        let opening = match token.kind {
            OpenBrace | OpenParen | OpenBracket => {
                stack.push(idx);
                continue;
            }
            CloseBrace => OpenBrace,
            CloseParen => OpenParen,
            CloseBracket => OpenBracket,
            _ => continue,
        };
        if opening == OpenBrace {
            while stack.last().is_some_and(|&top| tokens[top].kind != OpenBrace) {
                stack.pop();
            }
        }
        if stack.last().is_some_and(|&top| tokens[top].kind == opening) {
            closers[stack.pop().unwrap_or(0)] = Some(idx);
        }
    }
    closers
}

impl Parser<'_> {
    /// Consumes a token, and with an opening bracket everything up to its closing one.
    fn skip_group(&mut self) {
        match self.closers[self.position] {
            Some(closer) => self.position = closer + 1,
            None => {
                self.bump();
            }
        }
    }

    /// Leaves the round and square brackets we are in.
    fn leave_brackets(&mut self) {
        let closer = self.open.iter().find_map(|&open| self.closers[open]);
        self.open.clear();
        self.condition = false;
        self.row_follows = false;
        self.block_follows = false;
        if let Some(closer) = closer.filter(|&closer| closer >= self.position) {
            self.position = closer + 1;
        }
    }

    /// Skips what is left of a statement or entry that began at token `start`: to the end of the line,
    /// past a `;` (or `,` if `commas`), or up to a `}`.
    pub(super) fn skip_line(&mut self, start: usize, commas: bool) {
        self.leave_brackets();
        loop {
            let token = self.token();
            match token.kind {
                TokenKind::End | TokenKind::CloseBrace => return,
                _ if token.after_newline && self.position > start => return,
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::Comma if commas => {
                    self.bump();
                    return;
                }
                _ => self.skip_group(),
            }
        }
    }

    /// Skips to where the next item seems to begin. Consumes at least one token.
    pub(super) fn skip_to_item(&mut self, start: usize) {
        self.leave_brackets();
        while self.kind() != TokenKind::End {
            let token = self.token();
            if token.after_newline && self.position > start && self.seems_item() {
                return;
            }
            self.skip_group();
        }
    }

    /// Whether the next token, first of its line, begins an item or something meant as one.
    fn seems_item(&self) -> bool {
        let (token, next) = (self.token(), self.token_at(1));
        match token.kind {
            TokenKind::Keyword(keyword) => keyword.begins_item() && (keyword != Keyword::Cover || token.indent == 0),
            TokenKind::Name => token.indent == 0 && next.kind == TokenKind::Name && !next.after_newline,
            _ => false,
        }
    }

    /// After a mistake in a header: goes to the `{` on the same line, and stands in for what was not read.
    pub(super) fn skip_to_block(&mut self, start: usize) -> Option<Expr> {
        self.leave_brackets();
        loop {
            let token = self.token();
            match token.kind {
                TokenKind::OpenBrace => {
                    let span = self.span_from(start);
                    return Some(Expr { kind: ExprKind::Error, span });
                }
                TokenKind::End | TokenKind::CloseBrace | TokenKind::Semicolon => return None,
                _ if token.after_newline => return None,
                _ => self.skip_group(),
            }
        }
    }

    /// Whether the next token begins an item that cannot be inside the block opened at token `open`,
    /// because its line is not indented more than that block's.
    pub(super) fn at_item_outside(&self, open: usize) -> bool {
        let token = self.token();
        matches!(token.kind, TokenKind::Keyword(keyword) if keyword.begins_only_item())
            && token.after_newline
            && token.indent <= self.tokens[open].indent
    }

    /// Remembers a block whose `}` (consumed last) seems to belong to a block around it.
    pub(super) fn note_closing(&mut self, open: usize) {
        let close = self.previous();
        if close.after_newline && close.indent < self.tokens[open].indent {
            self.suspect.get_or_insert(open);
        }
    }

    /// Reports that the `{` of token `open`, or a likelier one inside, is not closed.
    pub(super) fn missing_brace(&mut self, open: usize) {
        let opening = match self.suspect.take() {
            Some(suspect) if suspect > open => suspect,
            _ => open,
        };
        let token = self.token();
        let (span, message) = match token.kind {
            TokenKind::End => (self.previous().span, "a `}` is missing at the end of the file".to_string()),
            _ => (token.span, format!("a `}}` is missing before `{}`", self.next_text())),
        };
        let opening = self.tokens[opening].span;
        self.report(
            Diagnostic::error(codes::MISSING_BRACE, span, message)
                .note(opening, "this `{` is not closed")
                .hint("add a `}`, or remove the `{`"),
        );
    }

    /// Whether one more level of nesting is too many; reports it.
    pub(super) fn is_too_deep(&mut self) -> bool {
        let too_deep = self.nesting >= MAX_NESTING;
        if too_deep {
            self.report(
                Diagnostic::error(codes::TOO_DEEP, self.token().span, "this is nested too deeply")
                    .hint(format!("at most {MAX_NESTING} levels are read: name parts of it with `let` or `proc`")),
            );
        }
        too_deep
    }
}
