//! Procedures that take places (semantics 2.8).
//!
//! For each combination of places that calls give a procedure there is an instance of it, an ordinary procedure in which the
//! parameter is that place. What says where the place is, its object and its index, is evaluated in the call and goes to
//! parameters of the instance that no text can name. So later stages know procedures with values only.

use super::Checker;
use super::expressions::wrong;
use super::places::Target;
use super::scope::{self, Scope};
use crate::codes;
use crate::typed::{
    Body, Expr, ExprKind, LocalId, LocalKind, Place, PlaceRoot, Proc, ProcId, Shared, SharedId, SharedKind,
};
use crate::types::{ObjectField, ObjectId, Type};
use base::Span;
use base::table::Id;
use syntax::tree::{self, Name};

/// Instances that a program may have.
const MAX_INSTANCES: usize = 200;

/// The instances so far.
#[derive(Default)]
pub(super) struct Instances {
    /// The procedure and its arguments, with the instance.
    known: Vec<(ProcId, Vec<Given>, ProcId)>,
    /// Those whose statements are checked.
    n_checked: usize,
}

/// What a call gives for one parameter; with the type of the index, for an element of an array.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    Value,
    Shared(SharedId, Option<Type>),
    Field(ObjectId, usize, Option<Type>),
}

/// Whether a procedure takes a place.
pub(super) fn takes_places(signature: &tree::Signature) -> bool {
    signature.params.iter().any(|param| param.is_place)
}

impl<'a> Checker<'a> {
    /// A call of a procedure that takes places.
    pub(super) fn call_with_places(
        &mut self,
        scope: &mut Scope,
        id: ProcId,
        name: &'a Name,
        arguments: &'a [tree::Expr],
        span: Span,
    ) -> Expr {
        let signature = self.names.procs[id.index()].0;
        let Proc { result, span: declared, .. } = self.procs[id];
        if !self.check_count(name, arguments.len(), signature.params.len(), Some(declared)) {
            return wrong(span);
        }
        let (mut given, mut typed) = (Vec::new(), Vec::new());
        for (i, (param, argument)) in signature.params.iter().zip(arguments).enumerate() {
            let ty = self.procs[id].body.locals[LocalId::new(i)].ty;
            if !param.is_place {
                typed.push(self.expr_for(scope, argument, ty));
                given.push(Given::Value);
                continue;
            }
            let Some(place) = self.place_argument(scope, param, ty, argument) else { return wrong(span) };
            given.push(Given::place(&place));
            typed.extend(place.operands().into_iter().cloned());
        }
        match self.instance(id, given, span) {
            Some(instance) => Expr { kind: ExprKind::Call(instance, typed), ty: result.unwrap_or(Type::Null), span },
            None => wrong(span),
        }
    }

    /// The place that an argument is; reports what is none, or one of another type.
    fn place_argument(
        &mut self,
        scope: &mut Scope,
        param: &tree::Param,
        wanted: Type,
        argument: &'a tree::Expr,
    ) -> Option<Place> {
        let place = match self.target(scope, argument) {
            Target::Place(place) => place,
            Target::Array { element, index, declared } => {
                self.unindexed(&element, index, declared);
                return None;
            }
            Target::Value(value) => {
                if value.ty != Type::Error {
                    let message = format!("`{}` is a place, and this is a value", param.name.text);
                    self.error(codes::NOT_A_PLACE, argument.span, message).hint =
                        Some("give a cell, an abstract variable, a ghost, a field or an element of an array".into());
                }
                return None;
            }
        };
        if place.ty == wanted || wanted == Type::Error || place.ty == Type::Error {
            return Some(place);
        }
        let (wanted, found) = (self.types.show(wanted), self.types.show(place.ty));
        let message = format!("`{}` is a place of type {wanted}, and this is one of type {found}", param.name.text);
        self.error(codes::MISMATCH, argument.span, message).hint =
            Some("a place is read and written, so both types are the same".into());
        None
    }

    /// The instance for what a call gives.
    fn instance(&mut self, of: ProcId, given: Vec<Given>, span: Span) -> Option<ProcId> {
        let known = self.for_places.known.iter().find(|(proc, known, _)| *proc == of && *known == given);
        if let Some((.., instance)) = known {
            return Some(*instance);
        }
        if self.for_places.known.len() >= MAX_INSTANCES {
            let message = format!("procedures are called with more than {MAX_INSTANCES} combinations of places");
            self.error(codes::TOO_LARGE, span, message);
            return None;
        }
        let Proc { name, span, result, .. } = self.procs[of].clone();
        let n_params = given.iter().map(Given::n_values).sum();
        let instance = self.procs.push(Proc { name, span, n_params, result, body: Body::default(), refines: None });
        self.for_places.known.push((of, given, instance));
        Some(instance)
    }

    /// Checks the statements of all instances, also of those that are found on the way.
    pub(super) fn check_instances(&mut self) {
        while let Some((of, given, instance)) = self.for_places.known.get(self.for_places.n_checked).cloned() {
            self.for_places.n_checked += 1;
            let (signature, block) = self.names.procs[of.index()];
            let mut scope = Scope::new(scope::Place::Proc(self.procs[of].result), self.self_range_of_procs());
            for (i, (param, given)) in signature.params.iter().zip(given).enumerate() {
                match given {
                    Given::Value => {
                        let ty = self.procs[of].body.locals[LocalId::new(i)].ty;
                        let local = self.declare_local(&mut scope, &param.name, ty, LocalKind::Param);
                        scope.read(local);
                    }
                    _ => self.declare_place(&mut scope, &param.name, given),
                }
            }
            self.statements_of(instance, scope, signature, block);
        }
    }

    /// Declares a parameter that is a place, and the parameters that say where it is.
    fn declare_place(&mut self, scope: &mut Scope, name: &'a Name, given: Given) {
        if let Some(first) = scope.declared(&name.text) {
            self.out.push(crate::names::duplicate(name, first, "a register, parameter or bound name"));
        }
        let mut hidden = |part: &str, ty: Type| {
            let text = format!("{}.{part}", name.text);
            let local = scope.declare(&Name { text, span: name.span }, ty, LocalKind::Param);
            scope.read(local);
            Expr { kind: ExprKind::Local(local), ty, span: name.span }
        };
        let (root, index, array, of) = match given {
            Given::Value => return,
            Given::Shared(id, index) => {
                let Shared { index: array, ty, kind, .. } = self.shared[id];
                (PlaceRoot::Shared(id), index, array, (ty, kind))
            }
            Given::Field(object, field, index) => {
                let own = hidden("object", Type::Ref { object, is_optional: true });
                let ObjectField { index: array, ty, .. } = self.types.objects[object].fields[field];
                (PlaceRoot::Field(own, object, field), index, array, (ty, SharedKind::Cell))
            }
        };
        let index = index.map(|ty| hidden("index", ty));
        if let Target::Place(place) | Target::Array { element: place, .. } =
            self.place_or_array(root, array, of, (name.span, name.span))
        {
            scope.places.push((name.clone(), Place { index, ..place }));
        }
    }
}

impl Given {
    fn place(place: &Place) -> Given {
        let index = place.index.as_ref().map(|index| index.ty);
        match place.root {
            PlaceRoot::Shared(id) => Given::Shared(id, index),
            PlaceRoot::Field(_, object, field) => Given::Field(object, field, index),
        }
    }

    /// How many values go to the instance.
    fn n_values(&self) -> usize {
        match self {
            Given::Value => 1,
            Given::Shared(_, index) => usize::from(index.is_some()),
            Given::Field(_, _, index) => 1 + usize::from(index.is_some()),
        }
    }
}
