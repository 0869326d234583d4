//! Registers declared as items: every thread that uses one, in its body or in a procedure inlined there, has its own.
//!
//! A body that uses one has one local for it, in no block.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::typed::{Body, Expr, ExprKind, Local, LocalId, LocalKind, ProcId, Register, RegisterId, Stmt, ThreadId};
use crate::walk::all_stmts;
use base::diagnostic::Note;
use syntax::tree::Name;

impl Checker<'_> {
    /// Checks the declarations.
    pub(super) fn check_registers(&mut self) {
        for i in 0..self.names.registers.len() {
            let decl = self.names.registers[i];
            let ty = self.resolve_type(&decl.ty);
            let init = self.initial_value(&decl.init, ty);
            self.registers.push(Register { name: decl.name.text.clone(), span: decl.name.span, ty, init });
        }
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
        if !self.has_register(thread, id) {
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
}

/// The local that stands for the register.
fn local_of(locals: &base::Table<LocalId, Local>, id: RegisterId) -> Option<LocalId> {
    locals.iter().find(|(_, local)| local.kind == LocalKind::Item(id)).map(|(local, _)| local)
}
