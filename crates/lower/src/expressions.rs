//! Expressions: every access gets a point, from left to right; what is left is a pure expression.

use crate::cells::domain;
use crate::simplify::{binary, unary_op};
use crate::thread::{Binding, Lowering};
use crate::{queues, sets, words};
use automata::{
    Access, Action, Address, BinaryOp, CasResult, Expr, FetchOp, NO_VALUE, Next, Op, RegId, Region, UnaryOp, Wait,
};
use base::Span;
use base::table::Id;
use program::indices::Home;
use program::typed::{self, ExprKind, LocalKind, Quantifier, SharedKind, Specification};
use program::types::Range;

impl<'p> Lowering<'p, '_> {
    /// The expression with every access done before; in a region of its own if it reads abstract state.
    pub(crate) fn eval(&mut self, expr: &'p typed::Expr) -> Expr {
        if !self.needs_region(expr) {
            return self.value(expr);
        }
        self.enter(Region::Atomic(Wait::Performed), expr.span);
        let value = self.value(expr);
        self.leave(expr.span);
        value
    }

    /// Puts the value into `dst`, which is written last on every path.
    pub(crate) fn eval_into(&mut self, expr: &'p typed::Expr, dst: RegId) {
        if !self.needs_region(expr) {
            return self.value_into(expr, dst);
        }
        self.enter(Region::Atomic(Wait::Performed), expr.span);
        self.value_into(expr, dst);
        self.leave(expr.span);
    }

    /// Whether it reads abstract state outside of any region.
    pub(crate) fn needs_region(&self, expr: &typed::Expr) -> bool {
        self.region.is_none() && expr.reads_abstract()
    }

    /// Whether its value comes from points of its own: an access, a call, a choice, a branch.
    pub(crate) fn is_step(&self, expr: &typed::Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(_) | ExprKind::Access(_) | ExprKind::Call(..) | ExprKind::ChooseIn(_) | ExprKind::If(..) => {
                true
            }
            ExprKind::Choose => self.only_value(expr).is_none(),
            _ => self.is_shortcut(expr),
        }
    }

    /// The one value of the expression's type, if it has no other.
    fn only_value(&self, expr: &typed::Expr) -> Option<i32> {
        let range = self.program.types.range(expr.ty);
        (range.low == range.high).then_some(range.low)
    }

    pub(crate) fn value(&mut self, expr: &'p typed::Expr) -> Expr {
        if let (ExprKind::Choose, Some(value)) = (&expr.kind, self.only_value(expr)) {
            return Expr::constant(value);
        }
        match &expr.kind {
            ExprKind::Const(value) => Expr::constant(*value),
            ExprKind::Local(local) => self.local(*local, expr.span),
            ExprKind::SelfIndex => Expr::constant(self.copy),
            ExprKind::Unary(op, operand) => Expr::unary(unary_op(*op), self.value(operand)),
            ExprKind::Part(word, id, field) => {
                let word = self.value(word);
                words::part(&self.program.types.words[*id], *field, word)
            }
            ExprKind::Build(id, parts) => self.build(*id, parts),
            ExprKind::Binary(op, left, right) if !self.is_shortcut(expr) => {
                let first = self.value(left);
                if let Some(known) = decided(*op, &first) {
                    return Expr::constant(known);
                }
                let mut second = self.value(right);
                if decided_by_right(*op, &second) && !left.may_be_constant(&self.program.types) {
                    return provided(binary(BinaryOp::Equal, first.clone(), first), second);
                }
                if let (typed::BinaryOp::With, Some(element)) = (op, self.program.types.element(left.ty)) {
                    second = self.within(second, right, self.program.types.range(element));
                }
                sets::apply(&self.program.types, *op, (first, left), (second, right))
            }
            ExprKind::Push(held, element) => self.push(held, element),
            ExprKind::Pop(held) => {
                let queue = self.program.types.queue(held.ty).expect("only queues have these operations");
                queues::pop(&queue, self.value(held))
            }
            ExprKind::Top(held) => self.top(held),
            ExprKind::Size(held) if self.program.types.queue(held.ty).is_some() => self.queue_size(held),
            ExprKind::Size(set) => {
                let n_values = self.program.types.range(set.ty).bits();
                sets::size(self.value(set), n_values)
            }
            ExprKind::Quantified(quantifier, local, body) if !self.is_shortcut(expr) => {
                self.quantified(*quantifier, *local, body)
            }
            kind if kind.is_of_properties() => unreachable!("the checker lets no thread ask this: {kind:?}"),
            _ => {
                let range = self.program.types.range(expr.ty);
                let temporary = self.out.temporary(domain(range));
                let home = self.frame().home;
                self.out.set_shape(temporary, self.shapes.expr(home, expr));
                self.value_into(expr, temporary);
                Expr::Leaf(temporary)
            }
        }
    }

    /// The value of a local. The thread's own register of an item may be assigned by a procedure that is called before
    /// the value is used: then it is copied now.
    fn local(&mut self, local: typed::LocalId, span: Span) -> Expr {
        if let LocalKind::Item(id) = self.frame().body.locals[local].kind {
            let register = self.item(id);
            if !self.calls {
                return Expr::Leaf(register);
            }
            let copy = self.out.temporary(self.out.domain(register));
            self.out.set_shape(copy, self.out.shape(register));
            self.out.emit(Action::Compute { dst: copy, value: Expr::Leaf(register) }, span);
            return Expr::Leaf(copy);
        }
        match self.frame().bindings[local.index()] {
            Some(Binding::Register(register)) => Expr::Leaf(register),
            Some(Binding::Constant(value)) => Expr::constant(value),
            None => unreachable!("a local is assigned before it is read"),
        }
    }

    fn value_into(&mut self, expr: &'p typed::Expr, dst: RegId) {
        match &expr.kind {
            ExprKind::Load(place) => {
                let address = self.address(place);
                let access = Access { dst: Some(dst), ..self.without_order(Op::Load, address) };
                self.out.emit(Action::Access(access), expr.span);
            }
            ExprKind::Access(access) => self.operation(access, Some(dst), expr.span),
            ExprKind::Call(proc, arguments) => self.inline(*proc, arguments, Some(dst), None),
            ExprKind::Choose if self.only_value(expr).is_none() => self.choose_value(expr, dst),
            ExprKind::ChooseIn(set) => self.choose_element(set, expr, dst),
            ExprKind::If(condition, then, otherwise) => self.conditional_into(condition, then, otherwise, dst),
            _ if self.is_shortcut(expr) => self.shortcut_into(expr, dst),
            _ => {
                let value = computed(expr, self.value(expr));
                if value != Expr::Leaf(dst) {
                    self.out.emit(Action::Compute { dst, value }, expr.span);
                }
            }
        }
    }

    /// A memory operation.
    pub(crate) fn operation(&mut self, access: &'p typed::Access, dst: Option<RegId>, span: Span) {
        let address = self.address(&access.place);
        let op = match &access.op {
            typed::Op::Load => Op::Load,
            typed::Op::LoadLinked => Op::LoadLinked,
            typed::Op::Store(value) => Op::Store(self.eval(value)),
            typed::Op::Swap(value) => Op::Swap(self.eval(value)),
            typed::Op::FetchAdd(value) => Op::Fetch(FetchOp::Add, self.eval(value)),
            typed::Op::FetchAnd(value) => Op::Fetch(FetchOp::And, self.eval(value)),
            typed::Op::FetchOr(value) => Op::Fetch(FetchOp::Or, self.eval(value)),
            typed::Op::StoreConditional(value) => Op::StoreConditional(self.eval(value)),
            typed::Op::Report(report, number) => self.report(report, number),
            typed::Op::Cas(expected, new) => self.cas(expected, new, CasResult::Success),
            typed::Op::CasOld(expected, new) => self.cas(expected, new, CasResult::Old),
        };
        let (order, failure_order) = (access.order, access.failure_order);
        let is_elidable = self.layout.is_elidable(address.base);
        let access = Access { order, failure_order, dst, is_elidable, ..Access::new(op, address) };
        self.out.emit(Action::Access(access), span);
    }

    /// A call or return is reported: an event of this thread.
    fn report(&mut self, report: &typed::Report, number: &'p typed::Expr) -> Op {
        let Home::Thread(thread) = self.frames[0].home else { unreachable!("the first frame is the thread's") };
        let first = report.first(thread, self.copy as u32) as i64;
        let event = binary(BinaryOp::Add, Expr::Const(first), self.eval(number));
        let Specification { next, events, .. } = &*report.specification;
        Op::Fetch(FetchOp::Next(Next { n_events: events.len(), states: next.clone() }), event)
    }

    /// An access whose text says no order: relaxed, or not atomic where the cell is plain.
    pub(crate) fn without_order(&self, op: Op, address: Address) -> Access {
        let (is_plain, is_elidable) = (self.layout.is_plain(address.base), self.layout.is_elidable(address.base));
        Access { is_plain, is_elidable, ..Access::new(op, address) }
    }

    fn cas(&mut self, expected: &'p typed::Expr, new: &'p typed::Expr, result: CasResult) -> Op {
        let expected = self.eval(expected);
        let new = self.eval(new);
        Op::Cas { expected, new, result }
    }

    /// A word. It has no value where a part is out of its field's range: it would spoil its neighbours.
    fn build(&mut self, id: program::types::WordId, parts: &'p [typed::Expr]) -> Expr {
        let word = &self.program.types.words[id];
        let mut values = Vec::new();
        for (field, part) in word.fields.iter().zip(parts) {
            let value = self.value(part);
            values.push(self.within(value, part, field.range));
        }
        words::pack(word, values)
    }

    /// A value that goes to `range`, which has no value if it is outside; `expr` is where it comes from.
    pub(crate) fn within(&self, value: Expr, expr: &typed::Expr, range: Range) -> Expr {
        match value {
            Expr::Const(value) if !range.contains(value) => Expr::Const(NO_VALUE),
            Expr::Const(_) => value,
            _ if range.includes(self.program.types.range(expr.ty)) => value,
            value => {
                let low = binary(BinaryOp::LessEqual, Expr::constant(range.low), value.clone());
                let high = binary(BinaryOp::LessEqual, value.clone(), Expr::constant(range.high));
                provided(binary(BinaryOp::And, low, high), value)
            }
        }
    }

    /// `choose T`: one way for each value.
    fn choose_value(&mut self, expr: &typed::Expr, dst: RegId) {
        let values: Vec<i32> = self.values(expr.ty).collect();
        let ways = self.out.choose(values.len(), expr.span);
        let mut after = Vec::new();
        for (way, value) in ways.into_iter().zip(values) {
            self.out.holes = way;
            self.out.emit(Action::Compute { dst, value: Expr::constant(value) }, expr.span);
            after.extend(self.out.take());
        }
        self.out.holes = after;
    }

    /// `choose in s`: one way for each value of the element type, taken if the value is in the set.
    fn choose_element(&mut self, set: &'p typed::Expr, expr: &typed::Expr, dst: RegId) {
        let mask = self.value(set);
        let range = self.program.types.range(expr.ty);
        let is_in = |value: i32| sets::has(mask.clone(), Expr::constant(value - range.low));
        let values: Vec<i32> = range.values().filter(|value| is_in(*value) != Expr::Const(0)).collect();
        if values.is_empty() {
            return self.out.emit(Action::Assume(Expr::Const(0)), expr.span);
        }
        // Outside a region the thread waits here, once for all: a value that is not in the set is no way.
        let is_wait = self.region.is_none();
        let some = Expr::unary(UnaryOp::Not, binary(BinaryOp::Equal, mask.clone(), Expr::Const(0)));
        if is_wait && some != Expr::Const(1) {
            self.out.emit(Action::Assume(some), expr.span);
        }
        let ways = match values.len() {
            1 => vec![self.out.take()],
            n => self.out.choose(n, expr.span),
        };
        let mut after = Vec::new();
        for (way, value) in ways.into_iter().zip(values) {
            self.out.holes = way;
            if is_in(value) != Expr::Const(1) {
                let is_in = is_in(value);
                self.out.emit(if is_wait { Action::Discard(is_in) } else { Action::Assume(is_in) }, expr.span);
            }
            self.out.emit(Action::Compute { dst, value: Expr::constant(value) }, expr.span);
            after.extend(self.out.take());
        }
        self.out.holes = after;
    }

    fn quantified(&mut self, quantifier: Quantifier, local: typed::LocalId, body: &'p typed::Expr) -> Expr {
        let ty = self.frame().body.locals[local].ty;
        let (op, start) = match quantifier {
            Quantifier::All => (BinaryOp::And, 1),
            Quantifier::Exists => (BinaryOp::Or, 0),
        };
        let mut all = Expr::Const(start);
        for value in self.values(ty) {
            self.bind_constant(local, value);
            let one = self.value(body);
            all = binary(op, all, one);
        }
        all
    }
}

