//! What a framework requires is supplied, with the same signature.

use super::Checker;
use crate::codes;
use crate::names::Decl;
use crate::typed::{ProcId, SharedKind};
use crate::types::Type;
use base::Span;
use base::diagnostic::Note;
use base::table::Id;
use syntax::tree::{self, Name, Require};

impl<'a> Checker<'a> {
    /// Checks every `require`.
    pub(super) fn check_requirements(&mut self) {
        for require in self.names.requires.clone() {
            match require {
                Require::Thread(name) => {
                    self.supplied(name, "thread", |d| matches!(d, Decl::Thread(_)));
                }
                Require::Object(name) => {
                    self.supplied(name, "object", |d| matches!(d, Decl::Object(_)));
                }
                Require::Cell(name, ty) => self.require_cell(name, ty),
                Require::Proc(signature) => self.require_proc(signature),
            }
        }
    }

    /// The declaration that supplies `name`, if it is of the right kind.
    fn supplied(&mut self, name: &Name, what: &str, is_right: impl Fn(&Decl) -> bool) -> Option<(Decl<'a>, Span)> {
        match self.names.get(&name.text) {
            Some(entry) if is_right(&entry.decl) => Some((entry.decl, entry.span)),
            Some(entry) => {
                let message = format!("`{}` is required to be a {what}, but it is {}", name.text, entry.decl.what());
                self.wrong_signature(entry.span, message, name.span);
                None
            }
            None => {
                let message = format!("the {what} `{}` is required, and nothing supplies it", name.text);
                let hint = "declare it in the file that uses this one; a framework is not checked by itself";
                self.error(codes::UNMET_REQUIRE, name.span, message).hint = Some(hint.into());
                None
            }
        }
    }

    fn wrong_signature(&mut self, span: Span, message: String, required: Span) {
        self.error(codes::WRONG_SIGNATURE, span, message)
            .notes
            .push(Note { span: required, message: "it is required here".into() });
    }

    fn require_cell(&mut self, name: &'a Name, ty: &'a tree::Type) {
        let wanted = self.resolve_type(ty);
        let Some((Decl::Shared(id), span)) = self.supplied(name, "cell", |d| matches!(d, Decl::Shared(_))) else {
            return;
        };
        let cell = &self.shared[id];
        let found = cell.ty;
        let problem = if cell.kind != SharedKind::Cell {
            Some("is required to be memory".to_string())
        } else if cell.index.is_some() {
            Some("is required to be one cell, not an array".to_string())
        } else {
            let (wanted_text, found_text) = (self.types.show(wanted), self.types.show(found));
            (!is_same(wanted, found)).then(|| format!("is required to be of type {wanted_text}, but is {found_text}"))
        };
        if let Some(problem) = problem {
            self.wrong_signature(span, format!("`{}` {problem}", name.text), name.span);
        }
    }

    fn require_proc(&mut self, signature: &'a tree::Signature) {
        let wanted = self.signature(signature);
        let name = &signature.name;
        let Some((Decl::Proc(id), span)) = self.supplied(name, "procedure", |d| matches!(d, Decl::Proc(_))) else {
            return;
        };
        let params = |locals: &base::Table<_, crate::typed::Local>, n| locals.values().take(n).map(|l| l.ty).collect();
        let wanted_params: Vec<Type> = params(&wanted.body.locals, wanted.n_params);
        let found_params: Vec<Type> = params(&self.procs[id].body.locals, self.procs[id].n_params);
        let is_place = |signature: &tree::Signature| signature.params.iter().map(|p| p.is_place).collect::<Vec<_>>();
        let is_right = is_place(signature) == is_place(self.names.procs[id.index()].0)
            && wanted_params.len() == found_params.len()
            && wanted_params.iter().zip(&found_params).all(|(a, b)| is_same(*a, *b))
            && match (wanted.result, self.procs[id].result) {
                (None, None) => true,
                (Some(a), Some(b)) => is_same(a, b),
                _ => false,
            };
        if !is_right {
            let wanted = self.show_signature(&wanted_params, wanted.result);
            let found = self.show_signature(&found_params, self.result_of(id));
            let message = format!("`{}` is required as `{wanted}`, but is `{found}`", name.text);
            self.wrong_signature(span, message, name.span);
        }
    }

    fn result_of(&self, id: ProcId) -> Option<Type> {
        self.procs[id].result
    }

    fn show_signature(&self, params: &[Type], result: Option<Type>) -> String {
        let show = |ty: &Type| match ty {
            Type::Int(range) => format!("{}..{}", range.low, range.high),
            ty => self.types.show(*ty),
        };
        let params: Vec<String> = params.iter().map(show).collect();
        let result = result.map_or(String::new(), |ty| format!(" -> {}", show(&ty)));
        format!("({}){result}", params.join(", "))
    }
}

/// Whether two types are the same, as far as both are known.
fn is_same(a: Type, b: Type) -> bool {
    a == b || a == Type::Error || b == Type::Error
}
