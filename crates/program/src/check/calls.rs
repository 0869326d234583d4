//! Calls of procedures, words built from their fields, and signatures.

use super::Checker;
use super::expressions::wrong;
use super::instances::takes_places;
use super::scope::{Place, Scope};
use super::temporal::is_temporal;
use crate::codes;
use crate::names::Decl;
use crate::typed::{Body, Expr, ExprKind, Local, LocalKind, Proc, ProcId};
use crate::types::{Range, Type, Value};
use base::diagnostic::Note;
use base::table::Id;
use base::{Span, Table};
use syntax::tree::{self, Name};

impl<'a> Checker<'a> {
    /// The typed signature of a procedure, with its parameters as locals and no statements yet.
    pub(super) fn signature(&mut self, signature: &'a tree::Signature) -> Proc {
        let mut locals = Table::new();
        for tree::Param { name, ty, .. } in &signature.params {
            let ty = self.resolve_type(ty);
            let (text, span) = (name.text.clone(), name.span);
            locals.push(Local { name: text, span, ty, kind: LocalKind::Param, is_assigned: false });
        }
        Proc {
            name: signature.name.text.clone(),
            span: signature.name.span,
            n_params: signature.params.len(),
            result: signature.result.as_ref().map(|ty| self.resolve_type(ty)),
            body: Body { locals, block: Vec::new() },
            refines: None,
        }
    }

    /// `name(arguments)`
    pub(super) fn call(&mut self, scope: &mut Scope, name: &'a Name, arguments: &'a [tree::Expr], span: Span) -> Expr {
        match self.names.get(&name.text).map(|e| e.decl) {
            Some(Decl::Proc(id)) => self.call_proc(scope, id, name, arguments, span),
            Some(Decl::Word(_)) => self.build(scope, name, arguments, span),
            Some(Decl::Predicate(index)) => self.call_predicate(scope, index, name, arguments, span),
            None if name.text == "ended" => self.thread_is(scope, ("ended", ExprKind::Ended), arguments, span),
            None if name.text == "performed" => {
                self.thread_is(scope, ("performed", ExprKind::Performed), arguments, span)
            }
            None if name.text == "locked_by" => {
                self.thread_is(scope, ("locked_by", ExprKind::LockedBy), arguments, span)
            }
            None if name.text == "pending" => self.pending(scope, arguments, span),
            None if name.text == "oldest" => self.oldest(scope, arguments, span),
            None if name.text == "old" => self.old(scope, arguments, span),
            None if name.text == "reaches" => self.reaches(scope, arguments, span),
            None if name.text == "push" => self.push(scope, arguments, None, span),
            None if name.text == "pop" => self.pop(scope, arguments, None, span),
            None if name.text == "top" => self.top(scope, arguments, span),
            None if ["lock", "unlock"].contains(&name.text.as_str()) => {
                let message = format!("there is no procedure `{}`", name.text);
                let hint = format!("the statement on the bus is `{}`, without parentheses", name.text);
                self.error(codes::UNKNOWN_NAME, name.span, message).hint = Some(hint);
                wrong(span)
            }
            None if name.text == "size" => self.size(scope, arguments, span),
            None if is_temporal(&name.text) => {
                self.misplaced_temporal(&name.text, name.span);
                wrong(span)
            }
            found => {
                for argument in arguments {
                    self.expr(scope, argument);
                }
                let known = self.names.all(|d| matches!(d, Decl::Proc(_) | Decl::Word(_) | Decl::Predicate(_)));
                match found {
                    None => self.unknown(codes::UNKNOWN_NAME, name, "procedure or word", &known),
                    Some(decl) => {
                        let message = format!("`{}` is {}, which cannot be called", name.text, decl.what());
                        self.error(codes::NOT_A_VALUE, name.span, message);
                    }
                }
                wrong(span)
            }
        }
    }

    fn call_proc(
        &mut self,
        scope: &mut Scope,
        id: ProcId,
        name: &'a Name,
        arguments: &'a [tree::Expr],
        span: Span,
    ) -> Expr {
        if matches!(scope.place, Place::Constant | Place::Property) {
            let message = format!("`{}` is a procedure: it takes steps, and only threads and procedures do", name.text);
            self.error(codes::MISPLACED_CALL, span, message);
            return wrong(span);
        }
        let Some(proc) = self.procs.get(id) else { return wrong(span) };
        if takes_places(self.names.procs[id.index()].0) {
            return self.call_with_places(scope, id, name, arguments, span);
        }
        let params: Vec<Type> = proc.body.locals.values().take(proc.n_params).map(|l| l.ty).collect();
        let (result, declared) = (proc.result, proc.span);
        let arguments = self.arguments(scope, name, &params, arguments, Some(declared));
        Expr { kind: ExprKind::Call(id, arguments), ty: result.unwrap_or(Type::Null), span }
    }

    fn build(&mut self, scope: &mut Scope, name: &'a Name, arguments: &'a [tree::Expr], span: Span) -> Expr {
        let Type::Word(id) = self.type_by_name(&name.text, name.span) else { return wrong(span) };
        let fields: Vec<Type> = self.types.words[id].fields.iter().map(|f| f.ty).collect();
        let parts = self.arguments(scope, name, &fields, arguments, None);
        if parts.len() != fields.len() {
            return Expr { ty: Type::Word(id), ..wrong(span) };
        }
        let constants: Option<Vec<Value>> = parts.iter().map(Expr::constant).collect();
        let kind = match constants.and_then(|values| self.types.words[id].pack(&values)) {
            Some(word) => ExprKind::Const(word),
            None => ExprKind::Build(id, parts),
        };
        Expr { kind, ty: Type::Word(id), span }
    }

    /// Checks arguments against the types wanted, and their number.
    pub(super) fn arguments(
        &mut self,
        scope: &mut Scope,
        name: &Name,
        wanted: &[Type],
        arguments: &'a [tree::Expr],
        declared: Option<Span>,
    ) -> Vec<Expr> {
        let mut typed = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            typed.push(self.expr_for(scope, argument, wanted.get(i).copied().unwrap_or(Type::Error)));
        }
        self.check_count(name, arguments.len(), wanted.len(), declared);
        typed
    }

    /// Reports too few or too many arguments.
    pub(super) fn check_count(&mut self, name: &Name, given: usize, wanted: usize, declared: Option<Span>) -> bool {
        if given != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{}` takes {wanted} argument{plural}, and {} given", name.text, are(given));
            let diagnostic = self.error(codes::ARGUMENTS, name.span, message);
            diagnostic.notes.extend(declared.map(|span| Note { span, message: "it is declared here".into() }));
        }
        given == wanted
    }

    /// The values of `self` in a procedure: those of all replicated threads that run.
    pub(super) fn self_range_of_procs(&self) -> Option<Range> {
        let most = self.threads.values().filter_map(|t| t.count).max()?;
        Some(Range::new(0, (most as Value - 1).max(0)))
    }
}

fn are(n: usize) -> String {
    if n == 1 { "1 is".into() } else { format!("{n} are") }
}
