//! Properties: invariants, forbidden outcomes, covers, and the registers and labels they name.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::{Decl, PropertyItem, duplicate};
use crate::typed::{
    Cover, CoverId, Expr, ExprKind, LabelPattern, LocalId, ProcId, Property, PropertyId, PropertyKind, Stmt, StmtKind,
    ThreadId, ThreadRef,
};
use crate::types::{Range, Type, Value};
use base::{Diagnostic, Span, Table};
use syntax::tree::{self, Name};

/// Properties that every system has; their names are taken.
pub(super) const BUILT_IN: [&str; 3] = ["deadlock", "valid_reference", "in_range"];

impl<'a> Checker<'a> {
    /// Declares the names of all stated properties, before any assertion may use one.
    pub(super) fn check_properties_named(&mut self) {
        for (item, name, _) in self.names.properties.clone() {
            self.check_property_name(name);
            let locals = Table::new();
            let (text, span) = (name.text.clone(), name.span);
            match item {
                PropertyItem::Cover => {
                    self.covers.push(Cover { name: text, span, condition: Some(wrong(span)), locals });
                }
                PropertyItem::Invariant => {
                    let kind = PropertyKind::Invariant(wrong(span));
                    self.properties.push(Property { name: text, span, kind, locals });
                }
                PropertyItem::Forbid => {
                    let kind = PropertyKind::Forbid(wrong(span));
                    self.properties.push(Property { name: text, span, kind, locals });
                }
            }
        }
    }

    fn check_property_name(&mut self, name: &Name) {
        let stated = self.properties.values().map(|p| (&p.name, p.span));
        let covers = self.covers.values().map(|c| (&c.name, c.span));
        if let Some((_, first)) = stated.chain(covers).find(|(n, _)| **n == name.text) {
            self.out.push(duplicate(name, first, "a property"));
        } else if BUILT_IN.contains(&name.text.as_str()) {
            self.built_in(name);
        }
    }

    fn built_in(&mut self, name: &Name) {
        let message = format!("`{}` is a property that every program has", name.text);
        self.error(codes::DUPLICATE, name.span, message).hint = Some("choose another name".into());
    }

    /// The property that an `assert` names, or one made up from its line.
    pub(super) fn asserted(&mut self, name: Option<&Name>, span: Span) -> PropertyId {
        let text = name.map_or_else(|| self.line_name(span), |n| n.text.clone());
        if let Some((id, property)) = self.properties.iter().find(|(_, p)| p.name == text) {
            let first = property.span;
            if let (Some(name), false) = (name, matches!(property.kind, PropertyKind::Assert)) {
                self.out.push(duplicate(name, first, "an invariant or a forbidden outcome"));
            }
            return id;
        }
        if let Some(name) = name.filter(|n| BUILT_IN.contains(&n.text.as_str())) {
            self.built_in(name);
        }
        let span = name.map_or(span, |n| n.span);
        self.properties.push(Property { name: text, span, kind: PropertyKind::Assert, locals: Table::new() })
    }

