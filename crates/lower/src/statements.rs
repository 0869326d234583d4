//! Statements.

use crate::builder::OPEN;
use crate::expressions::{computed, is_true};
use crate::thread::Lowering;
use automata::{Action, Begin, Expr, Op, Region, Wait};
use base::Span;
use program::typed::{self, ExprKind, Place, SharedKind, Stmt, StmtKind};

impl<'p> Lowering<'p, '_> {
    pub(crate) fn stmt(&mut self, stmt: &'p Stmt) {
        if let Some(label) = &stmt.label {
            self.out.label(&format!("{}{label}", self.prefix));
        }
        let calls = std::mem::replace(&mut self.calls, !stmt.calls().is_empty());
        let is_unordered = std::mem::replace(&mut self.is_unordered, stmt.is_unordered);
        let n_points = self.out.n_points();
        self.unlabelled(stmt);
        if stmt.label.is_some() && self.out.n_points() == n_points {
            // It takes no step, and is a location all the same: the label must not go to what comes next.
            self.out.emit(Action::Assume(Expr::Const(1)), stmt.span);
        }
        self.calls = calls;
        self.is_unordered = is_unordered;
    }

    fn unlabelled(&mut self, stmt: &'p Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Set(local, value) => self.set(*local, value),
            StmtKind::Store(place, value) => self.store(place, value, span),
            StmtKind::Eval(typed::Expr { kind: ExprKind::Call(proc, arguments), .. }) => {
                self.inline(*proc, arguments, None, stmt.label.as_deref())
            }
            StmtKind::Eval(expr) => self.effect(expr),
            StmtKind::If(condition, then, otherwise) => self.if_else(condition, then, otherwise),
            StmtKind::While(condition, body) => self.looped(Some(condition), body, span),
            StmtKind::Loop(body) => self.looped(None, body, span),
            StmtKind::Each(local, body) => self.each(*local, body),
            StmtKind::Choose(blocks) => self.choose(blocks, span),
            StmtKind::Region(region, body) => self.in_region(*region, body, span),
            StmtKind::Transaction(transaction) => self.transaction(transaction, span),
            StmtKind::Abort(code) => self.out.abort(*code, span),
            StmtKind::Fence(fence) => {
                if let Some(fence) = fence {
                    self.out.emit(Action::Fence(*fence), span);
                }
            }
            StmtKind::Assert(property, condition) => self.assert(*property, condition, span),
            StmtKind::Assume(condition) => self.assume(condition, span),
            StmtKind::Discard(condition) => self.discard(condition, span),
            StmtKind::Cover(cover, condition) => self.cover(*cover, condition.as_ref(), span),
            StmtKind::Safepoint => self.out.emit(Action::Safepoint, span),
            StmtKind::Perform => self.out.emit(Action::Perform, span),
            StmtKind::Lock => self.lock(span),
            StmtKind::Unlock => self.unlock(span),
            StmtKind::Return(value) => self.return_from(value.as_ref(), span),
            StmtKind::Break => self.break_loop(span),
            StmtKind::Continue => self.continue_loop(span),
            StmtKind::Stop => self.stop(span),
            StmtKind::Skip => {}
        }
    }

    /// A register gets a value. One that only ever gets a constant is that constant (semantics 1.11), and a register only if a
    /// property names it.
    fn set(&mut self, local: typed::LocalId, value: &'p typed::Expr) {
        if self.may_be_constant(local) && !self.is_step(value) {
            let range = self.program.types.range(self.frame().body.locals[local].ty);
            let computed = computed(value, self.eval(value));
            let constant = match computed {
                Expr::Const(number) if value.may_be_constant(&self.program.types) && range.contains(number) => {
                    Some(number)
                }
                _ => None,
            };
            if constant.is_none() || self.is_observed(local) {
                let dst = self.bind_register(local);
                self.out.emit(Action::Compute { dst, value: computed }, value.span);
            }
            if let Some(constant) = constant {
                self.bind_constant(local, constant as automata::Value);
            }
            return;
        }
        let dst = self.bind_register(local);
        self.eval_into(value, dst);
    }

    /// A store to memory or a write of abstract state, which is a region of its own. What takes
    /// steps is evaluated before the region.
    fn store(&mut self, place: &'p Place, value: &'p typed::Expr, span: Span) {
        let is_region = place.kind != SharedKind::Cell && self.region.is_none();
        if !is_region {
            let address = self.address(place);
            let value = self.eval(value);
            return self.out.emit(Action::Access(self.without_order(Op::Store(value), address)), span);
        }
        let early_index = place.index.as_ref().filter(|i| i.takes_steps()).map(|i| self.eval(i));
        let early_value = value.takes_steps().then(|| self.eval(value));
        self.enter(Region::Atomic(Wait::Performed), span);
        let address = match early_index {
            Some(index) => self.address_at(place, None, Some(index)),
            None => self.address(place),
        };
        let value = early_value.unwrap_or_else(|| self.eval(value));
        self.out.emit(Action::Access(self.without_order(Op::Store(value), address)), span);
        self.leave(span);
    }

    /// An operation whose result is not wanted.
    fn effect(&mut self, expr: &'p typed::Expr) {
        match &expr.kind {
            ExprKind::Access(access) => self.operation(access, None, expr.span),
            ExprKind::Load(place) if place.kind == SharedKind::Cell => {
                let address = self.address(place);
                self.out.emit(Action::Access(self.without_order(Op::Load, address)), expr.span);
            }
            _ => {
                self.eval(expr);
            }
        }
    }

    fn if_else(&mut self, condition: &'p typed::Expr, then: &'p [Stmt], otherwise: &'p [Stmt]) {
        let (yes, no) = self.split(condition);
        self.out.holes = yes;
        self.block(then);
        let after_then = std::mem::replace(&mut self.out.holes, no);
        self.block(otherwise);
        self.out.holes.extend(after_then);
    }

    fn choose(&mut self, blocks: &'p [Vec<Stmt>], span: Span) {
        if let [only] = blocks {
            return self.block(only);
        }
        let mut after = Vec::new();
        for (way, block) in self.out.choose(blocks.len(), span).into_iter().zip(blocks) {
            self.out.holes = way;
            self.block(block);
            after.extend(self.out.take());
        }
        self.out.holes = after;
    }

    /// One step; inside another region it is part of that step.
    fn in_region(&mut self, region: typed::Region, body: &'p [Stmt], span: Span) {
        let region = match region {
            typed::Region::Atomic => Region::Atomic(Wait::Performed),
            typed::Region::Then => Region::Then,
            typed::Region::Issued => Region::Issued,
            typed::Region::Direct => Region::Direct(Wait::Performed),
            typed::Region::StopTheWorld => Region::StopTheWorld,
        };
        if self.region.is_some() {
            return self.block(body);
        }
        self.enter(region, span);
        self.block(body);
        self.leave(span);
    }

    /// What is done, then the commit; after an abort, what the handler does.
    fn transaction(&mut self, transaction: &'p typed::Transaction, span: Span) {
        let [cause, code] = [transaction.cause, transaction.code].map(|l| l.map(|local| self.bind_register(local)));
        let handler = self.out.begin(Begin { handler: OPEN, cause, code, capacity: transaction.capacity }, span);
        self.block(&transaction.body);
        self.out.emit(Action::Commit, span);
        let committed = std::mem::replace(&mut self.out.holes, handler);
        self.block(&transaction.handler);
        self.out.holes.extend(committed);
    }

    fn assert(&mut self, property: typed::PropertyId, condition: &'p typed::Expr, span: Span) {
        let property = self.names.property(self.program, self.automata, property);
        // One that is true for certain too: that control comes there is worth knowing (semantics 9.3).
        self.with_condition(Some(condition), span, |condition| Some(Action::Assert { condition, property }));
    }

    fn assume(&mut self, condition: &'p typed::Expr, span: Span) {
        self.with_condition(Some(condition), span, |condition| match condition {
            condition if is_true(&condition) => None,
            condition => Some(Action::Assume(condition)),
        });
    }

    fn discard(&mut self, condition: &'p typed::Expr, span: Span) {
        self.with_condition(Some(condition), span, |condition| match condition {
            condition if is_true(&condition) => None,
            condition => Some(Action::Discard(condition)),
        });
    }

    fn cover(&mut self, cover: typed::CoverId, condition: Option<&'p typed::Expr>, span: Span) {
        let cover = self.names.cover(self.program, self.automata, cover);
        self.with_condition(condition, span, |condition| Some(Action::Cover { condition, cover }));
    }

    /// Emits an action on a condition; in one region with the condition if that reads abstract state.
    fn with_condition(
        &mut self,
        condition: Option<&'p typed::Expr>,
        span: Span,
        action: impl FnOnce(Expr) -> Option<Action>,
    ) {
        let is_region = condition.is_some_and(|c| self.needs_region(c));
        if is_region {
            self.enter(Region::Atomic(Wait::Performed), span);
        }
        let condition = condition.map_or(Expr::Const(1), |c| self.eval(c));
        if let Some(action) = action(condition) {
            self.out.emit(action, span);
        }
        if is_region {
            self.leave(span);
        }
    }
}
