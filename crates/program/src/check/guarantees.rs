//! Guarantees: which actions of a thread are looked at together in a proof, and what they may do.

use super::Checker;
use super::expressions::wrong;
use super::places::Target;
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::{Decl, duplicate};
use crate::typed::{Expr, ExprKind, Guarantee, LabelPattern, LocalKind, Modified, ThreadId};
use crate::types::{Range, Type, Value};
use base::Span;
use syntax::tree::{self, Name};

impl<'a> Checker<'a> {
    /// Checks that the threads and labels of all guarantees exist, and what they say of steps there.
    pub(super) fn check_guarantees(&mut self) {
        let all: Vec<&'a tree::Guarantee> = self.names.guarantees.clone();
        for (n, guarantee) in all.iter().enumerate() {
            if let Some(first) = all[..n].iter().find(|other| other.name.text == guarantee.name.text) {
                self.out.push(duplicate(&guarantee.name, first.name.span, "a guarantee"));
            }
            let checked = self.guarantee(guarantee);
            self.guarantees.extend(checked);
        }
    }

    fn guarantee(&mut self, guarantee: &'a tree::Guarantee) -> Option<Guarantee> {
        let name: &Name = &guarantee.thread;
        let Some(Decl::Thread(thread)) = self.names.get(&name.text).map(|entry| entry.decl) else {
            let known = self.names.all(|d| matches!(d, Decl::Thread(_)));
            self.unknown(codes::UNKNOWN_NAME, name, "thread", &known);
            return None;
        };
        let known = self.labels_of(thread);
        let mut labels = Vec::new();
        for label in &guarantee.labels {
            let pattern = LabelPattern { text: label.name.text.clone(), part: label.part };
            if !known.iter().any(|l| pattern.matches(l)) {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let who = format!("thread `{}` has", name.text);
                self.unknown_of(codes::UNKNOWN_LABEL, &label.name, &who, "label", &known);
                return None;
            }
            labels.push(pattern);
        }
        let mut scope = self.scope_of_guarantee(thread, guarantee.name.span);
        let requires = guarantee.requires.as_ref().map(|condition| self.condition(&mut scope, condition));
        let modifies = guarantee.modifies.as_ref().map(|places| {
            let places = places.iter().filter_map(|place| self.modified(&mut scope, place));
            places.collect()
        });
        scope.has_old = true;
        let ensures = guarantee.ensures.as_ref().map(|condition| self.condition(&mut scope, condition));
        let places = guarantee.modifies.iter().flatten();
        let clauses = guarantee.requires.iter().chain(places).chain(&guarantee.ensures);
        let span = clauses.last().map_or(guarantee.name.span, |last| guarantee.name.span.to(last.span));
        let name = guarantee.name.text.clone();
        let level = guarantee.level.map_or(1, |level| level.number);
        Some(Guarantee { name, thread, labels, span, level, locals: scope.locals, requires, modifies, ensures })
    }

    /// In a guarantee `self` is the acting thread's index: a bound name, so that it may say which thread is meant.
    fn scope_of_guarantee(&self, thread: ThreadId, span: Span) -> Scope {
        let mut scope = Scope::new(Place::Property, None);
        if let Some(n) = self.threads[thread].count {
            let ty = Type::Int(Range::new(0, (n as Value - 1).max(0)));
            scope.declare(&Name { text: "self".into(), span }, ty, LocalKind::Bound);
        }
        scope
    }

    /// `phase`, `phase[self]`, `o.color`, or `Node.color` of all objects of a type.
    fn modified(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Option<Modified> {
        if let tree::ExprKind::Field(of, field) = &expr.kind
            && let tree::ExprKind::Name(name) = &of.kind
            && let Some(Decl::Object(object)) = self.names.get(&name.text).map(|entry| entry.decl)
        {
            let ty = Type::Ref { object, is_optional: false };
            let each =
                scope.declare(&Name { text: format!("any {}", name.text), span: name.span }, ty, LocalKind::Bound);
            let inner = Expr { kind: ExprKind::Local(each), ty, span: name.span };
            let target = self.field_target(scope, inner, field, expr.span);
            return self.place_modified(target, Some(each), expr.span);
        }
        let target = self.target(scope, expr);
        self.place_modified(target, None, expr.span)
    }

    fn place_modified(&mut self, target: Target, each: Option<crate::typed::LocalId>, span: Span) -> Option<Modified> {
        match target {
            Target::Place(place) | Target::Array { element: place, .. } => Some(Modified { place, each }),
            Target::Value(value) if value.ty == Type::Error => None,
            Target::Value(_) => {
                let message = "this is a value, and a step modifies places";
                self.error(codes::NOT_A_PLACE, span, message).hint =
                    Some("name shared state: `phase`, `phase[self]`, `o.color`, or `Node.color` of all objects".into());
                None
            }
        }
    }

    /// `old(e)`
    pub(super) fn old(&mut self, scope: &mut Scope, arguments: &'a [tree::Expr], span: Span) -> Expr {
        let [value] = arguments else {
            let message = format!("`old` takes 1 argument, and {} are given", arguments.len());
            self.error(codes::ARGUMENTS, span, message).hint = Some("write `old(x)`".into());
            return wrong(span);
        };
        if !scope.has_old {
            let message = "`old` asks for a value before a step, and one state is looked at here";
            self.error(codes::MISPLACED_OLD, span, message).hint =
                Some("only `ensures` of a guarantee speaks of two states, and `old` once".into());
            return wrong(span);
        }
        scope.has_old = false;
        let value = self.expr(scope, value);
        scope.has_old = true;
        let ty = value.ty;
        Expr { kind: ExprKind::Old(Box::new(value)), ty, span }
    }
}
