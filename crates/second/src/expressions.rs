//! Expressions: every access to shared state, choice and call becomes an instruction, from left to right.

use crate::code::{Access, AccessKind, Address, Instr, Touches};
use crate::compile::{Compiler, Slot};
use crate::layout::orders_regions;
use crate::term::Term;
use crate::values::{Limits, Operator, QueueType, plain, unary};
use base::table::Id;
use memory::Order;
use program::typed::{self, BinaryOp, Expr, ExprKind, Op, Place, PlaceRoot, Quantifier, SharedKind};
use program::types::Type;

impl Compiler<'_> {
    /// The expression as a term; what takes steps is emitted.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Const(value) => Term::Const((*value).into()),
            ExprKind::SelfIndex => Term::Const(self.copy as i64),
            ExprKind::Local(local) => match self.local(*local) {
                Slot::Register(register) => Term::Register(register),
                Slot::Const(value) => Term::Const(value),
            },
            ExprKind::Load(_) | ExprKind::Access(_) | ExprKind::Call(..) | ExprKind::Choose | ExprKind::ChooseIn(_) => {
                let to = self.scratch();
                let limits = self.limits(expr.ty);
                self.into(expr, to, limits);
                Term::Register(to)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                let left = self.expr(left);
                self.logic(*op, left, right)
            }
            ExprKind::Quantified(quantifier, local, body) => self.quantified(*quantifier, local.index(), body),
            _ => {
                let operands: Vec<&Expr> = expr.operands();
                let terms = self.operands(&operands);
                match operator(&self.program.types, expr) {
                    Some(op) => Term::Apply(op, terms),
                    None => Term::Const(0),
                }
            }
        }
    }

    /// The value of an expression goes to a register.
    pub(crate) fn into(&mut self, expr: &Expr, to: usize, limits: Limits) {
        match &expr.kind {
            ExprKind::Load(place) => {
                let address = self.address(place);
                let orders = (Order::Relaxed, Order::Relaxed);
                self.access(AccessKind::Load, place, address, Vec::new(), orders, Some((to, limits)));
            }
            ExprKind::Access(access) => self.operation(access, Some((to, limits))),
            ExprKind::Call(proc, arguments) => {
                let result = self.program.procs[*proc].result.map(|ty| self.limits(ty));
                match result {
                    Some(result) if limits.includes(result) => self.call(*proc, arguments, Some((to, result)), None),
                    _ => {
                        let (kept, own) = (self.scratch(), result.unwrap_or(Limits::BOOL));
                        self.call(*proc, arguments, Some((kept, own)), None);
                        self.set(to, Term::Register(kept), own, limits);
                    }
                }
            }
            ExprKind::Choose | ExprKind::ChooseIn(_) => {
                let from = self.limits(expr.ty);
                let chosen = if limits.includes(from) { to } else { self.scratch() };
                match &expr.kind {
                    ExprKind::ChooseIn(set) => {
                        let term = self.expr(set);
                        let element = self.program.types.element(set.ty).unwrap_or(expr.ty);
                        let element = self.limits(element);
                        self.emit(Instr::ChooseIn(chosen, term, element));
                    }
                    _ => {
                        self.emit(Instr::ChooseValue(chosen, from));
                    }
                }
                if chosen != to {
                    self.set(to, Term::Register(chosen), from, limits);
                }
            }
            _ => {
                let from = self.limits(expr.ty);
                let term = self.expr(expr);
                self.set(to, term, from, limits);
            }
        }
    }

    /// `and`, `or`, `implies` (rule 1.9).
    fn logic(&mut self, op: BinaryOp, left: Term, right: &Expr) -> Term {
        let (wanted, otherwise) = match op {
            BinaryOp::And => (true, 0),
            BinaryOp::Or => (false, 1),
            _ => (true, 1),
        };
        if right.takes_steps() || right.reads_abstract() {
            let to = self.scratch();
            let condition = if wanted { left } else { left.not() };
            let skip = self.emit(Instr::Branch(condition, 0));
            self.into(right, to, Limits::BOOL);
            let done = self.emit(Instr::Goto(0));
            self.land(vec![skip]);
            self.set(to, Term::Const(otherwise), Limits::BOOL, Limits::BOOL);
            self.land(vec![done]);
            return Term::Register(to);
        }
        let right_term = self.expr(right);
        if may_have_no_value(&self.program.types, right) {
            return Term::Lazy(wanted, Box::new(left), Box::new(right_term), otherwise);
        }
        match plain(op) {
            Some(op) => Term::Apply(Operator::Plain(op), vec![left, right_term]),
            None => Term::Const(0),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, local: usize, body: &Expr) -> Term {
        let (op, unit) = match quantifier {
            Quantifier::All => (BinaryOp::And, 1),
            Quantifier::Exists => (BinaryOp::Or, 0),
        };
        let limits = self.limits(self.frame.types[local]);
        let before = self.frame.locals[local];
        let mut term = Term::Const(unit);
        for value in limits.low..=limits.high {
            self.frame.locals[local] = Slot::Const(value);
            term = self.logic(op, term, body);
        }
        self.frame.locals[local] = before;
        term
    }

    /// A memory operation with an order.
    pub(crate) fn operation(&mut self, access: &typed::Access, to: Option<(usize, Limits)>) {
        let kind = match &access.op {
            Op::Load => AccessKind::Load,
            Op::Store(_) => AccessKind::Store,
            Op::Cas(..) => AccessKind::Cas,
            Op::CasOld(..) => AccessKind::CasOld,
            Op::Swap(_) => AccessKind::Swap,
            Op::FetchAdd(_) => AccessKind::FetchAdd,
            Op::FetchAnd(_) => AccessKind::FetchAnd,
            Op::FetchOr(_) => AccessKind::FetchOr,
            Op::LoadLinked => AccessKind::LoadLinked,
            Op::StoreConditional(_) => AccessKind::StoreConditional,
        };
        let mut all = access.place.operands();
        let n_place = all.len();
        all.extend(access.op.operands());
        let mut terms = self.operands(&all);
        let operands = terms.split_off(n_place);
        let address = self.located(&access.place, terms);
        self.access(kind, &access.place, address, operands, (access.order, access.failure_order), to);
    }

    /// Where a place is; its operands are evaluated here.
    pub(crate) fn address(&mut self, place: &Place) -> Address {
        let terms = self.operands(&place.operands());
        self.located(place, terms)
    }

    pub(crate) fn located(&self, place: &Place, terms: Vec<Term>) -> Address {
        let mut terms = terms.into_iter();
        let (base, object) = match &place.root {
            PlaceRoot::Shared(id) => (self.layout.shared(*id), None),
            PlaceRoot::Field(_, object, field) => {
                let ty = &self.program.types.objects[*object];
                let term = terms.next().unwrap_or(Term::Const(0));
                let base = self.layout.field(self.program, *object, *field);
                (base, Some((term, ty.instances.len() as i64, ty.size as i64)))
            }
        };
        let index = terms.next().map(|term| (term, Limits::from(place.index_range)));
        Address { base, object, index }
    }

    pub(crate) fn access(
        &mut self,
        kind: AccessKind,
        place: &Place,
        address: Address,
        operands: Vec<Term>,
        (order, failure_order): (Order, Order),
        to: Option<(usize, Limits)>,
    ) {
        let touches = match (&place.root, place.kind) {
            (_, SharedKind::Cell) => Touches::Memory,
            (PlaceRoot::Shared(id), _) if orders_regions(self.program, *id) => Touches::Ordered,
            (PlaceRoot::Field(..), SharedKind::Abstract) => Touches::Ordered,
            _ => Touches::Unordered,
        };
        let cell = self.limits(place.ty);
        let access = Access { kind, address, cell, operands, order, failure_order, to, touches, then: false };
        self.emit(Instr::Access(access));
    }
}

