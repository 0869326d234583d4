//! Words of temporal logic. They are names everywhere else: inside `ltl`, a word is temporal if an operand follows it.
//!
//! Outside, `always x` and `a until b` are read as well, so that the checker can say where they belong.

use super::Parser;
use super::operator::NOT;
use super::sets::is_operator_of_sets;
use crate::codes;
use crate::token::{Foreign, Keyword, TokenKind};
use crate::tree::{BinaryOp, Expr, ExprKind, ItemKind, TemporalOp};
use base::Diagnostic;

impl Parser<'_> {
    /// After `ltl`.
    pub(super) fn ltl(&mut self) -> Option<ItemKind> {
        let name = self.property_name()?;
        self.formula = true;
        let formula = self.condition();
        self.formula = false;
        let formula = formula?;
        let is_fair = self.eat_word("fairly");
        Some(ItemKind::Ltl { name, formula, is_fair })
    }

    /// The temporal word that comes next and has its operand after it.
    pub(super) fn temporal_prefix(&self) -> Option<TemporalOp> {
        TemporalOp::PREFIX.into_iter().find(|op| self.at_word(op.word())).filter(|_| self.is_operand_at(1))
    }

    /// The temporal word that comes next and stands between two operands.
    pub(super) fn temporal_infix(&self) -> Option<TemporalOp> {
        if self.token().after_newline && self.open.is_empty() {
            return None;
        }
        TemporalOp::INFIX.into_iter().find(|op| self.at_word(op.word())).filter(|_| self.is_operand_at(1))
    }

    /// Whether an operand begins with the token `ahead` of the next one.
    fn is_operand_at(&self, ahead: usize) -> bool {
        let token = self.token_at(ahead);
        if token.after_newline && !self.formula {
            return false;
        }
        match token.kind {
            TokenKind::Name => {
                let text = self.slice(token.span);
                let is_operator = !self.formula && is_operator_of_sets(text);
                text != "fairly" && !is_operator && !TemporalOp::INFIX.into_iter().any(|op| op.word() == text)
            }
            TokenKind::Int => true,
            TokenKind::Keyword(keyword) => {
                use Keyword::*;
                matches!(keyword, Not | True | False | Null | SelfIndex | Exists | At | If)
                    || keyword == Choose && self.formula
            }
            TokenKind::OpenParen
            | TokenKind::OpenBrace
            | TokenKind::Operator(BinaryOp::Subtract)
            | TokenKind::Foreign(Foreign::Bang) => self.formula,
            _ => false,
        }
    }

    /// A temporal word and its operand.
    pub(super) fn temporal(&mut self, op: TemporalOp, least: u8) -> Option<Expr> {
        let start = self.position;
        if least > NOT {
            let message = format!("`{}` needs parentheses here", op.word());
            let hint = format!("write `({} ..)`: it binds looser than comparisons and arithmetic", op.word());
            self.report(Diagnostic::error(codes::MISPLACED_NOT, self.token().span, message).hint(hint));
        }
        self.bump();
        let operand = self.binary(NOT)?;
        self.height += 1;
        Some(Expr { kind: ExprKind::Temporal(op, vec![operand]), span: self.span_from(start) })
    }
}
