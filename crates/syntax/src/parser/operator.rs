//! Operators, by precedence climbing.

use super::{MAX_HEIGHT, Parser};
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{BinaryOp, Expr, ExprKind, TemporalOp, UnaryOp};
use base::Diagnostic;

/// How tightly operators bind; loosest first. `1` is `implies`.
pub(crate) const LOOSEST: u8 = 1;
/// `until`, `weakly_until` and `release`.
pub(crate) const UNTIL: u8 = 2;
/// `not` and the temporal words before an operand stand between `and` and the comparisons.
pub(crate) const NOT: u8 = 5;
/// Comparisons do not chain.
pub(crate) const COMPARISON: u8 = 6;
/// What gives a set: `with`, `without`, `union`, `minus`.
pub(crate) const SET: u8 = 7;
/// What may stand as the end of a range.
pub(crate) const RANGE_END: u8 = 8;
/// `-x`
pub(crate) const NEGATE: u8 = 14;

/// How tightly `op` binds.
pub(crate) fn binding(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Implies => LOOSEST,
        Or => 3,
        And => 4,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In => COMPARISON,
        With | Without | Union | Minus => SET,
        BitOr => RANGE_END,
        BitXor => 9,
        BitAnd => 10,
        ShiftLeft | ShiftRight => 11,
        Add | Subtract => 12,
        Multiply | Divide | Remainder => 13,
    }
}

/// What stands between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Operator(BinaryOp),
    Temporal(TemporalOp),
}

impl Infix {
    fn binding(self) -> u8 {
        match self {
            Infix::Operator(op) => binding(op),
            Infix::Temporal(_) => UNTIL,
        }
    }

    /// How tightly the right operand must bind.
    fn right(self) -> u8 {
        match self {
            Infix::Operator(BinaryOp::Implies) => LOOSEST,
            Infix::Operator(op) => binding(op) + 1,
            Infix::Temporal(_) => UNTIL,
        }
    }

    fn join(self, left: Expr, right: Expr) -> ExprKind {
        match self {
            Infix::Operator(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
            Infix::Temporal(op) => ExprKind::Temporal(op, vec![left, right]),
        }
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Option<Expr> {
        self.binary(LOOSEST)
    }

    /// An expression in which `=` can only be a mistake for `==`.
    pub(super) fn condition(&mut self) -> Option<Expr> {
        self.condition = true;
        let expr = self.expr();
        self.condition = false;
        expr
    }

    /// An expression of operators that bind at least as tightly as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Option<Expr> {
        if self.is_too_deep() {
            return None;
        }
        self.nesting += 1;
        let expr = self.operators(least);
        self.nesting -= 1;
        expr
    }

    fn operators(&mut self, least: u8) -> Option<Expr> {
        let start = self.position;
        let mut left = self.unary(least)?;
        let mut height = self.height;
        let mut compared = false;
        while let Some(infix) = self.infix() {
            let level = infix.binding();
            if level < least {
                break;
            }
            self.check_operator(compared && level == COMPARISON);
            compared = level == COMPARISON;
            self.bump();
            let right = self.binary(infix.right())?;
            height = height.max(self.height) + 1;
            let span = self.span_from(start);
            left = Expr { kind: infix.join(left, right), span };
            self.limit_height(height)?;
        }
        self.height = height;
        Some(left)
    }

    /// Reports an expression that is too high a tree.
    pub(super) fn limit_height(&mut self, height: u32) -> Option<()> {
        self.height = height;
        if height <= MAX_HEIGHT {
            return Some(());
        }
        self.report(
            Diagnostic::error(codes::TOO_DEEP, self.previous().span, "this expression has too many parts")
                .hint(format!("at most {MAX_HEIGHT} operators may follow one another: name parts with `let`")),
        );
        None
    }

    /// What stands between the operand just read and the next one, if the expression continues.
    fn infix(&self) -> Option<Infix> {
        self.operator().map(Infix::Operator).or_else(|| self.temporal_infix().map(Infix::Temporal))
    }

    /// The binary operator that comes next, also one that is meant, if the expression continues with it.
    fn operator(&self) -> Option<BinaryOp> {
        let token = self.token();
        let is_logical = matches!(token.kind, TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::Implies));
        // A line that begins with `and`, `or` or `implies` can only continue.
        if token.after_newline && self.open.is_empty() && !is_logical {
            return None;
        }
        match token.kind {
            TokenKind::Operator(op) => Some(op),
            TokenKind::Name => BinaryOp::OF_SETS.into_iter().find(|op| self.at_word(op.symbol())),
            TokenKind::Keyword(Keyword::And) | TokenKind::Foreign(Foreign::AndAnd) => Some(BinaryOp::And),
            TokenKind::Keyword(Keyword::Or) | TokenKind::Foreign(Foreign::OrOr) => Some(BinaryOp::Or),
            TokenKind::Keyword(Keyword::Implies) => Some(BinaryOp::Implies),
            TokenKind::Foreign(Foreign::FatArrow) if self.condition => Some(BinaryOp::Implies),
            TokenKind::Assign if self.condition || !self.open.is_empty() => Some(BinaryOp::Equal),
            _ => None,
        }
    }

    /// Reports the next token if it is an operator only in another language, or chains comparisons.
    fn check_operator(&mut self, chains: bool) {
        let span = self.token().span;
        let text = self.next_text();
        let diagnostic = match self.kind() {
            TokenKind::Foreign(_) => {
                let ours = match text {
                    "&&" => "and",
                    "||" => "or",
                    _ => "implies",
                };
                Diagnostic::error(codes::FOREIGN_OPERATOR, span, format!("there is no operator `{text}`"))
                    .hint(format!("write `{ours}`"))
            }
            TokenKind::Assign => Diagnostic::error(codes::SINGLE_EQUALS, span, "`=` assigns and has no value")
                .hint("to compare, write `==`"),
            _ if chains => Diagnostic::error(codes::CHAINED_COMPARISON, span, "comparisons do not chain")
                .hint("join two comparisons: `a < b and b < c`"),
            _ => return,
        };
        self.report(diagnostic);
    }

    fn unary(&mut self, least: u8) -> Option<Expr> {
        let start = self.position;
        if let Some(op) = self.temporal_prefix() {
            return self.temporal(op, least);
        }
        let token = self.token();
        let (op, level) = match token.kind {
            TokenKind::Keyword(Keyword::Not) => {
                if least > NOT {
                    self.report(
                        Diagnostic::error(codes::MISPLACED_NOT, token.span, "`not` needs parentheses here")
                            .hint("write `(not ..)`: `not` binds looser than comparisons and arithmetic"),
                    );
                }
                (UnaryOp::Not, NOT)
            }
            TokenKind::Foreign(Foreign::Bang) => {
                self.report(
                    Diagnostic::error(codes::FOREIGN_OPERATOR, token.span, "there is no operator `!`")
                        .hint("write `not`"),
                );
                (UnaryOp::Not, NEGATE)
            }
            TokenKind::Operator(BinaryOp::Subtract) => (UnaryOp::Negate, NEGATE),
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.binary(level)?;
        self.height += 1;
        Some(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span: self.span_from(start) })
    }
}
