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
        let mut results = self.abort_results()?.into_iter();
        let (cause, code) = (results.next(), results.next());
        let handler = self.block("`abort`")?;
        Some(StmtKind::Transaction(Box::new(Transaction { capacity, body, cause, code, handler })))
    }

    /// `(cause, code)`, or less.
    fn abort_results(&mut self) -> Option<Vec<Name>> {
        let mut results = Vec::new();
        if !self.eat(TokenKind::OpenParen) {
            return Some(results);
        }
        while !self.eat(TokenKind::CloseParen) {
            results.push(self.name("a register for the cause or code of the abort")?);
            if !self.eat(TokenKind::Comma) && !self.at(TokenKind::CloseParen) {
                self.expected(codes::EXPECTED_SYMBOL, "`)`", Some("write `abort(cause)` or `abort(cause, code)`"));
                return None;
            }
        }
        if let Some(third) = results.get(2) {
            let diagnostic = Diagnostic::error(
                codes::UNEXPECTED_PART,
                third.span,
                "an abort has a cause and a code, and nothing else",
            );
            self.report(diagnostic.hint("write `abort(cause)` or `abort(cause, code)`"));
            results.truncate(2);
        }
        Some(results)
    }
}
