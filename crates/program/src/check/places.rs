//! Places: cells, abstract variables, fields of objects, elements of arrays.

use super::Checker;
use super::expressions::wrong;
use super::scope::{self, Scope};
use crate::codes;
use crate::names::Decl;
use crate::typed::{Expr, ExprKind, Place, PlaceRoot, SharedKind};
use crate::types::{NULL, ObjectId, Range, Type, WordId};
use base::Span;
use base::diagnostic::{Note, Severity};
use syntax::tree;

/// What a chain of names, fields and indices leads to.
pub(super) enum Target {
    /// Something that can be loaded and stored.
    Place(Place),
    /// An array that still needs its index.
    Array {
        /// The place once it has an index.
        element: Place,
        /// The index type.
        index: Type,
        /// Where it is declared.
        declared: Span,
    },
    /// A value.
    Value(Expr),
}

impl<'a> Checker<'a> {
    /// What a name, field or index leads to.
    pub(super) fn target(&mut self, scope: &mut Scope, expr: &'a tree::Expr) -> Target {
        match &expr.kind {
            tree::ExprKind::Name(name) => self.named_target(scope, name),
            tree::ExprKind::Field(inner, name) => {
                if let Some(thread) = self.thread_named(inner) {
                    return Target::Value(self.register_of(scope, thread, name, expr.span));
                }
                let inner = self.expr(scope, inner);
                self.field_target(scope, inner, name, expr.span)
            }
            tree::ExprKind::Index(inner, index) => {
                let inner_span = inner.span;
                let inner = self.target(scope, inner);
                self.element(scope, inner, inner_span, index, expr.span)
            }
            _ => Target::Value(self.expr(scope, expr)),
        }
    }

    fn named_target(&mut self, scope: &mut Scope, name: &'a tree::Name) -> Target {
        if let Some(place) = scope.place_named(&name.text, name.span) {
            return Target::Place(place);
        }
        let shared = match self.names.get(&name.text).map(|e| e.decl) {
            Some(Decl::Shared(id)) if scope.find(&name.text).is_none() => id,
            _ => return Target::Value(self.named_value(scope, name)),
        };
        if scope.place == scope::Place::Constant {
            let message = format!("`{}` is shared state, which changes: a constant is wanted here", name.text);
            self.error(codes::NOT_CONSTANT, name.span, message);
            return Target::Value(wrong(name.span));
        }
        let Some(decl) = self.shared.get(shared) else { return Target::Value(wrong(name.span)) };
        let root = PlaceRoot::Shared(shared);
        self.place_or_array(root, decl.index, (decl.ty, decl.kind), (name.span, decl.span))
    }

    pub(super) fn place_or_array(
        &self,
        root: PlaceRoot,
        index: Option<Type>,
        (ty, kind): (Type, SharedKind),
        (span, declared): (Span, Span),
    ) -> Target {
        let index_range = index.map_or(Range::new(0, 0), |ty| self.types.range(ty));
        let place = Place { root, index: None, index_range, ty, kind, span };
        match index {
            None => Target::Place(place),
            Some(index) => Target::Array { element: place, index, declared },
        }
    }

    pub(super) fn field_target(&mut self, scope: &Scope, inner: Expr, name: &'a tree::Name, span: Span) -> Target {
        match inner.ty {
            Type::Error => Target::Value(wrong(span)),
            Type::Word(word) => Target::Value(self.part(inner, word, name, span)),
            Type::Ref { object, .. } => self.object_field(scope, inner, object, name, span),
            other => {
                let message = format!("{} has no fields", self.types.show(other));
                self.error(codes::UNKNOWN_FIELD, name.span, message);
                Target::Value(wrong(span))
            }
        }
    }

    fn part(&mut self, inner: Expr, id: WordId, name: &'a tree::Name, span: Span) -> Expr {
        let word = &self.types.words[id];
        let Some(index) = word.fields.iter().position(|f| f.name == name.text) else {
            let owner = format!("the word `{}` has", word.name);
            let known: Vec<String> = word.fields.iter().map(|f| f.name.clone()).collect();
            self.unknown_of(codes::UNKNOWN_FIELD, name, &owner, "field", &known);
            return wrong(span);
        };
        let ty = word.fields[index].ty;
        let kind = match inner.constant() {
            Some(value) => ExprKind::Const(word.part(index, value)),
            None => ExprKind::Part(Box::new(inner), id, index),
        };
        Expr { kind, ty, span }
    }

