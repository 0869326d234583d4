//! `reaches(a, b)` and `reaches(a, b, p)`: paths of references from object to object, in properties.
//!
//! Which way paths may go does not depend on where they begin, so each predicate makes one graph of each object type,
//! whose condition is checked with a bound name in place of the predicate's parameter.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::Decl;
use crate::typed::{Expr, ExprKind, Graph, GraphId, LocalKind};
use crate::types::{ObjectId, Type};
use base::{Span, Table};
use syntax::tree::{self, Name};

/// Objects that a graph may have: what is reached is a set.
const MAX_OBJECTS: usize = 30;

impl<'a> Checker<'a> {
    /// `reaches(a, b)` or `reaches(a, b, p)`
    pub(super) fn reaches(&mut self, scope: &mut Scope, arguments: &'a [tree::Expr], span: Span) -> Expr {
        if scope.place != Place::Property {
            self.error(codes::MISPLACED_THREAD, span, "only a property may ask what an object reaches").hint =
                Some("a thread follows references one by one".into());
            return wrong(span);
        }
        let (from, to, predicate) = match arguments {
            [from, to] => (from, to, None),
            [from, to, predicate] => (from, to, Some(predicate)),
            _ => {
                let message = format!("`reaches` takes 2 or 3 arguments, and {} are given", arguments.len());
                self.error(codes::ARGUMENTS, span, message).hint =
                    Some("write `reaches(a, b)`, or `reaches(a, b, p)` with a predicate `p`".into());
                return wrong(span);
            }
        };
        let (from, to) = (self.expr(scope, from), self.expr(scope, to));
        let Some(object) = self.objects_of_paths(&from, &to) else { return wrong(span) };
        let graph = match predicate {
            None => Some(self.whole_graph(object)),
            Some(predicate) => self.graph_of(scope, object, predicate),
        };
        match graph {
            Some(id) => Expr { kind: ExprKind::Reaches(id, Box::new(from), Box::new(to)), ty: Type::Bool, span },
            None => wrong(span),
        }
    }

    /// The type of the objects from and to which a path goes; reports what is none.
    fn objects_of_paths(&mut self, from: &Expr, to: &Expr) -> Option<ObjectId> {
        let mut found: Option<ObjectId> = None;
        for end in [from, to] {
            match (end.ty, found) {
                (Type::Error, _) => return None,
                (Type::Null, _) => {}
                (Type::Ref { object, .. }, None) => found = Some(object),
                (Type::Ref { object, .. }, Some(first)) if object == first => {}
                (ty, first) => {
                    let found = self.types.show(ty);
                    let message = match first {
                        Some(first) => {
                            let wanted = &self.types.objects[first].name;
                            format!("a path from a `{wanted}` goes to a `{wanted}`, and this is {found}")
                        }
                        None => format!("a path goes from object to object, and this is {found}"),
                    };
                    self.error(codes::MISMATCH, end.span, message);
                    return None;
                }
            }
        }
        let Some(object) = found else {
            let message = "`null` reaches nothing, and nothing reaches `null`";
            self.error(codes::MISMATCH, from.span, message).hint = Some("write `false`".into());
            return None;
        };
        self.can_be_graph(object, from.span).then_some(object)
    }

    fn can_be_graph(&mut self, object: ObjectId, span: Span) -> bool {
        if !self.has_objects(object, span) {
            return false;
        }
        let n_objects = self.types.objects[object].instances.len();
        if n_objects > MAX_OBJECTS {
            let name = &self.types.objects[object].name;
            let message = format!("the heap has {n_objects} objects of type `{name}`; paths go through {MAX_OBJECTS}");
            self.error(codes::TOO_LARGE, span, message).hint = Some("use a smaller heap".into());
        }
        n_objects <= MAX_OBJECTS
    }

    /// The graph of paths that step to objects of which a predicate is true.
    fn graph_of(&mut self, scope: &Scope, object: ObjectId, predicate: &'a tree::Expr) -> Option<GraphId> {
        let tree::ExprKind::Name(name) = &predicate.kind else {
            self.wants_predicate(predicate.span);
            return None;
        };
        match self.names.get(&name.text).map(|entry| entry.decl) {
            Some(Decl::Predicate(index)) => self.graph_of_predicate(scope, object, index, name),
            Some(_) => {
                self.wants_predicate(name.span);
                None
            }
            None => {
                let known = self.names.all(|d| matches!(d, Decl::Predicate(_)));
                self.unknown(codes::UNKNOWN_NAME, name, "predicate", &known);
                None
            }
        }
    }

    fn wants_predicate(&mut self, span: Span) {
        self.error(codes::MISMATCH, span, "the name of a predicate with one parameter is wanted here").hint =
            Some("state it before: `predicate p(o: Node): ..`, and write `reaches(a, b, p)`".into());
    }

    fn graph_of_predicate(&mut self, scope: &Scope, object: ObjectId, index: usize, name: &'a Name) -> Option<GraphId> {
        let predicate = self.names.predicates[index];
        if scope.predicates.contains(&index) {
            self.speaks_of_itself(name);
            return None;
        }
        let [(parameter, ty)] = predicate.params else {
            let n_parameters = predicate.params.len();
            let message = format!("`{}` has {n_parameters} parameters; a path asks it of one object", name.text);
            self.error(codes::ARGUMENTS, name.span, message);
            return None;
        };
        let wanted = self.resolve_type(ty);
        let stepped_to = Type::Ref { object, is_optional: false };
        if !wanted.accepts(stepped_to) {
            let (wanted, found) = (self.types.show(wanted), self.types.show(stepped_to));
            let message = format!("`{}` is about {wanted}, and the paths go through {found}", name.text);
            self.error(codes::MISMATCH, name.span, message);
            return None;
        }
        if let Some((id, _)) = self.graphs.iter().find(|(_, g)| g.object == object && g.predicate == Some(index)) {
            return Some(id);
        }
        let mut inside = Scope::new(Place::Property, None);
        inside.predicates.extend(scope.predicates.iter().copied().chain([index]));
        inside.declare(parameter, stepped_to, LocalKind::Bound);
        let n_known = self.out.len();
        let condition = self.condition(&mut inside, predicate.condition);
        self.forget_all_but_recursion(n_known);
        Some(self.graphs.push(Graph {
            object,
            predicate: Some(index),
            condition: Some(condition),
            locals: inside.locals,
        }))
    }

    /// The graph of all paths.
    fn whole_graph(&mut self, object: ObjectId) -> GraphId {
        let known = self.graphs.iter().find(|(_, g)| g.object == object && g.predicate.is_none()).map(|(id, _)| id);
        let whole = || Graph { object, predicate: None, condition: None, locals: Table::new() };
        known.unwrap_or_else(|| self.graphs.push(whole()))
    }
}
