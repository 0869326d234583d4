//! Transactions: their statements, and what may stand inside.
//!
//! - A transaction takes back all that it has done if it aborts, so inside it there is memory only: no abstract state, no
//!   ghost, no region, no other transaction. No machine has load-linked or a safepoint inside one.
//! - It ends by its last statement or by `abort`: no `return`, `break` or `continue` leaves it, and no thread ends in it.
//! - `abort` stands inside a transaction.
//!
//! A procedure is judged where it is called, by a summary of what it and its callees do.

use super::Checker;
use super::recursion::{callees_first, calls_of};
use super::scope::Scope;
use crate::typed::{Expr, ExprKind, LocalKind, Op, ProcId, SharedKind, Stmt, StmtKind, Transaction};
use crate::types::{Range, Type, Value};
use crate::walk::live_stmts;
use crate::{causes, codes};
use base::diagnostic::Note;
use base::{Code, Span, Table};
use syntax::tree;

/// The codes of explicit aborts: a byte, as in Intel's `XABORT`.
const CODES: Range = Range { low: 0, high: 255 };

impl<'a> Checker<'a> {
    pub(super) fn transaction(&mut self, scope: &mut Scope, transaction: &'a tree::Transaction) -> StmtKind {
        let capacity = transaction.capacity.as_ref().and_then(|capacity| self.capacity(capacity));
        let body = self.block(scope, &transaction.body);
        scope.open_block();
        let cause = transaction.cause.as_ref().map(|name| {
            let ty = self.type_by_name(causes::NAME, name.span);
            self.declare_local(scope, name, ty, LocalKind::Register)
        });
        let code = transaction.code.as_ref();
        let code = code.map(|name| self.declare_local(scope, name, Type::Int(CODES), LocalKind::Register));
        let handler = self.block(scope, &transaction.handler);
        scope.close_block();
        StmtKind::Transaction(Box::new(Transaction { capacity, body, cause, code, handler }))
    }

    fn capacity(&mut self, expr: &'a tree::Expr) -> Option<u32> {
        let cells = self.constant_number(expr)?;
        if cells < 1 {
            self.error(codes::OUT_OF_RANGE, expr.span, "a transaction that may touch no cell can do nothing");
            return None;
        }
        Some(cells as u32)
    }

    pub(super) fn abort(&mut self, code: Option<&'a tree::Expr>) -> StmtKind {
        let Some(expr) = code else { return StmtKind::Abort(0) };
        let code: Value = self.constant_number(expr).unwrap_or(0);
        if !CODES.contains(code) {
            let message = format!("the code of an abort is in {}..{}, not {code}", CODES.low, CODES.high);
            self.error(codes::OUT_OF_RANGE, expr.span, message);
        }
        StmtKind::Abort(code)
    }

    /// Checks what stands inside transactions, in all bodies.
    pub(super) fn check_transactions(&mut self) {
        let mut walk = Walk { summaries: self.transaction_summaries(), complaints: Vec::new() };
        for proc in self.procs.values() {
            walk.block(&proc.body.block, Around::Procedure);
        }
        for thread in self.threads.values() {
            walk.block(&thread.body.block, Around::Thread);
        }
        for complaint in walk.complaints {
            let diagnostic = self.error(complaint.code, complaint.span, complaint.message);
            diagnostic.hint = Some(complaint.hint.to_string());
            diagnostic.notes.extend(complaint.place.map(|span| Note { span, message: "it does so here".into() }));
        }
    }

    fn transaction_summaries(&self) -> Table<ProcId, Summary> {
        let mut summaries: Table<ProcId, Summary> = self.procs.values().map(|_| Summary::default()).collect();
        for id in callees_first(&self.procs) {
            let block = &self.procs[id].body.block;
            let own = live_stmts(block).into_iter().map(Summary::of_stmt).fold(Summary::default(), Summary::or);
            let all = calls_of(block).into_iter().map(|(callee, _)| summaries[callee]).fold(own, Summary::or);
            summaries[id] = Summary { aborts: own_abort(block, &summaries), ..all };
        }
        summaries
    }
}

/// What a procedure does that matters to transactions, each with a place where it does it.
#[derive(Clone, Copy, Default)]
struct Summary {
    /// Something that must not stand inside a transaction.
    forbidden: Option<(Span, &'static str)>,
    /// `abort`, outside its own transactions.
    aborts: Option<Span>,
}

impl Summary {
    fn or(self, other: Summary) -> Summary {
        Summary { forbidden: self.forbidden.or(other.forbidden), aborts: self.aborts.or(other.aborts) }
    }

