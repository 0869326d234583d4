//! Predicates: conditions with a name and parameters, written once and used in properties.
//!
//! A use stands for the condition with the arguments in place of the parameters. The condition is checked by
//! itself, with parameters of their declared types; so a use finds nothing new, unless it is an argument that is wrong.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::typed::{Expr, LocalKind};
use crate::types::Type;
use base::Span;
use syntax::tree::{self, Name};

/// Predicates that may be used inside one another.
const MAX_DEPTH: usize = 64;

/// Uses of predicates, those inside others counted each time, in all properties together.
const MAX_USES: usize = 20_000;

impl<'a> Checker<'a> {
    /// Checks every predicate by itself.
    pub(super) fn check_predicates(&mut self) {
        for (index, predicate) in self.names.predicates.clone().into_iter().enumerate() {
            let mut scope = Scope::new(Place::Property, None);
            scope.predicates.push(index);
            for (name, ty) in predicate.params {
                let ty = self.resolve_type(ty);
                self.declare_local(&mut scope, name, ty, LocalKind::Bound);
            }
            self.condition(&mut scope, predicate.condition);
        }
    }

    /// `name(arguments)`, where the name is a predicate's.
    pub(super) fn call_predicate(
        &mut self,
        scope: &mut Scope,
        index: usize,
        name: &'a Name,
        arguments: &'a [tree::Expr],
        span: Span,
    ) -> Expr {
        let predicate = self.names.predicates[index];
        if scope.place != Place::Property {
            let message = format!("`{}` is a predicate, which only properties use", name.text);
            self.error(codes::MISPLACED_CALL, span, message).hint = Some("write a `proc` for threads".into());
            return wrong(span);
        }
        if scope.predicates.contains(&index) {
            self.speaks_of_itself(name);
            return wrong(span);
        }
        if self.is_too_large(scope, name) {
            return wrong(span);
        }
        let wanted: Vec<Type> = predicate.params.iter().map(|(_, ty)| self.resolve_type(ty)).collect();
        let typed = self.arguments(scope, name, &wanted, arguments, Some(predicate.name.span));
        if typed.len() != wanted.len() {
            return wrong(span);
        }
        let typed = typed.into_iter().zip(&wanted).map(|(expr, ty)| Expr { ty: *ty, ..expr });
        let names = predicate.params.iter().map(|(name, _)| name.text.clone());
        let outside = scope.enter_predicate(index, names.zip(typed).collect());
        let n_known = self.out.len();
        let condition = self.condition(scope, predicate.condition);
        self.forget_all_but_recursion(n_known);
        scope.leave_predicate(outside);
        Expr { span, ..condition }
    }

    /// Forgets what was found in a predicate's condition after the first `n_known` complaints: it is reported where the
    /// predicate is stated. That the condition never ends is found only here.
    pub(super) fn forget_all_but_recursion(&mut self, n_known: usize) {
        let found = self.out.split_off(n_known);
        let is_kept = |code| code == codes::RECURSION || code == codes::TOO_LARGE;
        self.out.extend(found.into_iter().filter(|diagnostic| is_kept(diagnostic.code)));
    }

    /// Counts a use of a predicate, and reports the first that is too deep or one too many: each use is a copy.
    fn is_too_large(&mut self, scope: &Scope, name: &Name) -> bool {
        let is_deep = scope.predicates.len() >= MAX_DEPTH;
        self.n_uses += 1;
        if !is_deep && self.n_uses <= MAX_USES {
            return false;
        }
        if !std::mem::replace(&mut self.is_use_limit_reported, true) {
            let message = match is_deep {
                true => format!("more than {MAX_DEPTH} predicates are used inside one another"),
                false => {
                    format!("predicates are used more than {MAX_USES} times, those inside others counted each time")
                }
            };
            self.error(codes::TOO_LARGE, name.span, message).hint =
                Some("a use stands for a copy of the condition: state fewer steps, or use each predicate once".into());
        }
        true
    }

    /// Reports a predicate that is used within its own condition.
    pub(super) fn speaks_of_itself(&mut self, name: &Name) {
        self.error(codes::RECURSION, name.span, format!("the predicate `{}` speaks of itself", name.text)).hint =
            Some("a predicate stands for its condition, which must come to an end".into());
    }
}
