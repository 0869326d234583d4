//! Lists in braces: entries separated by a comma, a `;` or a new line.

use super::Parser;
use crate::codes;
use crate::token::{Keyword, TokenKind};
use crate::tree::Setting;
use base::Diagnostic;

impl Parser<'_> {
    /// `{ entry* }`; `what` is one entry, in the user's words. An entry that ends with `}` needs no separator.
    pub(super) fn list<T>(&mut self, what: &str, mut entry: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let open = self.position;
        if !self.eat(TokenKind::OpenBrace) {
            self.expected(codes::EXPECTED_SYMBOL, "`{`", Some("what follows stands in braces: `{ .. }`"));
            return None;
        }
        let mut entries = Vec::new();
        loop {
            match self.kind() {
                TokenKind::CloseBrace => {
                    self.bump();
                    self.note_closing(open);
                    return Some(entries);
                }
                TokenKind::Comma | TokenKind::Semicolon => self.empty_entry(what),
                TokenKind::End => {
                    self.missing_brace(open);
                    return Some(entries);
                }
                _ if self.at_item_outside(open) && !(self.at_thread() && self.closers[open].is_some()) => {
                    self.missing_brace(open);
                    return Some(entries);
                }
                _ => {
                    let (start, nesting) = (self.position, self.nesting);
                    match entry(self) {
                        Some(entry) => {
                            entries.push(entry);
                            self.separator(what);
                        }
                        None => self.skip_line(start, true),
                    }
                    self.nesting = nesting;
                }
            }
        }
    }

    /// Whether a thread is next, which a scenario may hold however it is indented.
    fn at_thread(&self) -> bool {
        self.at_keyword(Keyword::Thread)
    }

    /// The end of an entry. Where two stand side by side, reports it and continues with the second.
    fn separator(&mut self, what: &str) {
        let token = self.token();
        if self.eat(TokenKind::Comma) || self.eat(TokenKind::Semicolon) {
            return;
        }
        let ends = token.after_newline || matches!(token.kind, TokenKind::CloseBrace | TokenKind::End);
        if ends || self.previous().kind == TokenKind::CloseBrace {
            return;
        }
        match token.kind {
            TokenKind::Name | TokenKind::Keyword(_) => {
                let message = format!("there is nothing between two entries here, before `{}`", self.next_text());
                self.report(
                    Diagnostic::error(codes::EXPECTED_SEPARATOR, token.span, message)
                        .hint("separate them with a comma, a `;` or a new line"),
                );
            }
            _ => {
                let hint = format!("after each {what} comes a comma, a `;` or a new line");
                self.expected(codes::EXPECTED_SEPARATOR, "`,` or `}`", Some(&hint));
                self.skip_line(self.position, true);
            }
        }
    }

    /// `{ NAME = e, .. }`
    pub(super) fn settings(&mut self) -> Option<Vec<Setting>> {
        self.list("setting", Self::setting)
    }

    /// `NAME = e`
    pub(super) fn setting(&mut self) -> Option<Setting> {
        let name = self.name("the name of what is set")?;
        match self.kind() {
            TokenKind::Assign => {
                self.bump();
            }
            TokenKind::Colon => {
                self.report(
                    Diagnostic::error(codes::EXPECTED_SYMBOL, self.token().span, "expected `=`, found `:`")
                        .hint(format!("a setting is written `{} = value`", name.text)),
                );
                self.bump();
            }
            _ => {
                let hint = format!("a setting is written `{} = value`", name.text);
                self.expected(codes::EXPECTED_SYMBOL, "`=`", Some(&hint));
                return None;
            }
        }
        Some(Setting { name, value: self.expr()? })
    }
}
