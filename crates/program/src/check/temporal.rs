//! Formulas of temporal logic: split into temporal parts and the largest conditions on single states.

use super::Checker;
use super::expressions::wrong;
use super::scope::Scope;
use crate::codes;
use crate::typed::{BinaryOp, Expr, Formula, LocalKind, TemporalOp, UnaryOp};
use crate::types::Type;
use base::Span;
use syntax::tree::{self, ExprKind};

/// Conditions on states that one formula may have, unrolled: a state says of each whether it is true in one bit
/// of a word, and the search keeps one bit for itself.
const MAX_ATOMS: u64 = 63;

/// Whether a name is a word of temporal logic inside `ltl`.
pub(super) fn is_temporal(word: &str) -> bool {
    TemporalOp::PREFIX.into_iter().chain(TemporalOp::INFIX).any(|op| op.word() == word)
}

impl<'a> Checker<'a> {
    /// Checks a formula.
    pub(super) fn formula(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Formula {
        if !has_temporal(expr) {
            return Formula::State(self.condition(scope, expr));
        }
        match &expr.kind {
            ExprKind::Temporal(op, operands) => {
                Formula::Temporal(*op, operands.iter().map(|operand| self.formula(scope, operand)).collect())
            }
            ExprKind::Unary(UnaryOp::Not, operand) => Formula::Not(Box::new(self.formula(scope, operand))),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let left = self.formula(scope, left);
                Formula::Join(*op, Box::new(left), Box::new(self.formula(scope, right)))
            }
            ExprKind::Quantified { quantifier, name, domain, body } => {
                let ty = self.turns(domain);
                scope.open_block();
                let local = self.declare_local(scope, name, ty, LocalKind::Bound);
                let body = self.formula(scope, body);
                scope.close_block();
                match ty {
                    Type::Error => Formula::State(wrong(expr.span)),
                    _ => Formula::Quantified(*quantifier, local, Box::new(body)),
                }
            }
            _ => Formula::State(self.condition(scope, expr)),
        }
    }

    /// A temporal word where a value is wanted.
    pub(super) fn temporal_in_state(
        &mut self,
        scope: &mut Scope,
        op: TemporalOp,
        operands: &'a [tree::Expr],
        span: Span,
    ) -> Expr {
        for operand in operands {
            self.expr(scope, operand);
        }
        self.misplaced_temporal(op.word(), span);
        wrong(span)
    }

    /// Reports a temporal word that does not belong here.
    pub(super) fn misplaced_temporal(&mut self, word: &str, span: Span) {
        let message = format!("`{word}` speaks of a run, and this of one state");
        self.error(codes::MISPLACED_TEMPORAL, span, message);
    }

    /// Reports a formula with too many conditions on states.
    pub(super) fn check_atoms(&mut self, formula: &Formula, scope: &Scope, span: Span) {
        let n_atoms = self.n_atoms(formula, scope);
        if n_atoms > MAX_ATOMS {
            let message = format!("this formula has {n_atoms} conditions on states; {MAX_ATOMS} are the most");
            self.error(codes::MANY_ATOMS, span, message).hint = Some(
                "join conditions with `and`, `or` and quantifiers inside one temporal word, or use a ghost".into(),
            );
        }
    }

    fn n_atoms(&self, formula: &Formula, scope: &Scope) -> u64 {
        match formula {
            Formula::State(expr) => u64::from(expr.constant().is_none()),
            Formula::Not(f) => self.n_atoms(f, scope),
            Formula::Join(_, f, g) => self.n_atoms(f, scope).saturating_add(self.n_atoms(g, scope)),
            Formula::Temporal(_, operands) => {
                operands.iter().fold(0, |sum: u64, f| sum.saturating_add(self.n_atoms(f, scope)))
            }
            Formula::Quantified(_, local, f) => {
                self.n_atoms(f, scope).saturating_mul(self.types.range(scope.locals[*local].ty).count())
            }
        }
    }
}

/// Whether a formula's part speaks of more than one state. Only where formulas may have parts is looked.
fn has_temporal(expr: &tree::Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) => true,
        ExprKind::Unary(_, operand) => has_temporal(operand),
        ExprKind::Binary(_, left, right) => has_temporal(left) || has_temporal(right),
        ExprKind::Quantified { body, .. } => has_temporal(body),
        _ => false,
    }
}
