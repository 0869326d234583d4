//! The labels that a property names: those of its text, without what constants leave out (semantics 1.11, 8.2, 8.6).

use crate::Program;
use crate::typed::{BinaryOp, Expr, ExprKind, LabelPattern, Local, LocalId, Quantifier, StmtKind, ThreadRef, UnaryOp};
use base::Table;
use base::arithmetic::{NO_VALUE, Wide};

/// A question about labels of a thread.
pub type LabelQuestion<'e> = (&'e ThreadRef, &'e [LabelPattern]);

/// The constants that quantifiers bind, by their locals.
pub type Bound = Vec<(LocalId, Wide)>;

/// What a property's quantifiers bind.
pub type Locals = Table<LocalId, Local>;

impl Program {
    /// The questions about labels in an expression of a property, where these constants are bound.
    pub fn labels<'e>(&self, expr: &'e Expr, locals: &Locals, bound: &[(LocalId, Wide)]) -> Vec<LabelQuestion<'e>> {
        Asked { program: self, locals, bound: bound.to_vec() }.labels(expr)
    }
}

/// What surrounds an expression of a property.
struct Asked<'a> {
    program: &'a Program,
    locals: &'a Locals,
    bound: Bound,
}

impl Asked<'_> {
    fn labels<'e>(&self, expr: &'e Expr) -> Vec<LabelQuestion<'e>> {
        match &expr.kind {
            _ if self.constant(expr).is_some() => Vec::new(),
            ExprKind::At(thread, patterns) => vec![(thread, patterns)],
            ExprKind::Quantified(_, local, body) => {
                self.each(*local).iter().flat_map(|turn| turn.labels(body)).collect()
            }
            _ => expr.operands().into_iter().flat_map(|operand| self.labels(operand)).collect(),
        }
    }

    /// The value of an expression that speaks of no part of the state.
    fn constant(&self, expr: &Expr) -> Option<Wide> {
        let value = match &expr.kind {
            ExprKind::Const(value) => (*value).into(),
            ExprKind::Local(local) => self.bound.iter().find(|(bound, _)| bound == local)?.1,
            ExprKind::LockedBy(_) => {
                self.program.live_stmts().iter().all(|stmt| !matches!(stmt.kind, StmtKind::Lock)).then_some(0)?
            }
            ExprKind::Unary(UnaryOp::Not, operand) => Wide::from(self.constant(operand)? == 0),
            ExprKind::Unary(UnaryOp::Negate, operand) => self.constant(operand)?.checked_neg()?,
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let (first, second) = (self.constant(left), self.constant(right));
                let is_sure = !left.may_have_no_value(&self.program.types);
                match (op, first, second) {
                    (BinaryOp::And, Some(0), _) => 0,
                    (BinaryOp::Or, Some(1), _) | (BinaryOp::Implies, Some(0), _) => 1,
                    (_, Some(_), right) => right?,
                    (BinaryOp::And, None, Some(0)) if is_sure => 0,
                    (BinaryOp::Or | BinaryOp::Implies, None, Some(1)) if is_sure => 1,
                    _ => return None,
                }
            }
            ExprKind::Binary(op, left, right) => op.on_numbers()?.apply(self.constant(left)?, self.constant(right)?),
            ExprKind::Quantified(quantifier, local, body) => {
                let decisive = Wide::from(*quantifier == Quantifier::Exists);
                let turns: Vec<Option<Wide>> = self.each(*local).iter().map(|turn| turn.constant(body)).collect();
                let is_decided = turns.contains(&Some(decisive)) && !body.may_have_no_value(&self.program.types);
                match turns.iter().all(Option::is_some) {
                    _ if is_decided => decisive,
                    true if turns.contains(&Some(decisive)) => decisive,
                    true => 1 - decisive,
                    false => return None,
                }
            }
            _ => return None,
        };
        (value != NO_VALUE).then_some(value)
    }

    /// The same in each turn of a quantifier.
    fn each(&self, local: LocalId) -> Vec<Self> {
        let values = self.program.types.range(self.locals[local].ty).values();
        let bound = |value: i32| self.bound.iter().copied().chain([(local, value.into())]).collect();
        values.map(|value| Asked { bound: bound(value), ..*self }).collect()
    }
}
