//! What may be touched where: memory, abstract state, ghosts, regions, fences, `self`.
//!
//! - Inside `atomic`, `then` and `when issued` no memory is touched, and nothing inside the last two waits; inside any region
//!   there is no fence or safepoint, and no stopped world.
//! - Outside regions, one expression reads memory or abstract state, not both.
//! - A ghost is read by assertions, covers and writes to ghosts only.
//! - What uses `self` is run by replicated threads only.
//!
//! A procedure is judged where it is called, by a summary of what it and its callees do.

use super::Checker;
use super::order;
use super::recursion::{callees_first, calls_of};
use crate::codes;
use crate::typed::{Expr, ExprKind, ProcId, Region, SharedKind, Stmt, StmtKind};
use crate::walk::live_stmts;
use base::diagnostic::Note;
use base::{Code, Span, Table};

/// What a procedure does, each with a place where it does it.
#[derive(Clone, Copy, Default)]
struct Summary {
    memory: Option<Span>,
    region: Option<Span>,
    order: Option<Span>,
    wait: Option<Span>,
    self_index: Option<Span>,
}

impl Summary {
    /// What both do; the first place counts.
    fn or(self, other: Summary) -> Summary {
        Summary {
            memory: self.memory.or(other.memory),
            region: self.region.or(other.region),
            order: self.order.or(other.order),
            wait: self.wait.or(other.wait),
            self_index: self.self_index.or(other.self_index),
        }
    }

    fn of_stmt(stmt: &Stmt) -> Summary {
        let here = Some(stmt.span);
        let own = match &stmt.kind {
            StmtKind::Store(place, _) if place.kind == SharedKind::Cell => {
                Summary { memory: here, ..Summary::default() }
            }
            StmtKind::Region(Region::StopTheWorld, _) | StmtKind::Transaction(_) => {
                Summary { region: here, ..Summary::default() }
            }
            kind if is_order(kind) => Summary { order: here, ..Summary::default() },
            StmtKind::Assume(_) | StmtKind::Discard(_) => Summary { wait: here, ..Summary::default() },
            _ => Summary::default(),
        };
        stmt.exprs().into_iter().map(Summary::of_expr).fold(own, Summary::or)
    }

    fn of_expr(expr: &Expr) -> Summary {
        let here = Some(expr.span);
        let own = match &expr.kind {
            ExprKind::Load(place) if place.kind == SharedKind::Cell => Summary { memory: here, ..Summary::default() },
            ExprKind::Access(_) => Summary { memory: here, ..Summary::default() },
            ExprKind::ChooseIn(_) => Summary { wait: here, ..Summary::default() },
            ExprKind::SelfIndex => Summary { self_index: here, ..Summary::default() },
            _ => Summary::default(),
        };
        expr.operands().into_iter().map(Summary::of_expr).fold(own, Summary::or)
    }
}

/// Whether a statement orders or waits for memory operations, or is a step that others are to see.
fn is_order(kind: &StmtKind) -> bool {
    use StmtKind::{Fence, Lock, Perform, Safepoint, Unlock};
    matches!(kind, Fence(Some(_)) | Safepoint | Perform | Lock | Unlock)
}

/// A complaint: code, place, message, hint, and a further place.
pub(super) type Complaint = (Code, Span, String, &'static str, Option<Span>);

/// Walks bodies and collects complaints.
struct Walk {
    /// Whether what is looked at is a specification, which is about ghosts.
    is_specification: bool,
    summaries: Table<ProcId, Summary>,
    complaints: Vec<Complaint>,
}

impl Checker<'_> {
    /// Checks all bodies.
    pub(super) fn check_regions(&mut self) {
        let mut walk = Walk { is_specification: false, summaries: self.summaries(), complaints: Vec::new() };
        for (id, proc) in self.procs.iter() {
            walk.is_specification = self.is_specification(id);
            walk.block(&proc.body.block, None);
        }
        walk.is_specification = false;
        for thread in self.threads.values() {
            walk.block(&thread.body.block, None);
        }
        for (code, span, message, hint, declared) in std::mem::take(&mut walk.complaints) {
            let diagnostic = self.error(code, span, message);
            diagnostic.hint = Some(hint.to_string());
            diagnostic.notes.extend(declared.map(|span| Note { span, message: "it does so here".into() }));
        }
        self.check_self(&walk.summaries);
    }

    fn summaries(&self) -> Table<ProcId, Summary> {
        let mut summaries: Table<ProcId, Summary> = self.procs.values().map(|_| Summary::default()).collect();
        for id in callees_first(&self.procs) {
            let block = &self.procs[id].body.block;
            let own = live_stmts(block).into_iter().map(Summary::of_stmt).fold(Summary::default(), Summary::or);
            summaries[id] = calls_of(block).into_iter().map(|(callee, _)| summaries[callee]).fold(own, Summary::or);
        }
        summaries
    }

    /// Threads that are not replicated call nothing that uses `self`.
    fn check_self(&mut self, summaries: &Table<ProcId, Summary>) {
        let threads = self.threads.values().filter(|t| t.count.is_none());
        let wrong: Vec<(String, ProcId, Span)> = threads
            .flat_map(|t| calls_of(&t.body.block).into_iter().map(|(id, span)| (t.name.clone(), id, span)))
            .collect();
        for (thread, id, span) in wrong {
            if let Some(place) = summaries[id].self_index {
                let name = self.procs[id].name.clone();
                let message = format!("`{name}` uses `self`, but the thread `{thread}` is not replicated");
                let diagnostic = self.error(codes::MISPLACED_SELF, span, message);
                diagnostic.notes.push(Note { span: place, message: "it does so here".into() });
            }
        }
    }
}