/// The operator of an expression whose operands are its own.
pub(crate) fn operator(types: &program::types::Types, expr: &Expr) -> Option<Operator> {
    let element = |ty: Type| types.element(ty).map(|element| Limits::from(types.range(element)));
    let queue = |ty: Type| types.queue(ty).map(QueueType::new);
    Some(match &expr.kind {
        ExprKind::Unary(op, _) => unary(*op),
        ExprKind::Binary(BinaryOp::In, _, held) => match queue(held.ty) {
            Some(queue) => Operator::InQueue(queue),
            None => Operator::InSet(element(held.ty)?),
        },
        ExprKind::Binary(BinaryOp::With, set, _) => Operator::With(element(set.ty)?),
        ExprKind::Binary(BinaryOp::Without, set, _) => Operator::Without(element(set.ty)?),
        ExprKind::Binary(BinaryOp::Union, ..) => Operator::Union,
        ExprKind::Binary(BinaryOp::Minus, ..) => Operator::Minus,
        ExprKind::Binary(op, ..) => Operator::Plain(plain(*op)?),
        ExprKind::Part(_, word, part) => Operator::Part(word.0, *part),
        ExprKind::Build(word, _) => Operator::Build(word.0),
        ExprKind::Push(held, _) => Operator::Push(queue(held.ty)?),
        ExprKind::Pop(held) => Operator::Pop(queue(held.ty)?),
        ExprKind::Top(held) => Operator::Top(queue(held.ty)?),
        ExprKind::Size(held) => queue(held.ty).map_or(Operator::SizeOfSet, Operator::SizeOfQueue),
        _ => return None,
    })
}

/// Whether evaluating it may give no value (rules 1.5, 1.6), by the ranges of its parts.
fn may_have_no_value(types: &program::types::Types, expr: &Expr) -> bool {
    let limits = |e: &Expr| Limits::from(types.range(e.ty));
    let own = match &expr.kind {
        ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, by) => limits(by).contains(0),
        ExprKind::Binary(BinaryOp::ShiftLeft, _, by) => limits(by).low < 0 || limits(by).high > 31,
        ExprKind::Binary(BinaryOp::ShiftRight, _, by) => limits(by).low < 0,
        ExprKind::Binary(BinaryOp::With, set, x) => {
            types.element(set.ty).is_some_and(|element| !Limits::from(types.range(element)).includes(limits(x)))
        }
        ExprKind::Build(word, parts) => {
            let fields = &types.words[*word].fields;
            !fields.iter().zip(parts).all(|(field, part)| Limits::from(field.range).includes(limits(part)))
        }
        ExprKind::Push(..) | ExprKind::Top(_) => true,
        _ => false,
    };
    own || expr.operands().into_iter().any(|operand| may_have_no_value(types, operand))
}
