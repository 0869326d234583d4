//! Statements that begin with an expression: assignments and calls, and what was meant as one.

use super::Parser;
use crate::codes;
use crate::token::{Foreign, TokenKind};
use crate::tree::{BinaryOp, Expr, ExprKind, StmtKind};
use crate::words;
use base::Diagnostic;

impl Parser<'_> {
    /// An assignment or a call.
    pub(super) fn expr_stmt(&mut self) -> Option<StmtKind> {
        self.refuse_start()?;
        let place = self.expr()?;
        match self.kind_same_line() {
            Some(TokenKind::Assign) => {
                self.bump();
            }
            Some(TokenKind::Foreign(foreign @ (Foreign::ColonEqual | Foreign::Compound(_) | Foreign::Increment))) => {
                self.foreign_assignment(&place, foreign)?;
            }
            _ => return Some(self.effect(place)),
        }
        self.check_place(&place);
        Some(StmtKind::Assign { place, value: self.expr()? })
    }

    /// Reports what looks like a statement of another language, or cannot begin one at all.
    fn refuse_start(&mut self) -> Option<()> {
        let (token, next) = (self.token(), self.token_at(1));
        let text = self.next_text();
        let diagnostic = match token.kind {
            TokenKind::Name if !next.after_newline && matches!(next.kind, TokenKind::Name | TokenKind::Int) => {
                let message = format!("`{text}` does not begin a statement");
                let diagnostic = Diagnostic::error(codes::EXPECTED_STATEMENT, token.span, message);
                match words::meant(text, words::STATEMENTS) {
                    Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
                    None => diagnostic.hint("a statement is a keyword, an assignment `x = e`, or a call `p(e)`"),
                }
            }
            TokenKind::Name if next.kind == TokenKind::Colon => {
                let message = "a statement cannot begin with `name:`";
                Diagnostic::error(codes::EXPECTED_STATEMENT, token.span, message)
                    .hint(format!("a label is written `@{text}`; a register is declared with `let {text}: T = ..`"))
            }
            TokenKind::Name if next.kind == TokenKind::OpenBrace && !next.after_newline => {
                let message = format!("`{text}` has no block");
                let diagnostic = Diagnostic::error(codes::EXPECTED_STATEMENT, token.span, message);
                match words::meant(text, words::STATEMENTS) {
                    Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
                    None => diagnostic.hint("a procedure is called with parentheses: `p()`"),
                }
            }
            TokenKind::Operator(_) => self.leading_operator(),
            TokenKind::OpenBrace => {
                Diagnostic::error(codes::EXPECTED_STATEMENT, token.span, "a block cannot stand alone")
                    .hint("remove the braces, or write `atomic { .. }` for one step")
            }
            TokenKind::CloseParen | TokenKind::CloseBracket => {
                let message = format!("this `{text}` closes nothing");
                Diagnostic::error(codes::UNMATCHED_CLOSE, token.span, message).hint("remove it")
            }
            _ => return Some(()),
        };
        self.report(diagnostic);
        None
    }

    /// Reports `:=`, `+=`, `++`. What follows `:=` is read as if `=` stood there.
    fn foreign_assignment(&mut self, place: &Expr, foreign: Foreign) -> Option<()> {
        let (span, text) = (self.token().span, self.next_text());
        let place = self.slice(place.span);
        let hint = match foreign {
            Foreign::ColonEqual => "write `=`".to_string(),
            Foreign::Increment => format!("write `{place} = {place} + 1`, or `fetch_add` for one operation"),
            _ => format!("write `{place} = {place} {} ..`, or `fetch_add` and the like for one operation", &text[..1]),
        };
        self.report(Diagnostic::error(codes::COMPOUND_ASSIGNMENT, span, format!("there is no `{text}`")).hint(hint));
        self.bump();
        (foreign == Foreign::ColonEqual).then_some(())
    }

    fn check_place(&mut self, place: &Expr) {
        if matches!(place.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Error) {
            return;
        }
        let message = format!("`{}` cannot be assigned", self.slice(place.span));
        self.report(
            Diagnostic::error(codes::NOT_A_PLACE, place.span, message)
                .hint("only a register, a cell, a field or an abstract variable can be assigned"),
        );
    }

    /// An expression as a statement: it must do something.
    fn effect(&mut self, expr: Expr) -> StmtKind {
        let hint = match &expr.kind {
            ExprKind::Call(..) | ExprKind::Method { .. } | ExprKind::Error => return StmtKind::Expr(expr),
            _ if !self.token().after_newline && !self.ends_statement() => return StmtKind::Expr(expr),
            ExprKind::Binary(BinaryOp::Equal, ..) => "to assign, write `=`",
            ExprKind::Name(name) => match words::translated(&name.text, words::STATEMENTS) {
                Some(word) => &format!("did you mean `{word}`? (A procedure is called with parentheses: `p()`)"),
                None => "a procedure is called with parentheses: `p()`",
            },
            _ => "keep the value with `let x = ..`, or state it with `assert`",
        };
        let message = "this computes a value and does nothing with it";
        self.report_before(Diagnostic::error(codes::NO_EFFECT, expr.span, message).hint(hint));
        StmtKind::Expr(expr)
    }

    fn ends_statement(&self) -> bool {
        matches!(self.kind(), TokenKind::Semicolon | TokenKind::CloseBrace | TokenKind::End)
    }
}
