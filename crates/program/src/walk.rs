//! Walking through a typed program: operands, blocks, calls, and what an expression touches.

use crate::typed::{Expr, ExprKind, Op, Place, PlaceRoot, ProcId, Program, SharedKind, Stmt, StmtKind, Thread};
use crate::types::Value;
use base::Span;

impl Op {
    /// The operands, from left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Op::Load | Op::LoadLinked => Vec::new(),
            Op::Cas(a, b) | Op::CasOld(a, b) => vec![a, b],
            Op::Store(v)
            | Op::Swap(v)
            | Op::FetchAdd(v)
            | Op::FetchAnd(v)
            | Op::FetchOr(v)
            | Op::StoreConditional(v)
            | Op::Report(_, v) => vec![v],
        }
    }
}

impl Place {
    /// The expressions that say where it is, from left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        let object = match &self.root {
            PlaceRoot::Shared(_) => None,
            PlaceRoot::Field(object, ..) => Some(object),
        };
        object.into_iter().chain(&self.index).collect()
    }
}

impl ExprKind {
    /// Whether only a property may ask this: of a thread, of pending stores, of paths.
    pub fn is_of_properties(&self) -> bool {
        matches!(
            self,
            ExprKind::Register(..)
                | ExprKind::At(..)
                | ExprKind::Ended(_)
                | ExprKind::Performed(_)
                | ExprKind::LockedBy(_)
                | ExprKind::Reaches(..)
                | ExprKind::Pending(..)
                | ExprKind::Oldest(..)
                | ExprKind::Quiescent
                | ExprKind::Old(_)
        )
    }
}

impl Expr {
    /// The operands, from left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::SelfIndex | ExprKind::Choose | ExprKind::Quiescent => {
                Vec::new()
            }
            ExprKind::Load(place) => place.operands(),
            ExprKind::Unary(_, a)
            | ExprKind::Part(a, ..)
            | ExprKind::Quantified(_, _, a)
            | ExprKind::ChooseIn(a)
            | ExprKind::Pop(a)
            | ExprKind::Top(a)
            | ExprKind::Size(a)
            | ExprKind::Old(a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Reaches(_, a, b) | ExprKind::Push(a, b) => vec![a, b],
            ExprKind::If(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprKind::Build(_, parts) | ExprKind::Call(_, parts) => parts.iter().collect(),
            ExprKind::Access(access) => {
                let mut all = access.place.operands();
                all.extend(access.op.operands());
                all
            }
            ExprKind::Pending(thread, place, value, _) => {
                let index = thread.index.as_deref().into_iter();
                index.chain(place.operands()).chain(value.as_deref()).collect()
            }
            ExprKind::Oldest(thread, place) => thread.index.as_deref().into_iter().chain(place.operands()).collect(),
            ExprKind::Register(thread, _)
            | ExprKind::At(thread, _)
            | ExprKind::Ended(thread)
            | ExprKind::Performed(thread)
            | ExprKind::LockedBy(thread) => thread.index.as_deref().into_iter().collect(),
        }
    }

    /// The value, if it is constant.
    pub fn constant(&self) -> Option<Value> {
        match self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it reads or acts on memory, or calls a procedure: takes steps of its own.
    pub fn takes_steps(&self) -> bool {
        match &self.kind {
            ExprKind::Load(place) if place.kind == SharedKind::Cell => true,
            ExprKind::Access(_) | ExprKind::Call(..) => true,
            _ => self.operands().into_iter().any(Expr::takes_steps),
        }
    }

    /// Whether evaluating it is only to compute from registers and constants: no access, call, choice or branch is in it.
    pub fn only_computes(&self) -> bool {
        let is_more = matches!(
            self.kind,
            ExprKind::Load(_)
                | ExprKind::Access(_)
                | ExprKind::Call(..)
                | ExprKind::If(..)
                | ExprKind::Choose
                | ExprKind::ChooseIn(_)
        );
        !is_more && self.operands().into_iter().all(Expr::only_computes)
    }

    /// Whether a conditional expression is in it, which the thread waits for as for a branch.
    pub fn branches(&self) -> bool {
        matches!(self.kind, ExprKind::If(..)) || self.operands().into_iter().any(Expr::branches)
    }

    /// Whether it reads abstract state itself, not in the arguments of a call.
    pub fn reads_abstract(&self) -> bool {
        match &self.kind {
            ExprKind::Load(place) if place.kind != SharedKind::Cell => true,
            ExprKind::Call(..) => false,
            _ => self.operands().into_iter().any(Expr::reads_abstract),
        }
    }
}