/// The value where the condition is true; elsewhere none, which whoever uses it finds (semantics 1.5 to 1.8).
pub(crate) fn provided(condition: Expr, value: Expr) -> Expr {
    binary(BinaryOp::Add, value, if_not_zero(condition))
}

/// What a register gets from an expression. What the text computes stays a computation, though its operands be neutral: it takes a
/// place in the queue, and a copy takes none (semantics 3.1).
pub(crate) fn computed(expr: &typed::Expr, value: Expr) -> Expr {
    match value {
        copy @ Expr::Leaf(_) if !matches!(expr.kind, ExprKind::Local(_)) => {
            Expr::Binary(BinaryOp::Add, Box::new(copy), Box::new(Expr::Const(0)))
        }
        value => value,
    }
}

/// 0, or no value if the condition is 0 or has none.
fn if_not_zero(condition: Expr) -> Expr {
    Expr::binary(BinaryOp::Divide, Expr::Const(0), condition)
}

/// The result of a logical operator that its left operand alone decides.
pub(crate) fn decided<L>(op: typed::BinaryOp, left: &Expr<L>) -> Option<i32> {
    match (op, left) {
        (typed::BinaryOp::And, Expr::Const(0)) => Some(0),
        (typed::BinaryOp::Or, value) if is_true(value) => Some(1),
        (typed::BinaryOp::Implies, Expr::Const(0)) => Some(1),
        _ => None,
    }
}

/// Whether it is true for certain.
pub(crate) fn is_true<L>(condition: &Expr<L>) -> bool {
    matches!(condition, Expr::Const(value) if *value != 0 && *value != NO_VALUE)
}

/// Whether a right operand decides a logical operator, whatever the left one is.
fn decided_by_right<L>(op: typed::BinaryOp, right: &Expr<L>) -> bool {
    match (op, right) {
        (typed::BinaryOp::And, Expr::Const(0)) => true,
        (typed::BinaryOp::Or | typed::BinaryOp::Implies, value) => is_true(value),
        _ => false,
    }
}

/// Whether evaluating it takes steps, or looks at a place that may not be there.
pub(crate) fn takes_steps(expr: &typed::Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Access(_) | ExprKind::Call(..) | ExprKind::Choose | ExprKind::ChooseIn(_) | ExprKind::If(..) => true,
        ExprKind::Load(place) => {
            place.kind == SharedKind::Cell || place.operands().iter().any(|o| o.constant().is_none())
        }
        _ => false,
    };
    own || expr.operands().into_iter().any(takes_steps)
}
