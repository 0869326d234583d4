//! Expressions, by precedence climbing.

use super::{MAX_HEIGHT, Parser};
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{Argument, BinaryOp, Expr, ExprKind, Name, Quantifier, UnaryOp};
use base::Diagnostic;

/// How tightly operators bind; loosest first. `1` is `implies`.
pub(crate) const LOOSEST: u8 = 1;
/// `not` stands between `and` and the comparisons.
pub(crate) const NOT: u8 = 4;
/// Comparisons do not chain.
pub(crate) const COMPARISON: u8 = 5;
/// What may stand as the end of a range.
pub(crate) const RANGE_END: u8 = 6;
/// `-x`
pub(crate) const NEGATE: u8 = 12;

/// How tightly `op` binds.
pub(crate) fn binding(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Implies => LOOSEST,
        Or => 2,
        And => 3,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => COMPARISON,
        BitOr => RANGE_END,
        BitXor => 7,
        BitAnd => 8,
        ShiftLeft | ShiftRight => 9,
        Add | Subtract => 10,
        Multiply | Divide | Remainder => 11,
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
        while let Some(op) = self.operator() {
            let level = binding(op);
            if level < least {
                break;
            }
            self.check_operator(compared && level == COMPARISON);
            compared = level == COMPARISON;
            self.bump();
            let right = self.binary(if op == BinaryOp::Implies { level } else { level + 1 })?;
            height = height.max(self.height) + 1;
            let span = self.span_from(start);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
            self.limit_height(height)?;
        }
        self.height = height;
        Some(left)
    }

    /// Reports an expression that is too high a tree.
    fn limit_height(&mut self, height: u32) -> Option<()> {
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

    /// The binary operator that comes next, also one that is meant, if the expression goes on with it.
    fn operator(&self) -> Option<BinaryOp> {
        let token = self.token();
        if token.after_newline && self.open.is_empty() {
            return None;
        }
        match token.kind {
            TokenKind::Operator(op) => Some(op),
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

    /// A primary with its fields, indices and memory operations.
    fn postfix(&mut self) -> Option<Expr> {
        let start = self.position;
        let mut expr = self.primary()?;
        loop {
            let height = self.height;
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    let name = self.name("a field or memory operation")?;
                    if self.kind_same_line() == Some(TokenKind::OpenParen) {
                        let arguments = self.arguments()?;
                        let arguments = self.check_exchange(&name, arguments);
                        ExprKind::Method { place: Box::new(expr), name, arguments }
                    } else {
                        self.height = 0;
                        ExprKind::Field(Box::new(expr), name)
                    }
                }
                TokenKind::OpenBracket if !self.token().after_newline => {
                    let index = self.bracketed(TokenKind::CloseBracket, "]", Self::expr)?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                TokenKind::OpenParen if !self.token().after_newline => {
                    let span = self.span_from(start);
                    self.report(
                        Diagnostic::error(
                            codes::NOT_CALLABLE,
                            span,
                            format!("`{}` cannot be called", self.slice(span)),
                        )
                        .hint("a call is the name of a procedure or word, then its arguments in parentheses"),
                    );
                    return None;
                }
                _ => return Some(expr),
            };
            expr = Expr { kind, span: self.span_from(start) };
            let height = height.max(self.height) + 1;
            self.limit_height(height)?;
        }
    }

    /// What is between the next token, an opening bracket, and its closing one.
    pub(super) fn bracketed<T>(
        &mut self,
        close: TokenKind,
        symbol: &str,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let opening = self.token().span;
        self.open.push(self.position);
        self.bump();
        let value = inside(self)?;
        if !self.eat(close) {
            self.expected_close(symbol, opening);
            return None;
        }
        self.open.pop();
        Some(value)
    }

    fn expected_close(&mut self, symbol: &str, opening: base::Span) {
        if self.at(TokenKind::Error) {
            return;
        }
        let found = match self.kind() {
            TokenKind::End => "the file ends here".to_string(),
            _ => format!("found `{}`", self.next_text()),
        };
        let what = if symbol == ")" { "`,` or `)`".to_string() } else { format!("`{symbol}`") };
        let diagnostic =
            Diagnostic::error(codes::EXPECTED_SYMBOL, self.token().span, format!("expected {what}, {found}"))
                .note(opening, "the bracket opened here is not closed yet");
        let diagnostic = match self.kind() {
            TokenKind::Arrow => {
                diagnostic.hint("`old -> new` stands only in `cas` and `cas_old`; a field is taken with `.`")
            }
            TokenKind::Foreign(_) => diagnostic.hint(format!("`{}` is of another language", self.next_text())),
            _ => diagnostic.hint(format!("close it with `{symbol}`")),
        };
        self.report(diagnostic);
    }

    /// `(a, b -> c)`
    fn arguments(&mut self) -> Option<Vec<Argument>> {
        let mut height = 0;
        let arguments = self.bracketed(TokenKind::CloseParen, ")", |p| {
            let mut arguments = Vec::new();
            while !p.at(TokenKind::CloseParen) {
                let value = p.expr()?;
                height = height.max(p.height);
                if p.eat(TokenKind::Arrow) {
                    let new = p.expr()?;
                    height = height.max(p.height);
                    arguments.push(Argument::Exchange(value, new));
                } else {
                    arguments.push(Argument::Expr(value));
                }
                if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            Some(arguments)
        })?;
        self.height = height;
        Some(arguments)
    }

    /// Reports `cas(a, b)`, and reads it as `cas(a -> b)`.
    fn check_exchange(&mut self, method: &Name, mut arguments: Vec<Argument>) -> Vec<Argument> {
        if !matches!(method.text.as_str(), "cas" | "cas_old")
            || matches!(arguments.first(), Some(Argument::Exchange(..)))
        {
            return arguments;
        }
        self.report(
            Diagnostic::error(codes::MISSING_ARROW, method.span, format!("`{}` needs `old -> new`", method.text))
                .hint(format!("write `.{}(old -> new)`, then the orders, if any", method.text)),
        );
        if let [Argument::Expr(old), Argument::Expr(new), ..] = arguments.as_slice() {
            let exchange = Argument::Exchange(old.clone(), new.clone());
            arguments.splice(..2, [exchange]);
        }
        arguments
    }

    fn primary(&mut self) -> Option<Expr> {
        let start = self.position;
        self.height = 1;
        let kind = match self.kind() {
            TokenKind::Int => self.int(),
            TokenKind::Name => return self.name_or_call(),
            TokenKind::OpenParen => return self.bracketed(TokenKind::CloseParen, ")", Self::expr),
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::True => self.word(ExprKind::Bool(true)),
                Keyword::False => self.word(ExprKind::Bool(false)),
                Keyword::Null => self.word(ExprKind::Null),
                Keyword::SelfIndex => self.word(ExprKind::SelfIndex),
                Keyword::Exists => self.quantified(Quantifier::Exists)?,
                Keyword::Choose => {
                    self.bump();
                    let ty = self.ty()?;
                    self.height += 1;
                    ExprKind::Choose(ty)
                }
                Keyword::At => self.at_label()?,
                _ => return self.expected_expression(),
            },
            _ => return self.expected_expression(),
        };
        Some(Expr { kind, span: self.span_from(start) })
    }

    /// Consumes the word that means `kind`.
    fn word(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    fn int(&mut self) -> ExprKind {
        let token = self.token();
        let text = self.slice(token.span);
        let kind = match text.parse::<i32>() {
            Ok(value) => ExprKind::Int(value.into()),
            Err(_) => {
                self.report(
                    Diagnostic::error(codes::NUMBER_TOO_LARGE, token.span, "this number is too large")
                        .hint(format!("numbers go up to {}", i32::MAX)),
                );
                ExprKind::Error
            }
        };
        self.bump();
        kind
    }

    fn name_or_call(&mut self) -> Option<Expr> {
        let start = self.position;
        let next = self.token_at(1);
        if self.at_word("all") && next.kind == TokenKind::Name && !next.after_newline {
            let kind = self.quantified(Quantifier::All)?;
            return Some(Expr { kind, span: self.span_from(start) });
        }
        let name = self.name("a value")?;
        if self.kind_same_line() == Some(TokenKind::OpenParen) {
            let arguments = self.arguments()?;
            self.height += 1;
            let arguments = arguments.into_iter().map(|argument| self.plain_argument(argument)).collect();
            return Some(Expr { kind: ExprKind::Call(name, arguments), span: self.span_from(start) });
        }
        self.refuse_braces(&name)?;
        Some(Expr { span: name.span, kind: ExprKind::Name(name) })
    }

    /// An argument of a call, which has no `->`.
    fn plain_argument(&mut self, argument: Argument) -> Expr {
        match argument {
            Argument::Expr(expr) => expr,
            Argument::Exchange(old, new) => {
                let span = old.span.to(new.span);
                self.report(
                    Diagnostic::error(codes::MISPLACED_ARROW, span, "`->` in the argument of a call")
                        .hint("`old -> new` stands only in `cas` and `cas_old`; a field is taken with `.`"),
                );
                Expr { kind: ExprKind::Error, span }
            }
        }
    }

    /// Reports `Wide { value: v }`.
    fn refuse_braces(&mut self, name: &Name) -> Option<()> {
        let follows = [0, 1, 2].map(|ahead| self.token_at(ahead).kind);
        let braces = follows == [TokenKind::OpenBrace, TokenKind::Name, TokenKind::Colon];
        if !braces || self.token().after_newline || self.row_follows {
            return Some(());
        }
        self.report(
            Diagnostic::error(codes::WORD_IN_BRACES, name.span, format!("`{}` is not built with braces", name.text))
                .hint(format!("give the parts in their order, in parentheses: `{}(.., ..)`", name.text)),
        );
        None
    }

    /// `all x in T: e`, `exists x in T: e`
    fn quantified(&mut self, quantifier: Quantifier) -> Option<ExprKind> {
        let keyword = self.next_text();
        self.bump();
        let name = self.name("the name that stands for each value")?;
        let domain = self.domain(keyword)?;
        let domain_height = self.height;
        self.expect(TokenKind::Colon, ":", "and the condition")?;
        let body = Box::new(self.expr()?);
        self.height = self.height.max(domain_height) + 1;
        Some(ExprKind::Quantified { quantifier, name, domain, body })
    }

    /// `at(thread, label)`, `at(thread, lab*)`
    fn at_label(&mut self) -> Option<ExprKind> {
        self.bump();
        if !self.at(TokenKind::OpenParen) {
            self.expected(codes::EXPECTED_SYMBOL, "`(`", Some("write `at(thread, label)`"));
            return None;
        }
        let kind = self.bracketed(TokenKind::CloseParen, ")", |p| {
            let thread = Box::new(p.expr()?);
            p.expect(TokenKind::Comma, ",", "and a label")?;
            let label = p.name("a label")?;
            let is_prefix = p.eat(TokenKind::Operator(BinaryOp::Multiply));
            Some(ExprKind::At { thread, label, is_prefix })
        })?;
        self.height += 1;
        Some(kind)
    }

    fn expected_expression(&mut self) -> Option<Expr> {
        let hint = match self.kind() {
            TokenKind::Str => Some("strings are titles only; they are not values"),
            TokenKind::OpenBrace => Some("a block is not a value; a word is built with parentheses"),
            TokenKind::Operator(_) | TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::Implies) => {
                Some("an operator needs a value on either side")
            }
            TokenKind::Assign => Some("to compare, write `==`"),
            TokenKind::Keyword(keyword) if keyword.begins_statement() || keyword.begins_item() => {
                Some("a statement or item is not a value")
            }
            _ => Some("a value is a number, a name, a call, or an expression of these"),
        };
        self.expected(codes::EXPECTED_EXPRESSION, "an expression", hint);
        None
    }
}