impl Program {
    /// The statements of all threads and of the procedures that they call, without what constant conditions leave out.
    pub fn live_stmts(&self) -> Vec<&Stmt> {
        let mut blocks: Vec<&[Stmt]> = self.threads.values().map(|thread| thread.body.block.as_slice()).collect();
        let (mut called, mut found): (Vec<ProcId>, Vec<&Stmt>) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(block) = blocks.get(at) {
            at += 1;
            for stmt in live_stmts(block) {
                found.push(stmt);
                for (proc, _) in stmt.calls() {
                    if !called.contains(&proc) {
                        called.push(proc);
                        blocks.push(&self.procs[proc].body.block);
                    }
                }
            }
        }
        found
    }
}

impl Thread {
    /// The name of one copy, for people: `collector`, `mutator[1]`.
    pub fn copy_name(&self, copy: u32) -> String {
        match self.count {
            Some(n) if n > 1 => format!("{}[{copy}]", self.name),
            _ => self.name.clone(),
        }
    }
}

impl Stmt {
    /// The parts of this statement itself. No arm is `_`: the compiler asks where a new statement keeps its parts.
    fn parts(&self) -> (Vec<&Expr>, Vec<&[Stmt]>) {
        match &self.kind {
            StmtKind::Set(_, value)
            | StmtKind::Eval(value)
            | StmtKind::Assert(_, value)
            | StmtKind::Assume(value)
            | StmtKind::Discard(value) => (vec![value], Vec::new()),
            StmtKind::Store(place, value) => (place.operands().into_iter().chain([value]).collect(), Vec::new()),
            StmtKind::Cover(_, value) | StmtKind::Return(value) => (value.iter().collect(), Vec::new()),
            StmtKind::If(condition, then, otherwise) => (vec![condition], vec![then, otherwise]),
            StmtKind::While(condition, body) => (vec![condition], vec![body]),
            StmtKind::Loop(body) | StmtKind::Each(_, body) | StmtKind::Region(_, body) => (Vec::new(), vec![body]),
            StmtKind::Choose(blocks) => (Vec::new(), blocks.iter().map(Vec::as_slice).collect()),
            StmtKind::Transaction(transaction) => (Vec::new(), vec![&transaction.body, &transaction.handler]),
            StmtKind::Abort(_)
            | StmtKind::Fence(_)
            | StmtKind::Safepoint
            | StmtKind::Perform
            | StmtKind::Lock
            | StmtKind::Unlock
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Stop
            | StmtKind::Skip => Default::default(),
        }
    }

    /// The expressions of this statement itself, from left to right.
    pub fn exprs(&self) -> Vec<&Expr> {
        self.parts().0
    }

    /// The blocks inside this statement.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        self.parts().1
    }

    /// The blocks inside this statement that a constant condition does not leave out.
    pub fn live_blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::If(condition, then, otherwise) => match condition.constant() {
                None => vec![then, otherwise],
                Some(0) => vec![otherwise],
                Some(_) => vec![then],
            },
            StmtKind::While(condition, _) if condition.constant() == Some(0) => Vec::new(),
            _ => self.blocks(),
        }
    }

    /// The procedures that its own expressions call, with the calls' places.
    pub fn calls(&self) -> Vec<(ProcId, Span)> {
        let mut calls = Vec::new();
        let mut rest = self.exprs();
        while let Some(expr) = rest.pop() {
            if let ExprKind::Call(proc, _) = expr.kind {
                calls.push((proc, expr.span));
            }
            rest.extend(expr.operands());
        }
        calls.sort_by_key(|(_, span)| span.start);
        calls
    }
}

/// All statements of a block and of the blocks inside, in the order of the text.
pub fn all_stmts(block: &[Stmt]) -> Vec<&Stmt> {
    stmts_through(block, Stmt::blocks)
}

/// All statements that no constant condition leaves out, in the order of the text.
pub fn live_stmts(block: &[Stmt]) -> Vec<&Stmt> {
    stmts_through(block, Stmt::live_blocks)
}

/// The statements of a block and of the inner blocks that `inner` selects, in the order of the text.
fn stmts_through(block: &[Stmt], inner: fn(&Stmt) -> Vec<&[Stmt]>) -> Vec<&Stmt> {
    let mut all = Vec::new();
    for stmt in block {
        all.push(stmt);
        for block in inner(stmt) {
            all.extend(stmts_through(block, inner));
        }
    }
    all
}
