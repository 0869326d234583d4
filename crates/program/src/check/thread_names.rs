//! Threads as properties name them: their registers, and what they are doing.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::Decl;
use crate::typed::{Expr, ExprKind, LocalId, StmtKind, ThreadId, ThreadRef};
use crate::types::{Range, Type, Value};
use base::Span;
use syntax::tree::{self, Name};

impl<'a> Checker<'a> {
    /// The thread that `name` or `name[i]` is, if it is one.
    pub(super) fn thread_named(&self, expr: &'a tree::Expr) -> Option<(ThreadId, &'a Name, Option<&'a tree::Expr>)> {
        let (name, index) = match &expr.kind {
            tree::ExprKind::Name(name) => (name, None),
            tree::ExprKind::Index(inner, index) => match &inner.kind {
                tree::ExprKind::Name(name) => (name, Some(&**index)),
                _ => return None,
            },
            _ => return None,
        };
        match self.names.get(&name.text)?.decl {
            Decl::Thread(id) => Some((id, name, index)),
            _ => None,
        }
    }

    /// `thread.x` in a property.
    pub(super) fn register_of(
        &mut self,
        scope: &mut Scope,
        (id, name, index): (ThreadId, &'a Name, Option<&'a tree::Expr>),
        register: &'a Name,
        span: Span,
    ) -> Expr {
        if scope.place != Place::Property {
            let message = "only a property may look at a thread's register";
            self.error(codes::MISPLACED_THREAD, span, message).hint = Some("use a cell or a ghost".into());
            return wrong(span);
        }
        let thread = self.thread_ref(scope, id, name, index);
        let declared = self.registers_of(id);
        let mut found = declared.iter().find(|l| self.threads[id].body.locals[**l].name == register.text).copied();
        if let Some(Decl::Register(item)) = self.names.get(&register.text).map(|entry| entry.decl) {
            found = self.item_of_thread(id, item);
            if found.is_none() {
                let message = format!("the thread `{}` does not use the register `{}`", name.text, register.text);
                self.error(codes::UNKNOWN_NAME, register.span, message).hint =
                    Some("only threads that use it, or call procedures that do, have it".into());
                return wrong(span);
            }
        }
        let Some(local) = found else {
            let known: Vec<String> = declared.iter().map(|l| self.threads[id].body.locals[*l].name.clone()).collect();
            let owner = format!("the body of thread `{}` directly declares", name.text);
            self.unknown_of(codes::UNKNOWN_NAME, register, &owner, "register", &known);
            return wrong(span);
        };
        let thread_decl = &mut self.threads[id];
        if !thread_decl.observed.contains(&local) {
            thread_decl.observed.push(local);
        }
        let (ty, declared) = (thread_decl.body.locals[local].ty, thread_decl.body.locals[local].span);
        self.unread.retain(|(span, _)| *span != declared);
        match thread {
            Some(thread) => Expr { kind: ExprKind::Register(thread, local), ty, span },
            None => wrong(span),
        }
    }

    /// The registers declared directly in a thread's body.
    fn registers_of(&self, id: ThreadId) -> Vec<LocalId> {
        let mut registers = Vec::new();
        for stmt in &self.threads[id].body.block {
            if let StmtKind::Set(local, _) = stmt.kind
                && !registers.contains(&local)
            {
                registers.push(local);
            }
        }
        registers
    }

    /// One copy of a thread; the index is made of constants and bound names.
    pub(super) fn thread_ref(
        &mut self,
        scope: &mut Scope,
        id: ThreadId,
        name: &Name,
        index: Option<&'a tree::Expr>,
    ) -> Option<ThreadRef> {
        let count = self.threads[id].count;
        let index = match (count, index) {
            (None, None) => return Some(ThreadRef { thread: id, index: None }),
            (Some(n), Some(index)) => {
                let ty = Type::Int(Range::new(0, (n as Value - 1).max(0)));
                self.expr_of(scope, index, ty)
            }
            (Some(n), None) => {
                let message =
                    format!("`{}` is {n} thread{}: say which", name.text, if n == 1 { ", replicated" } else { "s" });
                self.error(codes::UNINDEXED, name.span, message).hint = Some(format!("write `{}[0]`", name.text));
                return None;
            }
            (None, Some(index)) => {
                let message = format!("`{}` is one thread, so it has no index", name.text);
                self.error(codes::NOT_AN_ARRAY, index.span, message);
                return None;
            }
        };
        if !is_fixed(&index) {
            let message = "which thread is meant must not depend on the state";
            let hint = format!("write `exists i in {}: i == .. and ..`", name.text);
            self.error(codes::NOT_CONSTANT, index.span, message).hint = Some(hint);
            return None;
        }
        Some(ThreadRef { thread: id, index: Some(Box::new(index)) })
    }

    /// `ended(thread)`, `performed(thread)` or `locked_by(thread)` in a property.
    pub(super) fn thread_is(
        &mut self,
        scope: &mut Scope,
        (word, kind): (&str, fn(ThreadRef) -> ExprKind),
        arguments: &'a [tree::Expr],
        span: Span,
    ) -> Expr {
        if scope.place != Place::Property {
            let what = match word {
                "ended" => "has ended",
                "performed" => "has operations pending",
                _ => "holds the bus",
            };
            self.error(codes::MISPLACED_THREAD, span, format!("only a property may ask whether a thread {what}"));
            return wrong(span);
        }
        let [thread] = arguments else {
            let message = format!("`{word}` takes 1 argument, and {} are given", arguments.len());
            self.error(codes::ARGUMENTS, span, message).hint = Some(format!("write `{word}(thread)`"));
            return wrong(span);
        };
        let Some((id, name, index)) = self.known_thread(thread) else { return wrong(span) };
        match self.thread_ref(scope, id, name, index) {
            Some(thread) => Expr { kind: kind(thread), ty: Type::Bool, span },
            None => wrong(span),
        }
    }

    /// The thread that is meant; reports it if there is none.
    pub(super) fn known_thread(
        &mut self,
        thread: &'a tree::Expr,
    ) -> Option<(ThreadId, &'a Name, Option<&'a tree::Expr>)> {
        let found = self.thread_named(thread);
        if found.is_none() {
            let known = self.names.all(|d| matches!(d, Decl::Thread(_)));
            let text = self.loaded.sources.text(thread.span).to_string();
            self.unknown(codes::UNKNOWN_NAME, &Name { text, span: thread.span }, "thread", &known);
        }
        found
    }
}

/// Whether an expression is made of constants and bound names only.
fn is_fixed(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load(_) | ExprKind::Access(_) | ExprKind::Call(..) => false,
        kind if kind.is_of_properties() => false,
        _ => expr.operands().into_iter().all(is_fixed),
    }
}
