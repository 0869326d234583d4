//! `transaction { .. } abort(cause, code) { .. }`

use super::Parser;
use crate::codes;
use crate::token::{Keyword, TokenKind};
use crate::tree::{Name, StmtKind, Transaction};
use base::Diagnostic;

impl Parser<'_> {
    /// After `transaction`.
    pub(super) fn transaction(&mut self) -> Option<StmtKind> {
        let capacity = match self.eat_word("capacity") {
            true => Some(self.count_before_block()?),
            false => None,
        };
        let body = self.block("`transaction`")?;
        if !self.eat(TokenKind::Keyword(Keyword::Abort)) {
            let hint = "a transaction may abort: say what is done then, as in `transaction { .. } abort { .. }`";
            self.expected(codes::EXPECTED_SYMBOL, "`abort`", Some(hint));
            return None;
        }
        let mut told = self.told()?.into_iter();
        let (cause, code) = (told.next(), told.next());
        let handler = self.block("`abort`")?;
        Some(StmtKind::Transaction(Box::new(Transaction { capacity, body, cause, code, handler })))
    }

    /// `(cause, code)`, or less.
    fn told(&mut self) -> Option<Vec<Name>> {
        let mut told = Vec::new();
        if !self.eat(TokenKind::OpenParen) {
            return Some(told);
        }
        while !self.eat(TokenKind::CloseParen) {
            told.push(self.name("a register for what is told of the abort")?);
            if !self.eat(TokenKind::Comma) && !self.at(TokenKind::CloseParen) {
                self.expected(codes::EXPECTED_SYMBOL, "`)`", Some("write `abort(cause)` or `abort(cause, code)`"));
                return None;
            }
        }
        if let Some(third) = told.get(2) {
            let diagnostic =
                Diagnostic::error(codes::UNEXPECTED_PART, third.span, "only two things are told of an abort");
            self.report(diagnostic.hint("write `abort(cause)` or `abort(cause, code)`"));
            told.truncate(2);
        }
        Some(told)
    }
}
