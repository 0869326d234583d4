//! What a program says about its own proof: levels of invariants, and guarantees; and what its procedures refine.

use super::Parser;
use crate::codes;
use crate::token::{Keyword, TokenKind};
use crate::tree::{Expr, ExprKind, Guarantee, ItemKind, Level, Refines};

impl Parser<'_> {
    /// `name level 2: condition`, after `invariant`.
    pub(super) fn invariant(&mut self) -> Option<ItemKind> {
        let is_levelled = self.token_at(1).kind == TokenKind::Name && !self.token_at(1).after_newline;
        if !is_levelled {
            let name = self.property_name()?;
            return Some(ItemKind::Invariant { name, level: None, condition: self.condition()? });
        }
        let name = self.name("the name of a property")?;
        let hint = "an invariant is written `invariant name: condition` or `invariant name level 2: condition`";
        let level = Some(self.level(hint)?);
        self.expect(TokenKind::Colon, ":", "and a condition")?;
        Some(ItemKind::Invariant { name, level, condition: self.condition()? })
    }

    /// `take when performed`, after `refines`.
    pub(super) fn refines(&mut self) -> Option<Refines> {
        let specification = self.name("the procedure that is refined")?;
        let when_performed = self.eat_word("when");
        if when_performed && !self.eat_word("performed") {
            let hint = "write `refines take`, or `refines take when performed`";
            self.expected(codes::EXPECTED_SYMBOL, "`performed`", Some(hint));
            return None;
        }
        Some(Refines { specification, when_performed })
    }

    fn level(&mut self, hint: &str) -> Option<Level> {
        if !self.eat_word("level") {
            self.expected(codes::EXPECTED_SYMBOL, "`:` or `level`", Some(hint));
            return None;
        }
        if !self.at(TokenKind::Int) {
            self.expected(codes::EXPECTED_SYMBOL, "a number", Some(hint));
            return None;
        }
        let span = self.token().span;
        let ExprKind::Int(number) = self.int() else { return None };
        Some(Level { number: number.try_into().unwrap_or(u32::MAX), span })
    }

    /// `name: thread at (label, ..)`, after `guarantee`; then what the steps there require, modify and ensure.
    pub(super) fn guarantee(&mut self) -> Option<ItemKind> {
        let hint = "a guarantee is written `guarantee name: thread at (label, label*, *label)`";
        let name = self.name("the name of a guarantee")?;
        let level = if self.at_word("level") { Some(self.level(hint)?) } else { None };
        self.expect(TokenKind::Colon, ":", "and a thread")?;
        let thread = self.name("the name of a thread")?;
        if !self.eat(TokenKind::Keyword(Keyword::At)) || !self.at(TokenKind::OpenParen) {
            self.expected(codes::EXPECTED_SYMBOL, "`at (`", Some(hint));
            return None;
        }
        let labels = self.bracketed(TokenKind::CloseParen, ")", |p| {
            let mut labels = vec![p.label_pattern()?];
            while p.eat(TokenKind::Comma) && !p.at(TokenKind::CloseParen) {
                labels.push(p.label_pattern()?);
            }
            Some(labels)
        })?;
        let requires = if self.eat_word("requires") { Some(self.condition()?) } else { None };
        let modifies = if self.eat_word("modifies") { Some(self.modified()?) } else { None };
        let ensures = if self.eat_word("ensures") { Some(self.condition()?) } else { None };
        Some(ItemKind::Guarantee(Guarantee { name, level, thread, labels, requires, modifies, ensures }))
    }

    /// `(place, ..)`, after `modifies`.
    fn modified(&mut self) -> Option<Vec<Expr>> {
        let hint = "list what a step may change: `modifies (phase, Node.color, buffer[self])`, or `modifies ()`";
        self.in_parentheses(hint, Self::expr)
    }
}