impl Walk {
    fn complain(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: &'static str,
        place: Option<Span>,
    ) {
        self.complaints.push((code, span, message.into(), hint, place));
    }

    fn block(&mut self, block: &[Stmt], region: Option<Region>) {
        for (n, stmt) in block.iter().enumerate() {
            self.complaints.extend(order::complaint(n.checked_sub(1).map(|before| &block[before]), stmt));
            self.stmt(stmt, region);
            let inner = match stmt.kind {
                StmtKind::Region(inner, _) => region.or(Some(inner)),
                _ => region,
            };
            for block in stmt.live_blocks() {
                self.block(block, inner);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, region: Option<Region>) {
        match (&stmt.kind, region) {
            (StmtKind::Region(Region::StopTheWorld, _) | StmtKind::Transaction(_), Some(_)) => {
                self.nested(stmt.span, None)
            }
            (kind, Some(_)) if is_order(kind) => self.order(stmt.span, None),
            (StmtKind::Assume(_) | StmtKind::Discard(_), Some(region)) if is_part_of_operation(region) => {
                self.wait(stmt.span, None)
            }
            (StmtKind::Store(place, _), region) if place.kind == SharedKind::Cell && forbids_memory(region) => {
                self.memory(place.span, None);
            }
            _ => {}
        }
        let may_read_ghosts = match &stmt.kind {
            _ if self.is_specification => true,
            StmtKind::Assert(..) | StmtKind::Cover(..) => true,
            StmtKind::Store(place, _) => place.kind == SharedKind::Ghost,
            _ => false,
        };
        for expr in stmt.exprs() {
            self.whole(expr, region, may_read_ghosts);
        }
    }

    /// A whole expression: not both of memory and abstract state.
    fn whole(&mut self, expr: &Expr, region: Option<Region>, may_read_ghosts: bool) {
        if region.is_none() && !self.is_specification && expr.reads_abstract() && expr.takes_steps() {
            let message = "abstract state and memory are mixed in one expression, which would be no single step";
            self.complain(codes::MIXED, expr.span, message, "read the memory first: `let v = ..`", None);
        }
        self.part(expr, region, may_read_ghosts);
    }

    fn part(&mut self, expr: &Expr, region: Option<Region>, may_read_ghosts: bool) {
        match &expr.kind {
            ExprKind::Load(place) if place.kind == SharedKind::Ghost && !may_read_ghosts => {
                let message = "a ghost is read here, and what the program does must not depend on ghosts";
                let hint = "make it `abstract`, or read it in an assertion, a cover or an assignment to a ghost";
                self.complain(codes::GHOST_READ, place.span, message, hint, None);
            }
            ExprKind::Load(place) if place.kind == SharedKind::Cell && forbids_memory(region) => {
                self.memory(place.span, None);
            }
            ExprKind::ChooseIn(_) if region.is_some_and(is_part_of_operation) => self.wait(expr.span, None),
            ExprKind::Access(_) if forbids_memory(region) => self.memory(expr.span, None),
            ExprKind::Call(id, arguments) => {
                self.call(*id, expr.span, region);
                for argument in arguments {
                    self.whole(argument, region, may_read_ghosts);
                }
                return;
            }
            _ => {}
        }
        for operand in expr.operands() {
            self.part(operand, region, may_read_ghosts);
        }
    }

    fn call(&mut self, id: ProcId, span: Span, region: Option<Region>) {
        let summary = self.summaries[id];
        if summary.memory.is_some() && forbids_memory(region) {
            self.memory(span, summary.memory);
        }
        if summary.region.is_some() && region.is_some() {
            self.nested(span, summary.region);
        }
        if summary.order.is_some() && region.is_some() {
            self.order(span, summary.order);
        }
        if summary.wait.is_some() && region.is_some_and(is_part_of_operation) {
            self.wait(span, summary.wait);
        }
    }

    fn memory(&mut self, span: Span, place: Option<Span>) {
        let message = "memory is touched inside `atomic`, which is one step on abstract state";
        let hint = "read it before into a register, or use `cas`, `directly { .. }`, or `stop_the_world { .. }`";
        self.complain(codes::MEMORY_IN_ATOMIC, span, message, hint, place);
    }

    fn wait(&mut self, span: Span, place: Option<Span>) {
        let message = "this block goes with the operation before it, so nothing inside may wait";
        self.complain(codes::WAIT_IN_THEN, span, message, "put it into `atomic { .. }`, which is a step", place);
    }

    fn nested(&mut self, span: Span, place: Option<Span>) {
        let message = "the world is stopped, or a transaction begins, inside a region, which is one step";
        self.complain(
            codes::NESTED_REGION,
            span,
            message,
            "put it around the whole of the region, or before it",
            place,
        );
    }

    fn order(&mut self, span: Span, place: Option<Span>) {
        let message = "a fence, safepoint, `perform`, `lock` or `unlock` is inside a region, which is one step: there is nothing to order";
        self.complain(codes::ORDER_IN_REGION, span, message, "put it before or after the region", place);
    }
}

/// Whether the region is one step on abstract state only.
fn forbids_memory(region: Option<Region>) -> bool {
    matches!(region, Some(Region::Atomic | Region::Then | Region::Issued))
}

/// Whether the region is part of the step of the operation before it.
fn is_part_of_operation(region: Region) -> bool {
    matches!(region, Region::Then | Region::Issued)
}
