//! Registers declared as items: every thread that uses one, in its body or in a procedure inlined there, has its own. One with
//! an index is for the copies of that thread, which all have it, and for no other.
//!
//! A body that uses one has one local for it, in no block.

use super::Checker;
use super::expressions::wrong;
use super::recursion::{callees_first, calls_of};
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::Decl;
use crate::typed::{
    Body, Expr, ExprKind, Local, LocalId, LocalKind, ProcId, Register, RegisterId, Stmt, StmtKind, ThreadId,
};
use crate::types::Type;
use crate::walk::{all_stmts, live_stmts};
use base::diagnostic::Note;
use base::{Span, Table};
use syntax::tree::{self, Name, TypeKind};

impl<'a> Checker<'a> {
    /// Checks the declarations.
    pub(super) fn check_registers(&mut self) {
        for i in 0..self.names.registers.len() {
            let decl = self.names.registers[i];
            let index = decl.index.as_ref().map(|index| self.copies(index));
            let ty = self.resolve_type(&decl.ty);
            let (thread, init) = match index {
                None => (None, self.initial_values(&decl.init, ty, None)),
                Some(Some((thread, index))) => (Some(thread), self.initial_values(&decl.init, ty, Some(index))),
                // How many values there should be is not known.
                Some(None) => (None, vec![0]),
            };
            self.registers.push(Register { name: decl.name.text.clone(), span: decl.name.span, thread, ty, init });
        }
    }

    /// The replicated thread that an index names, and the type of its indices; reports it if there is none.
    fn copies(&mut self, index: &'a tree::Type) -> Option<(ThreadId, Type)> {
        let ty = self.resolve_type(index);
        if ty == Type::Error {
            return None;
        }
        if let TypeKind::Named(name) = &index.kind
            && let Some(Decl::Thread(id)) = self.names.get(&name.text).map(|entry| entry.decl)
        {
            return Some((id, ty));
        }
        let message = "a register is indexed by the name of a replicated thread, and this is none";
        self.error(codes::REGISTER_INDEX, index.span, message).hint =
            Some("without index, every thread that uses it has its own, with the same first value".into());
        None
    }

    /// The thread's own register, as a value of a statement.
    pub(super) fn own_register(&mut self, scope: &mut Scope, id: RegisterId, name: &Name) -> Expr {
        match self.own_local(scope, id, name) {
            Some(local) => Expr { kind: ExprKind::Local(local), ty: scope.locals[local].ty, span: name.span },
            None => wrong(name.span),
        }
    }

    /// The local of the body being checked that stands for the thread's own register.
    pub(super) fn own_local(&mut self, scope: &mut Scope, id: RegisterId, name: &Name) -> Option<LocalId> {
        let message = match scope.place {
            Place::Thread | Place::Proc(_) => {
                let known = local_of(&scope.locals, id);
                return Some(known.unwrap_or_else(|| scope.declare_item(self.local_for(id))));
            }
            Place::Property => format!("`{}` is a register that threads have of their own: say whose", name.text),
            Place::Constant => format!("`{}` is a register, which changes: a constant is wanted here", name.text),
        };
        let code = if scope.place == Place::Property { codes::MISPLACED_THREAD } else { codes::NOT_CONSTANT };
        let declared = self.names.registers.get(base::table::Id::index(id)).map(|r| r.name.span);
        let diagnostic = self.error(code, name.span, message);
        if scope.place == Place::Property {
            diagnostic.hint = Some(format!("write `thread.{}`", name.text));
        }
        diagnostic.notes.extend(declared.map(|span| Note { span, message: "it is declared here".into() }));
        None
    }

    fn local_for(&self, id: RegisterId) -> Local {
        let Register { name, span, ty, .. } = self.registers[id].clone();
        Local { name, span, ty, kind: LocalKind::Item(id), is_assigned: true }
    }

    /// The local of a thread's body that stands for the register, if the thread has it.
    pub(super) fn item_of_thread(&mut self, thread: ThreadId, id: RegisterId) -> Option<LocalId> {
        if self.registers[id].thread != Some(thread) && !self.has_register(thread, id) {
            return None;
        }
        let local = self.local_for(id);
        let locals = &mut self.threads[thread].body.locals;
        Some(local_of(locals, id).unwrap_or_else(|| locals.push(local)))
    }

