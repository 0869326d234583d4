//! Expressions: every access to shared state, choice and call becomes an instruction, from left to right.

use crate::code::{Access, Instr, Target};
use crate::compile::Compiler;
use crate::values::{Operator, Term, logic};
use base::table::Id;
use memory::Order;
use program::typed::{self, BinaryOp, Expr, ExprKind, LocalId, Op, Place, PlaceRoot, Quantifier, SharedKind};
use program::types::{Range, Type};
use syntax::tree::UnaryOp;

/// The order of an operation, and of a CAS that fails.
type Orders = (Order, Order);
pub(crate) const RELAXED: Orders = (Order::Relaxed, Order::Relaxed);
const BOOL: Range = Range { low: 0, high: 1 };

impl<'p> Compiler<'p> {
    /// The expression as a term; what takes steps is emitted, and what speaks of no part of the state is a constant (rule 1.11).
    pub(crate) fn expr(&mut self, expr: &'p Expr) -> Term {
        let term = match &expr.kind {
            ExprKind::Const(value) => Term::Const((*value).into()),
            ExprKind::SelfIndex => Term::Const(self.code.copy),
            ExprKind::Local(local) => self.frame.locals[local.index()].clone(),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let (is_sure, left) = (left.may_be_constant(&self.program.types), self.expr(left));
                self.logic(*op, left, is_sure, right)
            }
            ExprKind::Quantified(quantifier, local, body) => self.quantified(*quantifier, *local, body),
            _ => match Operator::of(expr) {
                Some(op) => Term::apply(op, self.operands(&expr.operands())),
                None => {
                    let to = self.register(0);
                    self.into(expr, (to, self.range(expr.ty)));
                    Term::Register(to)
                }
            },
        };
        let constant = term.registers().is_empty().then(|| term.eval(&self.program.types, &Default::default()));
        if let Some(Ok(Some(value))) = constant { Term::Const(value) } else { term }
    }

    /// The value of an expression goes to a register.
    pub(crate) fn into(&mut self, expr: &'p Expr, to: Target) {
        let own = self.range(expr.ty);
        let fits = to.1.spans(own);
        match &expr.kind {
            ExprKind::Load(place) => {
                let terms = self.operands(&place.operands());
                self.access(Op::Load, place, terms, RELAXED, Some(to));
            }
            ExprKind::Access(access) => self.operation(access, Some(to)),
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.expr(condition);
                self.either(condition, |c| c.into(then, to), |c| c.into(otherwise, to));
            }
            ExprKind::Call(proc, arguments) if fits => {
                self.call(*proc, arguments, Some((to.0, own)), self.frame.prefix.clone());
            }
            ExprKind::Choose if fits => _ = self.emit(Instr::Pick((to.0, own), None)),
            ExprKind::ChooseIn(set) if fits => {
                let element = self.program.types.element(set.ty).map_or(own, |element| self.range(element));
                let set = self.expr(set);
                self.emit(Instr::Pick((to.0, element), Some(set)));
            }
            _ => {
                let term = self.expr(expr);
                self.set(to, term, own);
            }
        }
    }

    /// `and`, `or`, `implies` (rules 1.9, 1.11).
    fn logic(&mut self, op: BinaryOp, left: Term, is_sure: bool, right: &'p Expr) -> Term {
        let (wanted, otherwise) = logic(op);
        if let Term::Const(left) = left {
            return if (left != 0) == wanted { self.expr(right) } else { Term::Const(otherwise) };
        }
        if !right.only_computes() {
            let to = (self.register(0), BOOL);
            let condition = if wanted { left } else { Term::apply(Operator::Unary(UnaryOp::Not), vec![left]) };
            self.either(condition, |c| c.into(right, to), |c| c.set(to, Term::Const(otherwise), BOOL));
            return Term::Register(to.0);
        }
        let right_term = self.expr(right);
        if is_sure && matches!(right_term, Term::Const(right) if (right != 0) == (otherwise != 0)) {
            return Term::Const(otherwise);
        }
        let is_lazy = right.may_have_no_value(&self.program.types);
        let op = if is_lazy { Operator::Lazy(op) } else { Operator::Binary(op, Type::Bool) };
        Term::apply(op, vec![left, right_term])
    }

    /// What is done if a condition is true, and what else (rule 1.12).
    pub(crate) fn either(&mut self, condition: Term, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        if let Term::Const(value) = condition {
            return if value != 0 { then(self) } else { otherwise(self) };
        }
        let skip = self.emit(Instr::Branch(condition, 0));
        then(self);
        let done = self.emit(Instr::Goto(0));
        self.land(&[skip]);
        otherwise(self);
        self.land(&[done]);
    }

    fn quantified(&mut self, quantifier: Quantifier, local: LocalId, body: &'p Expr) -> Term {
        let (op, unit) = if quantifier == Quantifier::All { (BinaryOp::And, 1) } else { (BinaryOp::Or, 0) };
        let mut term = Term::Const(unit);
        for value in self.range(self.frame.body.locals[local].ty).values() {
            self.frame.locals[local.index()] = Term::Const(value.into());
            term = self.logic(op, term, body.may_be_constant(&self.program.types), body);
        }
        term
    }

    pub(crate) fn operation(&mut self, access: &'p typed::Access, to: Option<Target>) {
        let parts: Vec<&Expr> = access.place.operands().into_iter().chain(access.op.operands()).collect();
        let mut terms = self.operands(&parts);
        if let Op::Report(report, _) = &access.op {
            terms.push(Term::Const(report.first(self.code.thread, self.code.copy as u32) as i64));
        }
        self.access(access.op.clone(), &access.place, terms, (access.order, access.failure_order), to);
    }

    /// An access to a place; the terms are those of the place, then those of the operation.
    pub(crate) fn access(&mut self, op: Op, at: &Place, mut terms: Vec<Term>, orders: Orders, to: Option<Target>) {
        let operands = terms.split_off(at.operands().len());
        let (address, place, cell) = (self.layout.address(self.program, at), terms, self.range(at.ty));
        let is_memory = at.kind == SharedKind::Cell;
        let is_unordered = matches!(at.root, PlaceRoot::Shared(id) if self.program.shared[id].is_unordered);
        let is_ordered = is_memory || at.kind == SharedKind::Abstract && !is_unordered;
        let (then, span) = (false, self.span);
        let access = Access { op, address, place, operands, cell, orders, to, is_memory, is_ordered, then, span };
        self.code.accesses.push(access);
        self.emit(Instr::Access(self.code.accesses.len() - 1));
    }
}
