//! Work packets: `work`, `bucket`, `releaser` and `request`.

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{Bucket, Expr, Pool, Releaser, Request, Work};

impl Parser<'_> {
    /// `mark_object(o: Object) multiset workers MARKERS { .. }`
    pub(super) fn work(&mut self, is_unordered: bool) -> Option<Work> {
        let start = self.position - 1;
        let name = self.name("the name of a kind of work")?;
        let mut params = self.parameters("kind of work", &format!("work {}() set", name.text))?;
        if params.len() > 1 {
            let span = params[1].0.span;
            let hint = "a unit is one value; several can be packed into a `word`";
            self.report(
                base::Diagnostic::error(codes::UNEXPECTED_PART, span, "a unit of work is one value").hint(hint),
            );
            params.truncate(1);
        }
        let Some(pool) = Pool::ALL.into_iter().find(|pool| self.eat_word(pool.word())) else {
            let hint =
                "in a `set` a unit waits once however often it is requested; in a `multiset` each request counts";
            self.expected(codes::EXPECTED_SYMBOL, "`set` or `multiset`", Some(hint));
            return None;
        };
        let workers = match self.eat_word("workers") {
            true => Some(self.count_before_block()?),
            false => None,
        };
        let head = self.span_from(start);
        let body = self.block("a kind of work")?;
        Some(Work { name, unit: params.pop(), pool, workers, body, head, is_unordered })
    }

    /// `mark { mark_object, scan_object } opens when .. closes when ..`
    pub(super) fn bucket(&mut self) -> Option<Bucket> {
        let name = self.name("the name of a bucket")?;
        let kinds = self.list("kind of work", |p| p.name("a kind of work"))?;
        let is_open = self.eat_word("open");
        let opens = if self.eat_word("opens") { Some(self.guard()?) } else { None };
        let closes = if self.eat_word("closes") { Some(self.guard()?) } else { None };
        Some(Bucket { name, kinds, is_open, opens, closes })
    }

    /// `ends when ..`
    pub(super) fn releaser(&mut self) -> Option<Releaser> {
        let span = self.previous().span;
        let name = crate::tree::Name { text: self.slice(span).to_string(), span };
        if !self.eat_word("ends") {
            self.expected(codes::EXPECTED_SYMBOL, "`ends when`", Some("write `releaser ends when drained(bucket)`"));
            return None;
        }
        Some(Releaser { name, ends: self.guard()? })
    }

    /// `scan_object(o)`
    pub(super) fn request(&mut self) -> Option<Request> {
        let work = self.name("a kind of work")?;
        if !self.at(TokenKind::OpenParen) {
            let hint = format!("write `request {}(unit)`", work.text);
            self.expected(codes::EXPECTED_SYMBOL, "`(`", Some(&hint));
            return None;
        }
        Some(Request { work, units: self.call_arguments()? })
    }

    /// `when condition`
    fn guard(&mut self) -> Option<Expr> {
        if !self.eat_word("when") {
            self.expected(codes::EXPECTED_SYMBOL, "`when` and a guard", Some("write `opens when drained(bucket)`"));
            return None;
        }
        self.condition()
    }

    /// A number of workers, which the body follows.
    pub(super) fn count_before_block(&mut self) -> Option<Expr> {
        self.block_follows = true;
        let count = self.expr();
        self.block_follows = false;
        count
    }
}
