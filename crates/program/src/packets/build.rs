//! Trees made by hand, all parts with one span.

use base::Span;
use syntax::tree::{BinaryOp, Block, Expr, ExprKind, Name, Stmt, StmtKind, Type, TypeKind, UnaryOp};

/// Makes trees whose every part is at one place of the text.
#[derive(Clone, Copy)]
pub(super) struct Build {
    pub(super) span: Span,
}

impl Build {
    pub(super) fn name(self, text: impl Into<String>) -> Name {
        Name { text: text.into(), span: self.span }
    }

    fn expr(self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span }
    }

    pub(super) fn int(self, value: i64) -> Expr {
        self.expr(ExprKind::Int(value))
    }

    pub(super) fn bool(self, value: bool) -> Expr {
        self.expr(ExprKind::Bool(value))
    }

    pub(super) fn var(self, text: impl Into<String>) -> Expr {
        self.expr(ExprKind::Name(self.name(text)))
    }

    pub(super) fn index(self, array: Expr, index: Expr) -> Expr {
        self.expr(ExprKind::Index(Box::new(array), Box::new(index)))
    }

    pub(super) fn call(self, name: impl Into<String>, arguments: Vec<Expr>) -> Expr {
        self.expr(ExprKind::Call(self.name(name), arguments))
    }

    pub(super) fn binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    pub(super) fn not(self, operand: Expr) -> Expr {
        self.expr(ExprKind::Unary(UnaryOp::Not, Box::new(operand)))
    }

    /// All of them; true if there are none.
    pub(super) fn all(self, conditions: impl IntoIterator<Item = Expr>) -> Expr {
        let joined = conditions.into_iter().reduce(|a, b| self.binary(BinaryOp::And, a, b));
        joined.unwrap_or_else(|| self.bool(true))
    }

    /// Any of them; false if there are none.
    pub(super) fn any(self, conditions: impl IntoIterator<Item = Expr>) -> Expr {
        let joined = conditions.into_iter().reduce(|a, b| self.binary(BinaryOp::Or, a, b));
        joined.unwrap_or_else(|| self.bool(false))
    }

    pub(super) fn choose(self, ty: Type) -> Expr {
        self.expr(ExprKind::Choose(ty))
    }

    pub(super) fn choose_in(self, set: Expr) -> Expr {
        self.expr(ExprKind::ChooseIn(Box::new(set)))
    }

    pub(super) fn empty_set(self) -> Expr {
        self.expr(ExprKind::Set(Vec::new()))
    }

    /// `0..high`
    pub(super) fn up_to(self, high: Expr) -> Type {
        self.ty(TypeKind::Range(Box::new(self.int(0)), Box::new(high)))
    }

    pub(super) fn ty(self, kind: TypeKind) -> Type {
        Type { kind, span: self.span }
    }

    pub(super) fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { label: None, is_unordered: false, kind, span: self.span }
    }

    pub(super) fn assign(self, place: Expr, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign { place, value })
    }

    /// `place = place + by`
    pub(super) fn add(self, place: Expr, by: i64) -> Stmt {
        let op = if by < 0 { BinaryOp::Subtract } else { BinaryOp::Add };
        let sum = self.binary(op, place.clone(), self.int(by.abs()));
        self.assign(place, sum)
    }

    /// `if condition { stmt }`
    pub(super) fn when(self, condition: Expr, stmt: Stmt) -> Stmt {
        self.stmt(StmtKind::If { condition, then: self.block(vec![stmt]), otherwise: None })
    }

    pub(super) fn assume(self, condition: Expr) -> Stmt {
        self.stmt(StmtKind::Assume(condition))
    }

    pub(super) fn block(self, stmts: Vec<Stmt>) -> Block {
        Block { stmts, span: self.span }
    }

    pub(super) fn atomic(self, stmts: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::Atomic(self.block(stmts)))
    }

    /// One step: any of the ways whose assumptions hold.
    pub(super) fn one_of(self, ways: Vec<Vec<Stmt>>) -> Stmt {
        let blocks = ways.into_iter().map(|way| self.block(way)).collect();
        self.atomic(vec![self.stmt(StmtKind::Choose(blocks))])
    }
}
