//! Calls and returns are reported, in the bodies of the procedures that refine something.
//!
//! A report is a step of its own: it changes the specification's state, and asserts that an order is left.

use super::specification::{Moment, Report, Specification};
use crate::typed::{
    Access, BinaryOp, Body, Expr, ExprKind, Local, LocalId, LocalKind, Op, Place, PlaceRoot, Proc, ProcId, Region,
    SharedKind, Stmt, StmtKind,
};
use crate::types::{Range, Type, Types, Value};
use base::Span;
use memory::Order;
use std::sync::Arc;

/// Makes the reports of one procedure.
struct Reporter<'t> {
    types: &'t Types,
    specification: Arc<Specification>,
    proc: ProcId,
    result: Option<(LocalId, Type)>,
    /// Whether a report waits until the thread's older memory operations have been performed.
    is_ordered: bool,
    span: Span,
}

/// Makes a procedure report when it is called and when it returns.
pub(crate) fn report(types: &Types, specification: &Arc<Specification>, id: ProcId, proc: &mut Proc) {
    let Some(refinement) = &proc.refines else { return };
    let span = refinement.span;
    let mut local = |ty| {
        let kind = LocalKind::Register;
        let id = proc.body.locals.push(Local { name: "result".into(), span, ty, kind, is_assigned: true });
        (id, ty)
    };
    let reporter = Reporter {
        types,
        specification: specification.clone(),
        proc: id,
        result: proc.result.map(&mut local),
        is_ordered: refinement.when_performed,
        span,
    };
    let call = reporter.report(Moment::Call, reporter.arguments(&proc.body, proc.n_params));
    let body = reporter.block(std::mem::take(&mut proc.body.block));
    let end = proc.result.is_none().then(|| reporter.returns());
    proc.body.block = std::iter::once(call).chain(body).chain(end).collect();
}

impl Reporter<'_> {
    /// The statements with a report before each `return`.
    fn block(&self, block: Vec<Stmt>) -> Vec<Stmt> {
        block.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, mut stmt: Stmt) -> Vec<Stmt> {
        stmt.kind = match stmt.kind {
            StmtKind::Return(value) => return self.return_from(stmt.label, stmt.span, value),
            StmtKind::If(condition, then, otherwise) => {
                StmtKind::If(condition, self.block(then), self.block(otherwise))
            }
            StmtKind::While(condition, body) => StmtKind::While(condition, self.block(body)),
            StmtKind::Loop(body) => StmtKind::Loop(self.block(body)),
            StmtKind::Each(local, body) => StmtKind::Each(local, self.block(body)),
            StmtKind::Choose(blocks) => StmtKind::Choose(blocks.into_iter().map(|block| self.block(block)).collect()),
            StmtKind::Region(region, body) => StmtKind::Region(region, self.block(body)),
            // No `return` leaves its body.
            StmtKind::Transaction(mut transaction) => {
                transaction.handler = self.block(std::mem::take(&mut transaction.handler));
                StmtKind::Transaction(transaction)
            }
            kind => kind,
        };
        vec![stmt]
    }

    /// The result is computed, it is reported, and then it is given.
    fn return_from(&self, label: Option<String>, span: Span, value: Option<Expr>) -> Vec<Stmt> {
        let stmt = |label, kind| Stmt { label, is_unordered: false, kind, span };
        match (value, self.result) {
            (Some(value), Some((local, ty))) => {
                let given = Expr { kind: ExprKind::Local(local), ty, span: value.span };
                vec![
                    stmt(label, StmtKind::Set(local, value)),
                    self.returns(),
                    stmt(None, StmtKind::Return(Some(given))),
                ]
            }
            (value, _) => {
                let returns = Stmt { label, ..self.returns() };
                vec![returns, stmt(None, StmtKind::Return(value))]
            }
        }
    }

    fn returns(&self) -> Stmt {
        let number = match self.result {
            Some((local, ty)) => self.distance(local, ty),
            None => self.number(0),
        };
        self.report(Moment::Return, number)
    }

    /// The number of a call's arguments.
    fn arguments(&self, body: &Body, n_params: usize) -> Expr {
        let (mut sum, mut weight) = (self.number(0), 1);
        for (id, param) in body.locals.iter().take(n_params) {
            let part = self.computed(BinaryOp::Multiply, self.distance(id, param.ty), self.number(weight));
            sum = self.computed(BinaryOp::Add, part, sum);
            weight *= self.types.range(param.ty).count() as Value;
        }
        sum
    }

    /// How far a local's value is from the least one.
    fn distance(&self, local: LocalId, ty: Type) -> Expr {
        let value = Expr { kind: ExprKind::Local(local), ty, span: self.span };
        self.computed(BinaryOp::Subtract, value, self.number(self.types.range(ty).low))
    }

    fn report(&self, moment: Moment, number: Expr) -> Stmt {
        let last = self.specification.n_states + self.specification.events.len() - 1;
        let ty = Type::Int(Range::new(0, last as Value));
        let place = || Place {
            root: PlaceRoot::Shared(self.specification.shared),
            index: None,
            index_range: Range::new(0, 0),
            ty,
            kind: SharedKind::Abstract,
            span: self.span,
        };
        let report = Report { specification: self.specification.clone(), proc: self.proc, moment };
        let (order, failure_order) = (Order::Relaxed, Order::Relaxed);
        let access = Access { op: Op::Report(report, number), place: place(), order, failure_order };
        let step = StmtKind::Eval(self.expr(ExprKind::Access(Box::new(access)), ty));
        let is_left = self.computed(
            BinaryOp::Less,
            self.expr(ExprKind::Load(Box::new(place())), ty),
            self.number(self.specification.n_states as Value),
        );
        let is_left = StmtKind::Assert(self.specification.property, Expr { ty: Type::Bool, ..is_left });
        let stmt = |is_unordered, kind| Stmt { label: None, is_unordered, kind, span: self.span };
        let steps = match moment {
            Moment::Call => vec![stmt(false, step)],
            Moment::Return => vec![stmt(false, step), stmt(false, is_left)],
        };
        stmt(!self.is_ordered, StmtKind::Region(Region::Atomic, steps))
    }

    fn number(&self, value: Value) -> Expr {
        self.expr(ExprKind::Const(value), Type::Int(Range::new(value, value)))
    }

    fn computed(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = Type::Int(Range::new(Value::MIN / 2, Value::MAX / 2));
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
    }

    fn expr(&self, kind: ExprKind, ty: Type) -> Expr {
        Expr { kind, ty, span: self.span }
    }
}
