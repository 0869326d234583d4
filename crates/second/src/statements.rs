//! Statements (rules 2.4, 3.9, 3.10).

use crate::code::{Check, Instr};
use crate::compile::Compiler;
use crate::expressions::RELAXED;
use crate::values::Term;
use base::table::Id;
use program::typed::{self, Expr, ExprKind, LocalId, Op, Place, SharedKind, Stmt, StmtKind};

impl<'p> Compiler<'p> {
    pub(crate) fn block(&mut self, block: &'p [Stmt]) {
        for stmt in block {
            let outer = (self.span, self.is_unordered);
            (self.span, self.is_unordered) = (stmt.span, stmt.is_unordered);
            let start = self.code.points.len();
            let label = stmt.label.as_ref().map(|label| format!("{}{label}", self.frame.prefix));
            self.stmt(stmt, label.as_ref().map_or(self.frame.prefix.clone(), |label| format!("{label}_")));
            if let Some(label) = label {
                if self.code.points.len() == start {
                    self.add(Instr::Nop);
                }
                self.code.points[start].labels.push(label);
            }
            (self.span, self.is_unordered) = outer;
        }
    }

    /// A statement. The labels of a procedure that it calls have the prefix.
    fn stmt(&mut self, stmt: &'p Stmt, prefix: String) {
        match &stmt.kind {
            StmtKind::Set(local, value) => {
                if let Some(to) = self.target(*local) {
                    self.region_around(value, |c| c.into(value, to));
                    if value.may_be_constant(&self.program.types)
                        && let term @ Term::Const(_) = self.expr(value)
                    {
                        self.is_alias(*local, value, &term);
                    }
                }
            }
            StmtKind::Store(place, value) => self.store(place, value),
            StmtKind::Eval(expr) => match &expr.kind {
                ExprKind::Call(proc, arguments) => self.call(*proc, arguments, None, prefix),
                ExprKind::Access(access) => self.operation(access, None),
                _ => {}
            },
            StmtKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            StmtKind::While(condition, body) => {
                let head = self.code.points.len();
                let leave = match self.region_around(condition, |c| c.expr(condition)) {
                    Term::Const(0) => return,
                    Term::Const(_) => None,
                    term => Some(self.emit(Instr::Branch(term, 0))),
                };
                self.repeat(body, head, leave);
            }
            StmtKind::Loop(body) => self.repeat(body, self.code.points.len(), None),
            StmtKind::Each(local, body) => self.each(*local, body),
            StmtKind::Choose(blocks) => self.choose(blocks),
            StmtKind::Region(kind, body) => {
                let mut before = self.code.accesses.iter_mut().rev();
                if let (typed::Region::Then, false) = (kind, self.is_in_region)
                    && let Some(access) = before.find(|access| access.is_memory)
                {
                    access.then = true;
                }
                self.region(*kind, |c| c.block(body));
            }
            StmtKind::Transaction(transaction) => self.transaction(transaction),
            StmtKind::Abort(code) => self.add(Instr::Abort((*code).into())),
            StmtKind::Fence(fence) => fence.iter().for_each(|fence| self.add(Instr::Fence(*fence))),
            StmtKind::Assert(id, condition) => self.checked(condition, |term| Instr::Check(Check::Assert(*id), term)),
            StmtKind::Assume(condition) => self.checked(condition, Instr::Assume),
            StmtKind::Discard(condition) => self.checked(condition, Instr::Discard),
            StmtKind::Cover(id, None) => self.add(Instr::Check(Check::Cover(*id), Term::Const(1))),
            StmtKind::Cover(id, Some(it)) => self.checked(it, |term| Instr::Check(Check::Cover(*id), term)),
            StmtKind::Safepoint => self.add(Instr::Safepoint),
            StmtKind::Perform => self.add(Instr::Perform),
            StmtKind::Lock => self.region(typed::Region::Atomic, |c| c.add(Instr::Lock)),
            StmtKind::Unlock => self.region(typed::Region::Atomic, |c| c.add(Instr::Unlock)),
            StmtKind::Return(value) => {
                if let (Some(value), Some(to)) = (value, self.frame.result) {
                    self.region_around(value, |c| c.into(value, to));
                }
                let jump = self.emit(Instr::Goto(0));
                self.frame.returns.push(jump);
            }
            StmtKind::Break | StmtKind::Continue => {
                let jump = self.emit(Instr::Goto(0));
                if let Some((breaks, continues)) = self.frame.loops.last_mut() {
                    if matches!(stmt.kind, StmtKind::Break) { breaks } else { continues }.push(jump);
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
    fn checked(&mut self, condition: &'p Expr, instr: impl FnOnce(Term) -> Instr) {
        self.region_around(condition, |c| {
            let term = c.expr(condition);
            c.add(instr(term));
        });
    }

    /// A plain store, or a region that writes abstract state; what takes steps is done before that.
    fn store(&mut self, place: &'p Place, value: &'p Expr) {
        let parts: Vec<&Expr> = place.operands().into_iter().chain([value]).collect();
        let op = Op::Store(value.clone());
        if place.kind == SharedKind::Cell || self.is_in_region {
            let terms = self.operands(&parts);
            return self.access(op, place, terms, RELAXED, None);
        }
        let early: Vec<Option<Term>> =
            parts.iter().map(|part| part.takes_steps().then(|| self.region_around(part, |c| c.expr(part)))).collect();
        self.region(typed::Region::Atomic, |c| {
            let terms =
                early.into_iter().zip(parts).map(|(early, part)| early.unwrap_or_else(|| c.expr(part))).collect();
            c.access(op, place, terms, RELAXED, None);
        });
    }

    fn branch(&mut self, condition: &'p Expr, then: &'p [Stmt], otherwise: &'p [Stmt]) {
        let term = self.region_around(condition, |c| c.expr(condition));
        self.either(term, |c| c.block(then), |c| c.block(otherwise));
    }

    /// One turn of a loop. What leaves it goes to the jumps that are returned.
    fn turn(&mut self, body: &'p [Stmt]) -> Vec<usize> {
        self.frame.loops.push(Default::default());
        self.block(body);
        let (breaks, continues) = self.frame.loops.pop().unwrap_or_default();
        self.land(&continues);
        breaks
    }

    fn repeat(&mut self, body: &'p [Stmt], head: usize, leave: Option<usize>) {
        let mut leaves = self.turn(body);
        self.emit(Instr::Goto(head));
        leaves.extend(leave);
        self.land(&leaves);
    }

    fn each(&mut self, local: LocalId, body: &'p [Stmt]) {
        let mut leaves = Vec::new();
        for value in self.range(self.frame.body.locals[local].ty).values() {
            self.frame.locals[local.index()] = Term::Const(value.into());
            leaves.extend(self.turn(body));
        }
        self.land(&leaves);
    }

    fn choose(&mut self, blocks: &'p [Vec<Stmt>]) {
        let choice = self.emit(Instr::Nop);
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for block in blocks {
            starts.push(self.code.points.len());
            self.block(block);
            ends.push(self.emit(Instr::Goto(0)));
        }
        self.land(&ends);
        self.code.points[choice].instr = Instr::Choose(starts);
    }

    fn transaction(&mut self, transaction: &'p typed::Transaction) {
        let begin = self.emit(Instr::Nop);
        self.block(&transaction.body);
        self.emit(Instr::Commit);
        let done = self.emit(Instr::Goto(0));
        let reports = [transaction.cause, transaction.code].map(|local| Some(self.target(local?)?.0));
        self.code.points[begin].instr = Instr::Begin(transaction.capacity, self.code.points.len(), reports);
        self.block(&transaction.handler);
        self.land(&[done]);
    }
}
