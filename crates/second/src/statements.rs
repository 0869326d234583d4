//! Statements (rules 2.4, 3.9, 3.10).

use crate::code::{AccessKind, Instr, RegionKind};
use crate::compile::{Compiler, Loop, Slot};
use crate::term::Term;
use crate::values::{Operator, Plain};
use memory::Order;
use program::typed::{self, Expr, ExprKind, LocalId, Place, SharedKind, Stmt, StmtKind};

impl Compiler<'_> {
    pub(crate) fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            let outer = std::mem::replace(&mut self.span, stmt.span);
            let was_unordered = std::mem::replace(&mut self.is_unordered, stmt.is_unordered);
            let mark = self.n_scratch;
            self.labelled(stmt);
            self.drop_scratch(mark);
            self.span = outer;
            self.is_unordered = was_unordered;
        }
    }

    fn labelled(&mut self, stmt: &Stmt) {
        let start = self.here();
        let Some(label) = &stmt.label else { return self.stmt(stmt) };
        let label = format!("{}{label}", self.frame.prefix);
        match &stmt.kind {
            StmtKind::Eval(Expr { kind: ExprKind::Call(proc, arguments), .. }) => {
                self.call(*proc, arguments, None, Some(format!("{label}_")));
            }
            _ => self.stmt(stmt),
        }
        if self.here() == start {
            self.emit(Instr::Nop);
        }
        self.code.labels[start].push(label);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(local, value) => self.assign(*local, value),
            StmtKind::Store(place, value) => self.store(place, value),
            StmtKind::Eval(expr) => match &expr.kind {
                ExprKind::Call(proc, arguments) => self.call(*proc, arguments, None, None),
                ExprKind::Access(access) => self.operation(access, None),
                _ => {}
            },
            StmtKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            StmtKind::While(condition, body) => self.while_loop(condition, body),
            StmtKind::Loop(body) => {
                let head = self.here();
                self.repeat(body, head);
            }
            StmtKind::Each(local, body) => self.each(*local, body),
            StmtKind::Choose(blocks) => self.choose(blocks),
            StmtKind::Region(kind, body) => self.region_stmt(*kind, body),
            StmtKind::Transaction(transaction) => self.transaction(transaction),
            StmtKind::Abort(code) => self.add(Instr::Abort((*code).into())),
            StmtKind::Fence(fence) => {
                if let Some(fence) = fence {
                    self.add(Instr::Fence(*fence));
                }
            }
            StmtKind::Assert(property, condition) => {
                let property = *property;
                self.checked(condition, |term| Instr::Assert(property, term));
            }
            StmtKind::Assume(condition) => self.checked(condition, Instr::Assume),
            StmtKind::Discard(condition) => self.checked(condition, Instr::Discard),
            StmtKind::Cover(cover, condition) => match condition {
                Some(condition) => {
                    let cover = *cover;
                    self.checked(condition, |term| Instr::Cover(cover, term));
                }
                None => self.add(Instr::Cover(*cover, Term::Const(1))),
            },
            StmtKind::Safepoint => self.add(Instr::Safepoint),
            StmtKind::Perform => self.add(Instr::Perform),
            StmtKind::Lock => self.add(Instr::Lock { is_ordered: !stmt.is_unordered }),
            StmtKind::Unlock => self.add(Instr::Unlock),
            StmtKind::Return(value) => self.return_from(value.as_ref()),
            StmtKind::Break => {
                let jump = self.emit(Instr::Goto(0));
                if let Some(turn) = self.frame.loops.last_mut() {
                    turn.breaks.push(jump);
                }
            }
            StmtKind::Continue => {
                let jump = self.emit(Instr::Goto(0));
                if let Some(turn) = self.frame.loops.last_mut() {
                    turn.continues.push(jump);
                }
            }
            StmtKind::Stop => self.add(Instr::End),
            StmtKind::Skip => {}
        }
    }

    fn add(&mut self, instr: Instr) {
        self.emit(instr);
    }

    /// A condition with what is done with it, all in one region if it reads abstract state.
    fn checked(&mut self, condition: &Expr, instr: impl FnOnce(Term) -> Instr) {
        self.region_around(condition, |c| {
            let term = c.expr(condition);
            c.emit(instr(term));
        });
    }

    fn assign(&mut self, local: LocalId, value: &Expr) {
        let Slot::Register(to) = self.local(local) else { return };
        let limits = self.local_limits(local);
        self.region_around(value, |c| c.into(value, to, limits));
    }

    fn store(&mut self, place: &Place, value: &Expr) {
        if place.kind == SharedKind::Cell || self.is_in_region {
            let mut all = place.operands();
            all.push(value);
            let mut terms = self.operands(&all);
            let operand = terms.split_off(all.len() - 1);
            let address = self.located(place, terms);
            return self.write(place, address, operand);
        }
        // What takes steps is done before the region that writes.
        let mut all = place.operands();
        all.push(value);
        let kept: Vec<Option<Term>> =
            all.iter().map(|part| part.takes_steps().then(|| self.region_around(part, |c| c.expr(part)))).collect();
        self.region(RegionKind::Step, |c| {
            let mut terms: Vec<Term> = Vec::new();
            for (part, kept) in all.iter().zip(kept) {
                let term = kept.unwrap_or_else(|| c.expr(part));
                terms.push(term);
            }
            let operand = terms.split_off(all.len() - 1);
            let address = c.located(place, terms);
            c.write(place, address, operand);
        });
    }

    fn write(&mut self, place: &Place, address: crate::code::Address, operand: Vec<Term>) {
        self.access(AccessKind::Store, place, address, operand, (Order::Relaxed, Order::Relaxed), None);
    }

    fn branch(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        if let Some(value) = condition.constant() {
            return self.block(if value != 0 { then } else { otherwise });
        }
        let mark = self.n_scratch;
        let term = self.region_around(condition, |c| c.expr(condition));
        let skip = self.emit(Instr::Branch(term, 0));
        self.drop_scratch(mark);
        self.block(then);
        let done = self.emit(Instr::Goto(0));
        self.land(vec![skip]);
        self.n_scratch = self.n_scratch.max(mark);
        self.block(otherwise);
        self.land(vec![done]);
    }

    fn while_loop(&mut self, condition: &Expr, body: &[Stmt]) {
        let head = self.here();
        match condition.constant() {
            Some(0) => {}
            Some(_) => self.repeat(body, head),
            None => {
                let mark = self.n_scratch;
                let term = self.region_around(condition, |c| c.expr(condition));
                let leave = self.emit(Instr::Branch(term, 0));
                self.drop_scratch(mark);
                self.turn(body, head, vec![leave]);
            }
        }
    }

    fn repeat(&mut self, body: &[Stmt], head: usize) {
        self.turn(body, head, Vec::new());
    }

    /// One turn of a loop, back to its head, and where one leaves it.
    fn turn(&mut self, body: &[Stmt], head: usize, leaves: Vec<usize>) {
        self.frame.loops.push(Loop::default());
        self.block(body);
        let turn = self.frame.loops.pop().unwrap_or_default();
        self.land(turn.continues);
        self.emit(Instr::Goto(head));
        self.land(leaves);
        self.land(turn.breaks);
    }

    fn each(&mut self, local: LocalId, body: &[Stmt]) {
        let Slot::Register(to) = self.local(local) else { return };
        let limits = self.local_limits(local);
        self.set(to, Term::Const(limits.low), limits, limits);
        let head = self.here();
        self.frame.loops.push(Loop::default());
        self.block(body);
        let turn = self.frame.loops.pop().unwrap_or_default();
        self.land(turn.continues);
        let number = |op, value| Term::Apply(Operator::Plain(op), vec![Term::Register(to), Term::Const(value)]);
        let leave = self.emit(Instr::Branch(number(Plain::Less, limits.high), 0));
        self.set(to, number(Plain::Add, 1), limits, limits);
        self.emit(Instr::Goto(head));
        self.land(vec![leave]);
        self.land(turn.breaks);
        self.emit(Instr::Clear(to, to + 1));
    }

    fn choose(&mut self, blocks: &[Vec<Stmt>]) {
        let choice = self.emit(Instr::Choose(Vec::new()));
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for block in blocks {
            starts.push(self.here());
            self.block(block);
            ends.push(self.emit(Instr::Goto(0)));
        }
        self.land(ends);
        self.code.instrs[choice] = Instr::Choose(starts);
    }

    fn return_from(&mut self, value: Option<&Expr>) {
        if let (Some(value), Some((to, limits))) = (value, self.frame.result) {
            self.region_around(value, |c| c.into(value, to, limits));
        }
        let jump = self.emit(Instr::Goto(0));
        self.frame.returns.push(jump);
    }

    fn transaction(&mut self, transaction: &typed::Transaction) {
        let register = |c: &Self, local: Option<LocalId>| match local.map(|local| c.local(local)) {
            Some(Slot::Register(register)) => Some(register),
            _ => None,
        };
        let begin = self.emit(Instr::Nop);
        self.block(&transaction.body);
        self.emit(Instr::Commit);
        let done = self.emit(Instr::Goto(0));
        self.code.instrs[begin] = Instr::Begin {
            capacity: transaction.capacity,
            handler: self.here(),
            cause: register(self, transaction.cause),
            code: register(self, transaction.code),
        };
        self.block(&transaction.handler);
        self.land(vec![done]);
    }
}
