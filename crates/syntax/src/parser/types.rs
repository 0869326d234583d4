//! Types. A range's ends are expressions, so a type is read as one and then looked at.

use super::Parser;
use super::expr::RANGE_END;
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{ExprKind, Type, TypeKind};
use base::{Diagnostic, Span};

impl Parser<'_> {
    /// `bool`, `0..n`, `Name`, `Name?`
    pub(super) fn ty(&mut self) -> Option<Type> {
        let start = self.position;
        if self.eat(TokenKind::Keyword(Keyword::Bool)) {
            return Some(Type { kind: TypeKind::Bool, span: self.span_from(start) });
        }
        if !self.may_begin_type() {
            let hint = "a type is `bool`, a range such as `0..3`, or the name of a declared type";
            self.expected(codes::EXPECTED_TYPE, "a type", Some(hint));
            return None;
        }
        let first = self.binary(RANGE_END)?;
        let kind = if self.eat_range() {
            let last = self.binary(RANGE_END)?;
            TypeKind::Range(Box::new(first), Box::new(last))
        } else if let ExprKind::Name(name) = first.kind {
            if self.kind_same_line() == Some(TokenKind::Question) {
                self.bump();
                TypeKind::Optional(name)
            } else {
                TypeKind::Named(name)
            }
        } else {
            self.not_a_type(first.span);
            TypeKind::Error
        };
        Some(Type { kind, span: self.span_from(start) })
    }

    fn may_begin_type(&self) -> bool {
        use crate::tree::BinaryOp::Subtract;
        matches!(self.kind(), TokenKind::Name | TokenKind::Int | TokenKind::OpenParen | TokenKind::Operator(Subtract))
    }

    fn not_a_type(&mut self, span: Span) {
        let text = self.slice(span);
        let diagnostic = Diagnostic::error(codes::EXPECTED_TYPE, span, format!("`{text}` is not a type"));
        self.report(diagnostic.hint(format!("a range has two ends, both included, such as `0..{text}`")));
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
