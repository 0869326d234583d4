//! Expressions below the operators: names, calls, fields, memory operations, quantifiers.

use super::Parser;
use crate::codes;
use crate::token::{Keyword, TokenKind};
use crate::tree::{Argument, BinaryOp, Expr, ExprKind, LabelPart, LabelPattern, Name, Quantifier};
use base::Diagnostic;

impl Parser<'_> {
    /// A primary with its fields, indices and memory operations.
    pub(super) fn postfix(&mut self) -> Option<Expr> {
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
        let block_follows = std::mem::take(&mut self.block_follows);
        let value = inside(self)?;
        if !self.eat(close) {
            self.expected_close(symbol, opening);
            return None;
        }
        self.open.pop();
        self.block_follows = block_follows;
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
        let what = if symbol == "]" { "`]`".to_string() } else { format!("`,` or `{symbol}`") };
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
        self.report_before(
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
            TokenKind::Name if self.at_every() => self.every()?,
            TokenKind::Name => return self.name_or_call(),
            TokenKind::OpenBrace if self.at_set() => self.set()?,
            TokenKind::OpenBracket => self.list_of_values()?,
            TokenKind::OpenParen => return self.bracketed(TokenKind::CloseParen, ")", Self::expr),
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::True => self.word(ExprKind::Bool(true)),
                Keyword::False => self.word(ExprKind::Bool(false)),
                Keyword::Null => self.word(ExprKind::Null),
                Keyword::SelfIndex => self.word(ExprKind::SelfIndex),
                Keyword::Exists => self.quantified(Quantifier::Exists)?,
                Keyword::If => self.conditional()?,
                Keyword::Choose if self.at_choose_in() => self.choose_in()?,
                Keyword::Choose => {
                    self.bump();
                    let ty = self.ty()?;
                    self.height += 1;
                    ExprKind::Choose(ty)
                }
                Keyword::At => self.at_label()?,
                // The thread that the item `releaser` declares.
                Keyword::Releaser => {
                    let span = self.bump().span;
                    ExprKind::Name(Name { text: self.slice(span).to_string(), span })
                }
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

    pub(super) fn int(&mut self) -> ExprKind {
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
            let arguments = self.call_arguments()?;
            return Some(Expr { kind: ExprKind::Call(name, arguments), span: self.span_from(start) });
        }
        self.refuse_braces(&name)?;
        Some(Expr { span: name.span, kind: ExprKind::Name(name) })
    }

    /// `(a, b)`
    pub(super) fn call_arguments(&mut self) -> Option<Vec<Expr>> {
        let arguments = self.arguments()?;
        self.height += 1;
        Some(arguments.into_iter().map(|argument| self.plain_argument(argument)).collect())
    }

    /// An argument of a call, which has no `->`.
    fn plain_argument(&mut self, argument: Argument) -> Expr {
        match argument {
            Argument::Expr(expr) => expr,
            Argument::Exchange(old, new) => {
                let span = old.span.to(new.span);
                self.report_before(
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

    /// `if c then a else b`
    fn conditional(&mut self) -> Option<ExprKind> {
        const HINT: &str = "a value is chosen with `if c then a else b`";
        self.bump();
        let block_follows = std::mem::take(&mut self.block_follows);
        let condition = Box::new(self.expr()?);
        let mut height = self.height;
        if !self.at_word("then") {
            self.expected(codes::EXPECTED_SYMBOL, "`then`", Some(HINT));
            return None;
        }
        self.bump();
        let then = Box::new(self.expr()?);
        height = height.max(self.height);
        if !self.eat(TokenKind::Keyword(Keyword::Else)) {
            self.expected(codes::EXPECTED_SYMBOL, "`else`", Some(HINT));
            return None;
        }
        self.block_follows = block_follows;
        let otherwise = Box::new(self.expr()?);
        self.height = height.max(self.height) + 1;
        Some(ExprKind::If { condition, then, otherwise })
    }

    /// `at(thread, label)`, `at(thread, lab*, *el)`
    fn at_label(&mut self) -> Option<ExprKind> {
        self.bump();
        if !self.at(TokenKind::OpenParen) {
            self.expected(codes::EXPECTED_SYMBOL, "`(`", Some("write `at(thread, label)`"));
            return None;
        }
        let kind = self.bracketed(TokenKind::CloseParen, ")", |p| {
            let thread = Box::new(p.expr()?);
            p.expect(TokenKind::Comma, ",", "and a label")?;
            let mut labels = vec![p.label_pattern()?];
            while p.eat(TokenKind::Comma) && !p.at(TokenKind::CloseParen) {
                labels.push(p.label_pattern()?);
            }
            Some(ExprKind::At { thread, labels })
        })?;
        self.height += 1;
        Some(kind)
    }

    /// `label`, `lab*` or `*el`
    pub(super) fn label_pattern(&mut self) -> Option<LabelPattern> {
        let star = TokenKind::Operator(BinaryOp::Multiply);
        let is_end = self.eat(star);
        let name = self.name("a label")?;
        let part = match is_end {
            true => LabelPart::End,
            false if self.eat(star) => LabelPart::Beginning,
            false => LabelPart::Whole,
        };
        Some(LabelPattern { name, part })
    }

    fn expected_expression(&mut self) -> Option<Expr> {
        let text = self.next_text();
        let other_name = format!("`{text}` is a keyword; for a name choose another one, such as `{text}_`");
        let hint = match self.kind() {
            _ if self.token().after_newline => Some("the value or condition is missing"),
            TokenKind::Str => Some("strings are titles only; they are not values"),
            TokenKind::OpenBrace
                if matches!(self.previous().kind, TokenKind::Keyword(Keyword::If | Keyword::While)) =>
            {
                Some("the condition is missing")
            }
            TokenKind::OpenBrace => Some("a block is not a value; a word is built with parentheses, a set is `{a, b}`"),
            TokenKind::Operator(_) | TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::Implies) => {
                Some("an operator needs a value on either side")
            }
            TokenKind::Assign => Some("to compare, write `==`"),
            TokenKind::Keyword(Keyword::While | Keyword::Loop | Keyword::Each | Keyword::Let) => {
                Some("a statement is not a value")
            }
            TokenKind::Keyword(keyword) if keyword.begins_statement() || keyword.begins_item() => {
                Some(other_name.as_str())
            }
            _ => Some("a value is a number, a name, a call, or an expression of these"),
        };
        self.expected(codes::EXPECTED_EXPRESSION, "an expression", hint);
        None
    }
}