    /// `assert_line_7`, with the file's name unless it is the one asked for.
    fn line_name(&self, span: Span) -> String {
        let Some((source, place)) = self.loaded.sources.place(span) else { return "assert".into() };
        let line = place.line;
        if span.file == self.loaded.root {
            return format!("assert_line_{line}");
        }
        let stem = std::path::Path::new(&source.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        format!("assert_line_{line}_of_{}", stem.unwrap_or_default())
    }

    /// The cover property that a `cover` statement names.
    pub(super) fn covered(&mut self, name: &Name) -> CoverId {
        if let Some((id, cover)) = self.covers.iter().find(|(_, c)| c.name == name.text) {
            if cover.condition.is_some() {
                let first = cover.span;
                self.out.push(duplicate(name, first, "a cover property with a condition on states"));
            }
            return id;
        }
        self.covers.push(Cover { name: name.text.clone(), span: name.span, condition: None, locals: Table::new() })
    }

    /// Checks the conditions of all stated properties.
    pub(super) fn check_properties(&mut self) {
        let (mut properties, mut covers) = (0.., 0..);
        for (item, _, condition) in self.names.properties.clone() {
            let mut scope = Scope::new(Place::Property, None);
            let expr = self.expr(&mut scope, condition);
            self.wants(Type::Bool, &expr);
            if item == PropertyItem::Cover {
                let cover = &mut self.covers[CoverId(covers.next().unwrap_or_default())];
                (cover.condition, cover.locals) = (Some(expr), scope.locals);
            } else {
                let property = &mut self.properties[PropertyId(properties.next().unwrap_or_default())];
                let is_forbid = item == PropertyItem::Forbid;
                property.kind = if is_forbid { PropertyKind::Forbid(expr) } else { PropertyKind::Invariant(expr) };
                property.locals = scope.locals;
            }
        }
    }

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
        let Some(local) = declared.iter().find(|l| self.threads[id].body.locals[**l].name == register.text).copied()
        else {
            let known: Vec<String> = declared.iter().map(|l| self.threads[id].body.locals[*l].name.clone()).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
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
    fn thread_ref(
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
                self.expr_for(scope, index, ty)
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

    /// `at(thread, label)` in a property.
    pub(super) fn at(
        &mut self,
        scope: &mut Scope,
        thread: &'a tree::Expr,
        label: &'a Name,
        is_prefix: bool,
        span: Span,
    ) -> Expr {
        if scope.place != Place::Property {
            self.error(codes::MISPLACED_THREAD, span, "only a property may ask where a thread is");
            return wrong(span);
        }
        let Some((id, name, index)) = self.thread_named(thread) else {
            let known = self.names.all(|d| matches!(d, Decl::Thread(_)));
            let text = self.loaded.sources.text(thread.span).to_string();
            self.unknown(codes::UNKNOWN_NAME, &Name { text, span: thread.span }, "thread", &known);
            return wrong(span);
        };
        let thread = self.thread_ref(scope, id, name, index);
        let pattern = LabelPattern { text: label.text.clone(), is_prefix };
        let labels = self.labels_of(id);
        if !labels.iter().any(|l| pattern.matches(l)) {
            let known: Vec<&str> = labels.iter().map(String::as_str).collect();
            self.unknown_of(codes::UNKNOWN_LABEL, label, &format!("thread `{}` has", name.text), "label", &known);
            return wrong(span);
        }
        match thread {
            Some(thread) => Expr { kind: ExprKind::At(thread, pattern), ty: Type::Bool, span },
            None => wrong(span),
        }
    }

    /// All labels of a thread and of the procedures it calls.
    fn labels_of(&self, id: ThreadId) -> Vec<String> {
        let mut labels = Vec::new();
        let mut called: Vec<ProcId> = Vec::new();
        let mut visit = |block: &[Stmt], called: &mut Vec<ProcId>| {
            for stmt in crate::typed::all_stmts(block) {
                labels.extend(stmt.label.clone().filter(|l| !labels.contains(l)));
                for (proc, _) in stmt.calls() {
                    if !called.contains(&proc) {
                        called.push(proc);
                    }
                }
            }
        };
        visit(&self.threads[id].body.block, &mut called);
        let mut next = 0;
        while let Some(proc) = called.get(next).copied() {
            visit(&self.procs[proc].body.block, &mut called);
            next += 1;
        }
        labels
    }

    /// Warns of registers that nothing reads.
    pub(super) fn report_unused(&mut self) {
        for (span, name) in std::mem::take(&mut self.unread) {
            self.out.push(
                Diagnostic::warning(codes::UNUSED_REGISTER, span, format!("the register `{name}` is never read"))
                    .hint(format!("write the operation alone, or call it `_{name}` to keep it")),
            );
        }
    }
}

/// Whether an expression is made of constants and bound names only.
fn is_fixed(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load(_) | ExprKind::Register(..) | ExprKind::At(..) | ExprKind::Access(_) | ExprKind::Call(..) => {
            false
        }
        _ => expr.operands().into_iter().all(is_fixed),
    }
}
