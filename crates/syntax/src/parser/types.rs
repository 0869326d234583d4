//! Types. A range's ends are expressions, so a type is read as one and then looked at.

use super::Parser;
use super::operator::RANGE_END;
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{BinaryOp, Expr, ExprKind, Type, TypeKind};
use base::Diagnostic;

const TYPE_HINT: &str = "a type is `bool`, a range such as `0..3`, or the name of a declared type";

impl Parser<'_> {
    /// `bool`, `0..n`, `Name`, `Name?`, `set T`, `queue T of N`
    pub(super) fn ty(&mut self) -> Option<Type> {
        let start = self.position;
        if self.at_type_after("set") {
            return self.set_type();
        }
        if self.at_type_after("queue") {
            return self.queue_type();
        }
        if self.eat(TokenKind::Keyword(Keyword::Bool)) {
            return Some(Type { kind: TypeKind::Bool, span: self.span_from(start) });
        }
        if !self.may_begin_type() {
            self.expected(codes::EXPECTED_TYPE, "a type", Some(TYPE_HINT));
            return None;
        }
        let first = self.binary(RANGE_END)?;
        let kind = if self.eat_range() {
            let last = self.binary(RANGE_END)?;
            TypeKind::Range(Box::new(first), Box::new(last))
        } else if let ExprKind::Name(name) = &first.kind {
            let name = name.clone();
            if self.kind_same_line() == Some(TokenKind::Question) {
                self.bump();
                TypeKind::Optional(name)
            } else {
                TypeKind::Named(name)
            }
        } else {
            self.not_a_type(&first);
            TypeKind::Error
        };
        Some(Type { kind, span: self.span_from(start) })
    }

    /// Whether `set` or `queue` comes next and a type after it; `set` alone is a name, also in `set - 1..3` and `set-1..3`.
    fn at_type_after(&self, word: &str) -> bool {
        let (set, next, after) = (self.token(), self.token_at(1), self.token_at(2));
        let is_type = match next.kind {
            TokenKind::Name | TokenKind::Int | TokenKind::Keyword(Keyword::Bool) => true,
            TokenKind::Operator(BinaryOp::Subtract) => {
                set.span.end < next.span.start && next.span.end == after.span.start && after.kind == TokenKind::Int
            }
            _ => false,
        };
        self.at_word(word) && is_type && !next.after_newline
    }

    fn set_type(&mut self) -> Option<Type> {
        let start = self.position;
        let kind = TypeKind::Set(Box::new(self.element_type()?));
        self.height += 1;
        Some(Type { kind, span: self.span_from(start) })
    }

    fn queue_type(&mut self) -> Option<Type> {
        let start = self.position;
        let element = self.element_type()?;
        if !self.eat_word("of") {
            self.expected(codes::EXPECTED_TYPE, "`of`", Some("write how many elements it can have: `queue Node of 3`"));
            return None;
        }
        let length = self.binary(RANGE_END)?;
        self.height += 1;
        Some(Type { kind: TypeKind::Queue(Box::new(element), Box::new(length)), span: self.span_from(start) })
    }

    /// The type after `set` or `queue`.
    fn element_type(&mut self) -> Option<Type> {
        if self.is_too_deep() {
            return None;
        }
        self.bump();
        self.nesting += 1;
        let element = self.ty();
        self.nesting -= 1;
        element
    }

    /// Whether an expression that may be the end of a range, or a name, comes next.
    fn may_begin_type(&self) -> bool {
        use Keyword::*;
        match self.kind() {
            TokenKind::Name | TokenKind::Int | TokenKind::OpenParen => true,
            TokenKind::Operator(op) => op == BinaryOp::Subtract,
            TokenKind::Keyword(word) => matches!(word, True | False | Null | SelfIndex | At | Choose | Exists),
            _ => false,
        }
    }

    fn not_a_type(&mut self, first: &Expr) {
        let text = self.slice(first.span);
        let hint = match first.kind {
            ExprKind::Int(_) => format!("a range has two ends, both included, such as `0..{text}`"),
            _ => TYPE_HINT.to_string(),
        };
        self.report_before(
            Diagnostic::error(codes::EXPECTED_TYPE, first.span, format!("`{text}` is not a type")).hint(hint),
        );
    }

    /// `..`, or what other languages write for it.
    fn eat_range(&mut self) -> bool {
        let token = self.token();
        match token.kind {
            TokenKind::DotDot => {}
            TokenKind::Foreign(Foreign::DotDotEqual | Foreign::Ellipsis) => {
                let message = format!("a range is written `..`, not `{}`", self.next_text());
                self.report(
                    Diagnostic::error(codes::FOREIGN_RANGE, token.span, message)
                        .hint("write `first..last`: both ends are included"),
                );
            }
            _ => return false,
        }
        self.bump();
        true
    }

    /// `in` and the type, after the name that `each`, `all` or `exists` binds.
    pub(super) fn domain(&mut self, keyword: &str) -> Option<Type> {
        if !self.eat_word("in") {
            let found = self.token();
            if !self.may_begin_type() || found.after_newline {
                let hint = format!("write `{keyword} name in Type`");
                self.expected(codes::MISSING_IN, "`in`", Some(&hint));
                return None;
            }
            self.report(
                Diagnostic::error(
                    codes::MISSING_IN,
                    found.span,
                    format!("`in` is missing before `{}`", self.next_text()),
                )
                .hint(format!("write `{keyword} name in Type`")),
            );
        }
        self.ty()
    }
}
