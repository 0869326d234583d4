//! Sets `{a, b}`, `choose in s`, and lists `[a, b]`. The words between two operands are with the operators.

use super::Parser;
use super::operator::SET;
use crate::token::{Keyword, TokenKind};
use crate::tree::{BinaryOp, Expr, ExprKind};

impl Parser<'_> {
    /// Whether the `{` that comes next begins a set and no block.
    pub(super) fn at_set(&self) -> bool {
        !self.row_follows && self.seems_set() && (!self.block_follows || self.continues_after_braces())
    }

    /// Whether the condition continues after the braces that come next, so that they are not its block: an operator follows,
    /// or the block does.
    fn continues_after_braces(&self) -> bool {
        let is_first = matches!(self.previous().kind, TokenKind::Keyword(Keyword::If | Keyword::While));
        let Some(closer) = self.closers[self.position] else { return false };
        let after = &self.tokens[(closer + 1).min(self.tokens.len() - 1)];
        match after.kind {
            TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::Implies) => true,
            _ if after.after_newline => false,
            TokenKind::Name => BinaryOp::OF_SETS.iter().any(|op| op.symbol() == self.slice(after.span)),
            TokenKind::OpenBrace => !is_first,
            kind => matches!(kind, TokenKind::Operator(_)),
        }
    }

    /// Whether what follows the `{` could be an element, or nothing.
    fn seems_set(&self) -> bool {
        let (first, second) = (self.token_at(1).kind, self.token_at(2).kind);
        let is_field = matches!(second, TokenKind::Colon | TokenKind::Assign);
        match first {
            TokenKind::CloseBrace | TokenKind::OpenBrace => true,
            first => begins_element(first) && !is_field,
        }
    }

    /// `{a, b}`
    pub(super) fn set(&mut self) -> Option<ExprKind> {
        self.elements(TokenKind::CloseBrace, "}").map(ExprKind::Set)
    }

    /// `[a, b]`
    pub(super) fn list_of_values(&mut self) -> Option<ExprKind> {
        self.elements(TokenKind::CloseBracket, "]").map(ExprKind::List)
    }

    fn elements(&mut self, close: TokenKind, symbol: &str) -> Option<Vec<Expr>> {
        let mut height = 0;
        let elements = self.bracketed(close, symbol, |p| {
            let mut elements = Vec::new();
            while !p.at(close) {
                elements.push(p.expr()?);
                height = height.max(p.height);
                if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            Some(elements)
        })?;
        self.height = height + 1;
        Some(elements)
    }

    /// Whether `choose in s` comes next; `in` may be the name of a type.
    pub(super) fn at_choose_in(&self) -> bool {
        let (word, next) = (self.token_at(1), self.token_at(2));
        let is_in = word.kind == TokenKind::Name && self.slice(word.span) == "in";
        is_in && !next.after_newline && (next.kind == TokenKind::OpenBrace || begins_element(next.kind))
    }

    /// Whether `every T` comes next; `every` may be a name.
    pub(super) fn at_every(&self) -> bool {
        let (word, next) = (self.token_at(0), self.token_at(1));
        // `every -1..1`, but not `every - 1`.
        let is_negative = || self.slice(next.span) == "-" && self.slice(self.token_at(3).span) == "..";
        let is_type = matches!(next.kind, TokenKind::Name | TokenKind::Int | TokenKind::Keyword(Keyword::Bool));
        let is_type = is_type || is_negative();
        let is_operator = is_operator_of_sets(self.slice(next.span));
        self.slice(word.span) == "every" && is_type && !is_operator && !next.after_newline
    }

    /// `every T`
    pub(super) fn every(&mut self) -> Option<ExprKind> {
        self.bump();
        let ty = self.ty()?;
        self.height += 1;
        Some(ExprKind::Every(ty))
    }

    /// `choose in s`
    pub(super) fn choose_in(&mut self) -> Option<ExprKind> {
        self.bump();
        self.bump();
        let set = Box::new(self.binary(SET)?);
        self.height += 1;
        Some(ExprKind::ChooseIn(set))
    }
}

/// Whether an operand may begin with such a token; for a set in braces, see there.
fn begins_element(kind: TokenKind) -> bool {
    use Keyword::*;
    match kind {
        TokenKind::Name | TokenKind::Int | TokenKind::OpenParen => true,
        TokenKind::Operator(op) => op == BinaryOp::Subtract,
        TokenKind::Keyword(word) => matches!(word, True | False | Null | SelfIndex | Not | Exists | At | Choose | If),
        _ => false,
    }
}

/// Whether a name between two operands is an operator.
pub(super) fn is_operator_of_sets(name: &str) -> bool {
    matches!(name, "in" | "with" | "without" | "union" | "minus")
}
