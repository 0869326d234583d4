//! `pending(thread, place)`, with a value, with a number too, and `oldest(thread, place)`: stores that a thread has issued and that are not
//! performed, in properties.

use super::Checker;
use super::expressions::wrong;
use super::places::Target;
use super::scope::{self, Scope};
use crate::codes;
use crate::typed::{Expr, ExprKind, Place, SharedKind, ThreadRef};
use crate::types::{Range, Type};
use base::Span;
use syntax::tree;

/// No queue holds more operations.
const MAX_PENDING: i32 = 255;

impl<'a> Checker<'a> {
    /// `pending(thread, place)`, `pending(thread, place, value)` or `pending(thread, place, value, number)`
    pub(super) fn pending(&mut self, scope: &mut Scope, arguments: &'a [tree::Expr], span: Span) -> Expr {
        let (thread, place, value, nth) = match arguments {
            [thread, place] => (thread, place, None, None),
            [thread, place, value] => (thread, place, Some(value), None),
            [thread, place, value, nth] => (thread, place, Some(value), Some(nth)),
            _ => return self.wants_thread_and_place("pending", "2 to 4", arguments.len(), span),
        };
        let Some((thread, place)) = self.stores_of(scope, thread, place, span) else { return wrong(span) };
        let value = value.map(|value| Box::new(self.expr_of(scope, value, place.ty)));
        let ty = if value.is_some() { Type::Bool } else { Type::Int(Range::new(0, MAX_PENDING)) };
        let nth = nth.and_then(|nth| self.store_number(scope, nth));
        Expr { kind: ExprKind::Pending(thread, Box::new(place), value, nth), ty, span }
    }

    /// The number of a pending store: a constant.
    fn store_number(&mut self, scope: &mut Scope, nth: &'a tree::Expr) -> Option<u8> {
        let number = self.expr(scope, nth);
        let known = number.constant().and_then(|number| u8::try_from(number).ok());
        if known.is_none() && number.ty != Type::Error {
            let message = format!("which pending store is meant is a constant from 0 to {MAX_PENDING}");
            self.error(codes::ARGUMENTS, nth.span, message).hint = Some("0 is the thread's oldest".into());
        }
        known
    }

    /// `oldest(thread, place)`
    pub(super) fn oldest(&mut self, scope: &mut Scope, arguments: &'a [tree::Expr], span: Span) -> Expr {
        let [thread, place] = arguments else {
            return self.wants_thread_and_place("oldest", "2", arguments.len(), span);
        };
        match self.stores_of(scope, thread, place, span) {
            Some((thread, place)) => {
                let ty = place.ty;
                Expr { kind: ExprKind::Oldest(thread, Box::new(place)), ty, span }
            }
            None => wrong(span),
        }
    }

    fn wants_thread_and_place(&mut self, word: &str, wanted: &str, n_given: usize, span: Span) -> Expr {
        let message = format!("`{word}` takes {wanted} arguments, and {n_given} are given");
        self.error(codes::ARGUMENTS, span, message).hint =
            Some(format!("write `{word}(thread, place)`, as in `{word}(collector, phase)`"));
        wrong(span)
    }

    /// The thread and the place whose stores are meant.
    fn stores_of(
        &mut self,
        scope: &mut Scope,
        thread: &'a tree::Expr,
        place: &'a tree::Expr,
        span: Span,
    ) -> Option<(ThreadRef, Place)> {
        if scope.place != scope::Place::Property {
            self.error(codes::MISPLACED_THREAD, span, "only a property may ask which stores of a thread are pending");
            return None;
        }
        let (id, name, index) = self.known_thread(thread)?;
        let thread = self.thread_ref(scope, id, name, index);
        let place = self.stored_place(scope, place);
        Some((thread?, place?))
    }

    /// A place in memory; reports what is none.
    fn stored_place(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Option<Place> {
        let (message, hint) = match self.target(scope, expr) {
            Target::Place(place) if place.kind == SharedKind::Cell => return Some(place),
            Target::Array { element, index, declared } => {
                self.unindexed(&element, index, declared);
                return None;
            }
            Target::Value(value) if value.ty == Type::Error => return None,
            Target::Value(_) => {
                ("this is a value, and a place in memory is wanted here", "name a `cell` or a field of an object")
            }
            Target::Place(_) => ("this is no memory: it is written directly", "only stores to memory are ever pending"),
        };
        self.error(codes::NOT_MEMORY, expr.span, message).hint = Some(hint.into());
        None
    }
}
