//! Where threads are: `at(thread, ..)`, and the labels that a thread has.
//!
//! A procedure inlined at a call with a label has its labels prefixed with that of the call: `mo_null` in what
//! `@store_del mark_object(x)` calls is `store_del_mo_null`.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::typed::{Expr, ExprKind, LabelPattern, ProcId, Stmt, StmtKind, ThreadId};
use crate::types::Type;
use crate::walk::all_stmts;
use base::Span;
use rustc_hash::FxHashSet;
use syntax::tree;

/// Pairs of a procedure and a prefix that are visited for labels, and labels found: no fewer than a program has that
/// is not too large.
const MAX_INLINED: usize = 20_000;

/// Bytes of a prefix.
const MAX_PREFIX: usize = 1_000;

impl<'a> Checker<'a> {
    /// `at(thread, label, ..)` in a property.
    pub(super) fn at(
        &mut self,
        scope: &mut Scope,
        thread: &'a tree::Expr,
        patterns: &'a [tree::LabelPattern],
        span: Span,
    ) -> Expr {
        if scope.place != Place::Property {
            self.error(codes::MISPLACED_THREAD, span, "only a property may ask where a thread is");
            return wrong(span);
        }
        let Some((id, name, index)) = self.known_thread(thread) else { return wrong(span) };
        let thread = self.thread_ref(scope, id, name, index);
        let labels = self.labels_of(id);
        let mut typed = Vec::new();
        for pattern in patterns {
            let label = &pattern.name;
            typed.push(LabelPattern { text: label.text.clone(), part: pattern.part });
            if !labels.iter().any(|l| typed.last().is_some_and(|pattern| pattern.matches(l))) {
                let known: Vec<&str> = labels.iter().map(String::as_str).collect();
                self.unknown_of(codes::UNKNOWN_LABEL, label, &format!("thread `{}` has", name.text), "label", &known);
                return wrong(span);
            }
        }
        match thread {
            Some(thread) => Expr { kind: ExprKind::At(thread, typed), ty: Type::Bool, span },
            None => wrong(span),
        }
    }

    /// All labels of a thread and of the procedures inlined in it.
    pub(super) fn labels_of(&self, id: ThreadId) -> Vec<String> {
        let mut inlined = Inlined::default();
        inlined.block(&self.threads[id].body.block, "");
        while let Some((proc, prefix)) = inlined.rest.pop() {
            inlined.block(&self.procs[proc].body.block, &prefix);
        }
        inlined.labels
    }
}

/// The labels found so far, and the procedures to go through, each with what its labels are prefixed with.
#[derive(Default)]
struct Inlined {
    labels: Vec<String>,
    known: FxHashSet<String>,
    rest: Vec<(ProcId, String)>,
    seen: FxHashSet<(ProcId, String)>,
}

impl Inlined {
    fn block(&mut self, block: &[Stmt], prefix: &str) {
        for stmt in all_stmts(block) {
            let label = stmt.label.as_ref().map(|label| format!("{prefix}{label}"));
            if let Some(label) = label.clone().filter(|label| self.known.insert(label.clone())) {
                self.labels.push(label);
            }
            let labelled = stmt.labelled_call();
            for (proc, span) in stmt.calls() {
                let is_labelled = labelled.is_some_and(|call| call == span);
                let inner = label.as_ref().filter(|_| is_labelled).map(|label| format!("{label}_"));
                self.call(proc, inner.unwrap_or_else(|| prefix.to_string()));
            }
        }
    }

    /// Notes a call. The limits are for programs that call themselves, or are too large: these are refused elsewhere.
    fn call(&mut self, proc: ProcId, prefix: String) {
        let is_small = self.seen.len().max(self.known.len()) < MAX_INLINED && prefix.len() < MAX_PREFIX;
        if is_small && self.seen.insert((proc, prefix.clone())) {
            self.rest.push((proc, prefix));
        }
    }
}

impl Stmt {
    /// The place of the call that this statement is, if it has a label.
    fn labelled_call(&self) -> Option<Span> {
        match &self.kind {
            StmtKind::Eval(expr) if self.label.is_some() && matches!(expr.kind, ExprKind::Call(..)) => Some(expr.span),
            _ => None,
        }
    }
}