    /// Whether the thread, or a procedure that it calls, uses the register.
    fn has_register(&self, thread: ThreadId, id: RegisterId) -> bool {
        let uses = |body: &Body| local_of(&body.locals, id).is_some();
        let callees = |body: &Body| {
            let calls = all_stmts(&body.block).into_iter().flat_map(Stmt::calls);
            calls.map(|(proc, _)| proc).collect::<Vec<_>>()
        };
        let body = &self.threads[thread].body;
        let mut procs: Vec<ProcId> = callees(body);
        let mut next = 0;
        while let Some(proc) = procs.get(next).copied() {
            next += 1;
            let new: Vec<_> = callees(&self.procs[proc].body).into_iter().filter(|p| !procs.contains(p)).collect();
            procs.extend(new);
        }
        uses(body) || procs.into_iter().any(|proc| uses(&self.procs[proc].body))
    }

    /// Reports threads that use registers of another, in their bodies or in procedures that they call.
    pub(super) fn check_owners(&mut self) {
        let owned: Vec<(RegisterId, ThreadId)> =
            self.registers.iter().filter_map(|(id, register)| Some((id, register.thread?))).collect();
        for (register, owner) in owned {
            let by_proc = self.uses_by_proc(register);
            for thread in self.threads.ids().filter(|thread| *thread != owner).collect::<Vec<_>>() {
                let body = &self.threads[thread].body;
                let calls = calls_of(&body.block).into_iter();
                let called = calls.filter_map(|(proc, span)| Some((span, Some(by_proc[proc]?)))).collect::<Vec<_>>();
                for (span, place) in first_use(body, register).map(|span| (span, None)).into_iter().chain(called) {
                    self.foreign(register, (owner, thread), span, place);
                }
            }
        }
    }

    /// Where each procedure, or one that it calls, uses the register.
    fn uses_by_proc(&self, register: RegisterId) -> Table<ProcId, Option<Span>> {
        let mut uses: Table<ProcId, Option<Span>> = self.procs.values().map(|_| None).collect();
        for id in callees_first(&self.procs) {
            let body = &self.procs[id].body;
            let called = calls_of(&body.block).into_iter().find_map(|(callee, _)| uses[callee]);
            uses[id] = first_use(body, register).or(called);
        }
        uses
    }

    /// Reports that `thread` uses a register of `owner` at `span`, by calling what uses it at `place`.
    fn foreign(&mut self, id: RegisterId, (owner, thread): (ThreadId, ThreadId), span: Span, place: Option<Span>) {
        let (name, declared) = (self.registers[id].name.clone(), self.registers[id].span);
        let [owner, thread] = [owner, thread].map(|id| self.threads[id].name.clone());
        let message = format!("`{name}` is a register of the threads `{owner}`, and `{thread}` is none of them");
        let diagnostic = self.error(codes::FOREIGN_REGISTER, span, message);
        diagnostic.notes.extend(place.map(|span| Note { span, message: "it is used here".into() }));
        diagnostic.notes.push(Note { span: declared, message: "it is declared here".into() });
        let hint = "declare it without index, so that every thread that uses it has its own, or share it as `abstract`";
        diagnostic.hint = Some(hint.into());
    }
}

/// Where a body first reads or assigns the register.
fn first_use(body: &Body, register: RegisterId) -> Option<Span> {
    let local = local_of(&body.locals, register)?;
    live_stmts(&body.block).into_iter().find_map(|stmt| match stmt.kind {
        StmtKind::Set(set, _) if set == local => Some(stmt.span),
        _ => stmt.exprs().into_iter().find_map(|expr| reads(expr, local)),
    })
}

/// Where an expression reads the local.
fn reads(expr: &Expr, local: LocalId) -> Option<Span> {
    match expr.kind {
        ExprKind::Local(read) if read == local => Some(expr.span),
        _ => expr.operands().into_iter().find_map(|operand| reads(operand, local)),
    }
}

/// The local that stands for the register.
fn local_of(locals: &Table<LocalId, Local>, id: RegisterId) -> Option<LocalId> {
    locals.iter().find(|(_, local)| local.kind == LocalKind::Item(id)).map(|(local, _)| local)
}
