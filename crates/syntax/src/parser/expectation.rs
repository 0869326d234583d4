//! `expect`: the verdicts that a file states for its variants.

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{BinaryOp, Expect, ExpectRow, ExpectVerdict, ItemKind, Name};
use base::Diagnostic;

impl Parser<'_> {
    /// After `expect`.
    pub(super) fn expectation(&mut self) -> Option<ItemKind> {
        let mut variants = Vec::new();
        if !self.at(TokenKind::OpenBrace) && !self.at_with() {
            variants = self.names("a variant")?;
        }
        let mut settings = Vec::new();
        if self.at_with() {
            self.bump();
            self.row_follows = true;
            settings.push(self.setting()?);
            while self.eat(TokenKind::Comma) {
                settings.push(self.setting()?);
            }
            self.row_follows = false;
        }
        let rows = self.list("row", Self::row)?;
        Some(ItemKind::Expect(Expect { variants, settings, rows }))
    }

    /// Whether `with` comes next as a keyword, not as the name of a variant.
    fn at_with(&self) -> bool {
        self.at_word("with") && self.token_at(1).kind == TokenKind::Name
    }

    /// `a, b`: one name or more.
    fn names(&mut self, what: &str) -> Option<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what)?);
        }
        Some(names)
    }

    /// `sc, pso-full: holds`
    fn row(&mut self) -> Option<ExpectRow> {
        let mut memories = vec![self.memory()?];
        while self.eat(TokenKind::Comma) {
            memories.push(self.memory()?);
        }
        if !self.eat(TokenKind::Colon) {
            let hint = "a row is written `sc, tso: holds` or `all: violated in S by property`";
            self.expected(codes::EXPECTED_SYMBOL, "`:` and a verdict", Some(hint));
            return None;
        }
        Some(ExpectRow { memories, verdict: self.verdict()? })
    }

    /// The name of a memory model: words joined by dashes.
    fn memory(&mut self) -> Option<Name> {
        let mut name = self.name("the name of a memory model")?;
        while self.kind_same_line() == Some(TokenKind::Operator(BinaryOp::Subtract)) {
            self.bump();
            let part = match self.kind() {
                TokenKind::Keyword(_) if !self.token().after_newline => self.bump().span,
                _ => self.name("the rest of the memory model's name")?.span,
            };
            name.text = format!("{}-{}", name.text, self.slice(part));
            name.span = name.span.to(part);
        }
        Some(name)
    }

    fn verdict(&mut self) -> Option<ExpectVerdict> {
        if self.eat_word("holds") {
            return Some(ExpectVerdict::Holds);
        }
        if !self.eat_word("violated") {
            let hint = "`holds`: no run violates a property; `violated`: some run does";
            self.expected(codes::EXPECTED_VERDICT, "`holds` or `violated`", Some(hint));
            return None;
        }
        let scenarios = match self.eat_word("in") {
            true => self.names("a scenario")?,
            false => Vec::new(),
        };
        let property = match self.eat_word("by") {
            true => Some(self.name("a property")?),
            false => None,
        };
        if self.at(TokenKind::Colon) {
            let span = self.previous().span;
            let message = format!("`{}` is read as a scenario of the row before", self.slice(span));
            self.report(
                Diagnostic::error(codes::EXPECTED_SEPARATOR, span, message)
                    .hint("separate rows with `;` or a new line"),
            );
            return None;
        }
        Some(ExpectVerdict::Violated { scenarios, property })
    }
}
