//! Conditions: branches instead of values, and short cuts of `and`, `or`, `implies`, `all`, `exists`.

use crate::builder::Holes;
use crate::expressions::{is_true, takes_steps};
use crate::thread::Lowering;
use automata::{Action, Expr, RegId, Value};
use base::Span;
use program::typed::{self, BinaryOp, ExprKind, Quantifier, UnaryOp};

impl<'p> Lowering<'p, '_> {
    /// The ways on if the condition is true, and if it is false.
    pub(crate) fn split(&mut self, condition: &'p typed::Expr) -> (Holes, Holes) {
        if self.needs_region(condition) {
            let value = self.eval(condition);
            return self.split_value(value, condition.span);
        }
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let (yes, no) = self.split(operand);
                (no, yes)
            }
            ExprKind::Binary(op, left, right) if self.is_shortcut(condition) => self.split_logical(*op, left, right),
            ExprKind::Quantified(quantifier, local, body) if self.is_shortcut(condition) => {
                self.split_quantified(*quantifier, *local, body)
            }
            _ => {
                let value = self.eval(condition);
                self.split_value(value, condition.span)
            }
        }
    }

    fn split_value(&mut self, value: Expr, span: Span) -> (Holes, Holes) {
        match value {
            Expr::Const(0) => (Vec::new(), self.out.take()),
            value if is_true(&value) => (self.out.take(), Vec::new()),
            value => self.out.branch(value, span),
        }
    }

    /// The right side only if the left does not decide.
    fn split_logical(&mut self, op: BinaryOp, left: &'p typed::Expr, right: &'p typed::Expr) -> (Holes, Holes) {
        let (yes, no) = self.split(left);
        let (undecided, decided) = if op == BinaryOp::Or { (no, yes) } else { (yes, no) };
        self.out.holes = undecided;
        let (mut yes, mut no) = self.split(right);
        match op {
            BinaryOp::And => no.extend(decided),
            _ => yes.extend(decided),
        }
        (yes, no)
    }

    fn split_quantified(
        &mut self,
        quantifier: Quantifier,
        local: typed::LocalId,
        body: &'p typed::Expr,
    ) -> (Holes, Holes) {
        let ty = self.frame().body.locals[local].ty;
        let values = self.values(ty);
        let decided = self.decided_by(quantifier, local, body, values);
        let undecided = self.out.take();
        if quantifier == Quantifier::All { (undecided, decided) } else { (decided, undecided) }
    }

    /// The ways on if one of these values decides a quantifier; the others are open.
    fn decided_by(
        &mut self,
        quantifier: Quantifier,
        local: typed::LocalId,
        body: &'p typed::Expr,
        values: impl IntoIterator<Item = Value>,
    ) -> Holes {
        let mut decided = Vec::new();
        for value in values {
            self.bind_constant(local, value);
            let (yes, no) = self.split(body);
            let (go_on, end) = if quantifier == Quantifier::All { (yes, no) } else { (no, yes) };
            self.out.holes = go_on;
            decided.extend(end);
        }
        decided
    }

    /// `if c then a else b`: only the side that is taken is evaluated (semantics 1.12).
    pub(crate) fn conditional_into(
        &mut self,
        condition: &'p typed::Expr,
        then: &'p typed::Expr,
        otherwise: &'p typed::Expr,
        dst: RegId,
    ) {
        let (yes, no) = self.split(condition);
        self.out.holes = yes;
        self.eval_into(then, dst);
        let after_then = std::mem::replace(&mut self.out.holes, no);
        self.eval_into(otherwise, dst);
        self.out.holes.extend(after_then);
    }

    /// Whether part of it is evaluated only if needed, which takes branches.
    pub(crate) fn is_shortcut(&self, expr: &typed::Expr) -> bool {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, _, right) => self.is_careful(right),
            ExprKind::Quantified(_, _, body) => self.is_careful(body),
            _ => false,
        }
    }

    /// Whether it is evaluated only if needed (semantics 1.9).
    fn is_careful(&self, expr: &typed::Expr) -> bool {
        takes_steps(expr) || expr.may_have_no_value(&self.program.types)
    }

    /// The truth of a condition with short cuts, as a value in `dst`.
    /// Only what may be left out is behind a branch: the thread does not wait for the right side.
    pub(crate) fn shortcut_into(&mut self, condition: &'p typed::Expr, dst: RegId) {
        if self.needs_region(condition) {
            return self.truth_into(condition, dst);
        }
        let (decided, last, result) = match &condition.kind {
            ExprKind::Binary(op, left, right) => {
                let (yes, no) = self.split(left);
                let (undecided, decided) = if *op == BinaryOp::Or { (no, yes) } else { (yes, no) };
                self.out.holes = undecided;
                (decided, right, *op != BinaryOp::And)
            }
            ExprKind::Quantified(quantifier, local, body) => {
                let ty = self.frame().body.locals[*local].ty;
                let mut values: Vec<Value> = self.values(ty).collect();
                let Some(last) = values.pop() else { return self.truth_into(condition, dst) };
                let decided = self.decided_by(*quantifier, *local, body, values);
                self.bind_constant(*local, last);
                (decided, body, *quantifier != Quantifier::All)
            }
            _ => return self.truth_into(condition, dst),
        };
        self.eval_into(last, dst);
        let evaluated = std::mem::replace(&mut self.out.holes, decided);
        self.out.emit(Action::Compute { dst, value: Expr::constant(result) }, condition.span);
        self.out.holes.extend(evaluated);
    }

    /// The truth of a condition by branches, as a value in `dst`.
    fn truth_into(&mut self, condition: &'p typed::Expr, dst: RegId) {
        let (yes, no) = self.split(condition);
        let mut after = Vec::new();
        for (way, value) in [(yes, 1), (no, 0)] {
            self.out.holes = way;
            self.out.emit(Action::Compute { dst, value: Expr::Const(value) }, condition.span);
            after.extend(self.out.take());
        }
        self.out.holes = after;
    }
}