    fn object_field(&mut self, scope: &Scope, inner: Expr, id: ObjectId, name: &'a tree::Name, span: Span) -> Target {
        let object = &self.types.objects[id];
        let Some(index) = object.fields.iter().position(|f| f.name == name.text) else {
            let owner = format!("`{}` has", object.name);
            let known: Vec<String> = object.fields.iter().map(|f| f.name.clone()).collect();
            self.unknown_of(codes::UNKNOWN_FIELD, name, &owner, "field", &known);
            return Target::Value(wrong(span));
        };
        let field = object.fields[index].clone();
        if scope.place == scope::Place::Constant {
            let message = format!("the field `{}` changes: a constant is wanted here", name.text);
            self.error(codes::NOT_CONSTANT, span, message);
            return Target::Value(wrong(span));
        }
        if inner.constant() == Some(NULL) && scope.dead == 0 {
            self.error(codes::OUT_OF_RANGE, inner.span, "`null` has no fields");
            return Target::Value(wrong(span));
        }
        if scope.dead == 0 && !self.has_objects(id, inner.span) {
            return Target::Value(wrong(span));
        }
        let root = PlaceRoot::Field(inner, id, index);
        self.place_or_array(root, field.index, (field.ty, SharedKind::Cell), (span, field.span))
    }

    /// Whether the heap has an object of the type; reports it if not.
    pub(super) fn has_objects(&mut self, id: ObjectId, span: Span) -> bool {
        let object = &self.types.objects[id];
        if !object.instances.is_empty() {
            return true;
        }
        let message = format!("the heap has no object of type `{}`", object.name);
        let hint = format!("write `heap {{ name: {} }}`", object.name);
        self.error(codes::NO_OBJECTS, span, message).hint = Some(hint);
        false
    }

    fn element(
        &mut self,
        scope: &mut Scope,
        inner: Target,
        inner_span: Span,
        index: &'a tree::Expr,
        span: Span,
    ) -> Target {
        let index = self.expr(scope, index);
        match inner {
            Target::Array { element, index: ty, declared } => {
                if !ty.accepts(index.ty) {
                    let (wanted, found) = (self.types.show(ty), self.types.show(index.ty));
                    let message = format!("the index is {found}, but the array is indexed by {wanted}");
                    self.error(codes::INDEX_TYPE, index.span, message)
                        .notes
                        .push(Note { span: declared, message: "it is declared here".into() });
                    return Target::Value(wrong(span));
                }
                self.check_value_fits(scope, &index, ty, Severity::Error);
                Target::Place(Place { index: Some(index), span, ..element })
            }
            Target::Value(value) if value.ty == Type::Error => Target::Value(wrong(span)),
            Target::Place(_) | Target::Value(_) => {
                self.error(codes::NOT_AN_ARRAY, inner_span, "this is no array, so it has no elements");
                Target::Value(wrong(span))
            }
        }
    }

    /// The value of a target: what is at a place, or the value it is.
    pub(super) fn value_of(&mut self, target: Target, span: Span) -> Expr {
        match target {
            Target::Value(value) => value,
            Target::Place(place) => Expr { ty: place.ty, kind: ExprKind::Load(Box::new(place)), span },
            Target::Array { element, index, declared } => {
                self.unindexed(&element, index, declared);
                wrong(span)
            }
        }
    }

    /// Reports an array without its index.
    pub(super) fn unindexed(&mut self, array: &Place, index: Type, declared: Span) {
        let message = format!("this is an array: it needs an index of type {}", self.types.show(index));
        let text = self.loaded.sources.text(array.span);
        let hint = format!("write `{text}[..]`, or `each i in .. {{ {text}[i] .. }}`");
        let diagnostic = self.error(codes::UNINDEXED, array.span, message);
        diagnostic.hint = Some(hint);
        diagnostic.notes.push(Note { span: declared, message: "it is declared here".into() });
    }
}