    fn of_stmt(stmt: &Stmt) -> Summary {
        Summary { forbidden: forbidden(stmt), aborts: None }
    }
}

/// The first `abort` of a block that belongs to a transaction around the block.
fn own_abort(block: &[Stmt], summaries: &Table<ProcId, Summary>) -> Option<Span> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Abort(_) => Some(stmt.span),
        StmtKind::Transaction(transaction) => own_abort(&transaction.handler, summaries),
        _ => {
            let called = stmt.calls().into_iter().find_map(|(callee, _)| summaries[callee].aborts);
            called.or_else(|| stmt.live_blocks().into_iter().find_map(|block| own_abort(block, summaries)))
        }
    })
}

/// What of a statement itself must not stand inside a transaction.
fn forbidden(stmt: &Stmt) -> Option<(Span, &'static str)> {
    const ABSTRACT: &str = "abstract state is touched";
    match &stmt.kind {
        StmtKind::Store(place, _) if place.kind != SharedKind::Cell => return Some((place.span, ABSTRACT)),
        StmtKind::Region(..) => return Some((stmt.span, "a region that is one step stands")),
        StmtKind::Transaction(_) => return Some((stmt.span, "another transaction begins")),
        StmtKind::Safepoint => return Some((stmt.span, "a safepoint stands")),
        StmtKind::Lock | StmtKind::Unlock => return Some((stmt.span, "the bus is taken or freed")),
        StmtKind::Stop => return Some((stmt.span, "the thread ends")),
        _ => {}
    }
    let mut rest: Vec<&Expr> = stmt.exprs();
    while let Some(expr) = rest.pop() {
        match &expr.kind {
            ExprKind::Load(place) if place.kind != SharedKind::Cell => return Some((place.span, ABSTRACT)),
            ExprKind::Access(access) if matches!(access.op, Op::LoadLinked | Op::StoreConditional(_)) => {
                return Some((expr.span, "load-linked or store-conditional stands"));
            }
            _ => rest.extend(expr.operands()),
        }
    }
    None
}

/// What is around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// A thread: no transaction.
    Thread,
    /// A procedure, which may be called inside a transaction.
    Procedure,
    /// A transaction; whether a loop inside it is around too.
    Transaction { has_loop: bool },
}

struct Complaint {
    code: Code,
    span: Span,
    message: String,
    hint: &'static str,
    place: Option<Span>,
}

/// Walks bodies and collects complaints.
struct Walk {
    summaries: Table<ProcId, Summary>,
    complaints: Vec<Complaint>,
}

impl Walk {
    fn block(&mut self, block: &[Stmt], around: Around) {
        for stmt in block {
            self.stmt(stmt, around);
            match &stmt.kind {
                StmtKind::Transaction(transaction) => {
                    self.block(&transaction.body, Around::Transaction { has_loop: false });
                    self.block(&transaction.handler, around);
                }
                StmtKind::Loop(_) | StmtKind::While(..) | StmtKind::Each(..) => {
                    let inner = match around {
                        Around::Transaction { .. } => Around::Transaction { has_loop: true },
                        around => around,
                    };
                    stmt.live_blocks().into_iter().for_each(|block| self.block(block, inner));
                }
                _ => stmt.live_blocks().into_iter().for_each(|block| self.block(block, around)),
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, around: Around) {
        match (&stmt.kind, around) {
            (StmtKind::Abort(_), Around::Thread) => self.aborts(stmt.span, None),
            (StmtKind::Return(_), Around::Transaction { .. })
            | (StmtKind::Break | StmtKind::Continue, Around::Transaction { has_loop: false }) => {
                let message = "this leaves the transaction, which would neither commit nor abort".to_string();
                let hint = "set a register and leave after the transaction, or write `abort`";
                self.complain(codes::LEAVES_TRANSACTION, stmt.span, message, hint, None);
            }
            _ => {}
        }
        if let (Around::Transaction { .. }, Some((span, what))) = (around, forbidden(stmt)) {
            self.forbidden(span, what, None);
        }
        for (proc, span) in stmt.calls() {
            let summary = self.summaries[proc];
            match (around, summary.forbidden, summary.aborts) {
                (Around::Transaction { .. }, Some((place, what)), _) => self.forbidden(span, what, Some(place)),
                (Around::Thread, _, Some(place)) => self.aborts(span, Some(place)),
                _ => {}
            }
        }
    }

    fn complain(&mut self, code: Code, span: Span, message: String, hint: &'static str, place: Option<Span>) {
        self.complaints.push(Complaint { code, span, message, hint, place });
    }

    fn forbidden(&mut self, span: Span, what: &str, place: Option<Span>) {
        let message = format!("{what} inside a transaction, which takes back what it has done if it aborts");
        let hint = "only memory and registers are taken back: use a `cell` or a register, or do it before or after";
        self.complain(codes::IN_TRANSACTION, span, message, hint, place);
    }

    fn aborts(&mut self, span: Span, place: Option<Span>) {
        let message = "there is no transaction around this that could abort".to_string();
        self.complain(
            codes::MISPLACED_ABORT,
            span,
            message,
            "write `transaction { .. } abort { .. }` around it",
            place,
        );
    }
}
