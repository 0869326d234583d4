//! Shared state: objects of the heap and their fields, cells, abstract variables, ghosts.

use super::Checker;
use crate::codes;
use crate::names::Decl;
use crate::typed::Shared;
use crate::types::{Instance, ObjectField, ObjectId, Type, Value, Wide};
use base::diagnostic::Severity;
use base::table::Id;
use base::{Diagnostic, Span};
use syntax::tree::{self, Setting};

/// Cells in all: more would not be explored in any time.
const MAX_CELLS: u64 = 4096;
/// Objects alike.
const MAX_ALIKE: Value = 30;

impl<'a> Checker<'a> {
    /// Gives each object of the heap its index within its type.
    pub(super) fn declare_heap(&mut self) {
        for i in 0..self.names.heap.len() {
            let object = self.names.heap[i];
            let found = match self.names.get(&object.object.text).map(|e| e.decl) {
                Some(Decl::Object(id)) => self.instance_names(object).map(|names| {
                    let instances = &mut self.types.objects[id].instances;
                    let first = instances.len();
                    instances.extend(names.into_iter().map(|name| Instance { name, init: Vec::new() }));
                    (id, first..instances.len())
                }),
                _ => {
                    let known = self.names.all(|d| matches!(d, Decl::Object(_)));
                    self.unknown(codes::UNKNOWN_TYPE, &object.object, "object type", &known);
                    None
                }
            };
            self.instances.push(found);
        }
    }

    /// The names, for people, of the objects that one line of the heap gives.
    fn instance_names(&mut self, object: &'a tree::HeapObject) -> Option<Vec<String>> {
        let name = &object.name.text;
        let Some(count) = &object.count else { return Some(vec![name.clone()]) };
        let n = self.constant_number(count)?;
        if !(1..=MAX_ALIKE).contains(&n) {
            let message = format!("there cannot be {n} objects alike: 1 to {MAX_ALIKE} can be");
            self.error(codes::OUT_OF_RANGE, count.span, message);
            return None;
        }
        Some((0..n).map(|i| format!("{name}[{i}]")).collect())
    }

    /// Checks fields, initial values and shared declarations.
    pub(super) fn check_state(&mut self) {
        for i in 0..self.names.objects.len() {
            self.object_fields(ObjectId::new(i), self.names.objects[i].1);
        }
        for i in 0..self.names.heap.len() {
            if let Some((object, alike)) = self.instances[i].clone() {
                let init = self.instance_values(object, self.names.heap[i]);
                alike.for_each(|index| self.types.objects[object].instances[index].init = init.clone());
            }
        }
        for i in 0..self.names.shared.len() {
            let shared = self.shared_decl(self.names.shared[i]);
            self.shared.push(shared);
        }
        self.check_cell_count();
    }

    fn object_fields(&mut self, id: ObjectId, fields: &'a [tree::FieldDecl]) {
        let mut offset = 0;
        for field in fields {
            let ty = self.resolve_type(&field.ty);
            let ty = self.not_a_set(ty, field.ty.span, "a field of an object");
            let index = field.index.as_ref().map(|index| self.resolve_type(index));
            let (name, span) = (field.name.text.clone(), field.name.span);
            let (is_plain, is_elidable) = (field.is_plain, field.is_elidable);
            self.types.objects[id].fields.push(ObjectField { name, span, index, ty, offset, is_plain, is_elidable });
            offset += self.elements(index);
        }
        self.types.objects[id].size = offset;
    }

    /// Cells of an array with this index type.
    fn elements(&self, index: Option<Type>) -> usize {
        index.map_or(1, |ty| self.types.range(ty).count().min(MAX_CELLS + 1) as usize)
    }

    /// The initial value of each field of one object.
    fn instance_values(&mut self, id: ObjectId, instance: &'a tree::HeapObject) -> Vec<Vec<Value>> {
        let fields = self.names.objects[id.index()].1;
        let known: Vec<&str> = fields.iter().map(|f| f.name.text.as_str()).collect();
        for setting in &instance.settings {
            if !known.contains(&setting.name.text.as_str()) {
                let owner = format!("`{}` has", instance.object.text);
                self.unknown_of(codes::UNKNOWN_FIELD, &setting.name, &owner, "field", &known);
            }
        }
        let mut values = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            let set = instance.settings.iter().find(|s: &&Setting| s.name.text == field.name.text).map(|s| &s.value);
            let (ty, index) = (self.types.objects[id].fields[i].ty, self.types.objects[id].fields[i].index);
            values.push(match set.or(field.init.as_ref()) {
                Some(expr) => self.initial_values(expr, ty, index),
                None => vec![self.no_initial_value(instance, field)],
            });
        }
        values
    }

    fn no_initial_value(&mut self, instance: &tree::HeapObject, field: &tree::FieldDecl) -> Value {
        let message = format!("`{}.{}` has no initial value", instance.name.text, field.name.text);
        let hint = format!("write `{} = ..` in the heap, or in the declaration of the field", field.name.text);
        let diagnostic = self.error(codes::NO_INITIAL_VALUE, instance.name.span, message);
        diagnostic.hint = Some(hint);
        diagnostic
            .notes
            .push(base::diagnostic::Note { span: field.name.span, message: "the field is declared here".into() });
        0
    }

    fn shared_decl(&mut self, decl: &'a tree::SharedDecl) -> Shared {
        let index = decl.index.as_ref().map(|index| self.resolve_type(index));
        let mut ty = self.resolve_type(&decl.ty);
        if decl.kind == tree::SharedKind::Cell {
            ty = self.not_a_set(ty, decl.ty.span, "a memory cell");
        }
        let init = self.initial_values(&decl.init, ty, index);
        let is_unordered = decl.is_unordered || decl.kind == tree::SharedKind::Ghost;
        let (name, span) = (decl.name.text.clone(), decl.name.span);
        let (is_plain, is_elidable) = (decl.is_plain, decl.is_elidable);
        Shared { kind: decl.kind, name, span, index, ty, init, is_unordered, is_plain, is_elidable }
    }

    /// What an array of elements of type `ty` starts with: `value` for all, or `[a, b]` for each. Without `index`,
    /// what a single place starts with.
    pub(super) fn initial_values(&mut self, expr: &'a tree::Expr, ty: Type, index: Option<Type>) -> Vec<Value> {
        let tree::ExprKind::List(elements) = &expr.kind else { return vec![self.initial_value(expr, ty)] };
        let n_elements = self.elements(index);
        if index.is_none() || elements.len() != n_elements {
            let message = match index {
                None => "a list is the first value of an array, and this is none".to_string(),
                Some(_) => format!("the array has {n_elements} elements, and the list {}", elements.len()),
            };
            self.error(codes::MISPLACED_LIST, expr.span, message).hint =
                Some("one value without brackets goes to every element".into());
            return vec![0];
        }
        elements.iter().map(|element| self.initial_value(element, ty)).collect()
    }

    /// A constant that a place of type `ty` starts with.
    pub(super) fn initial_value(&mut self, expr: &'a tree::Expr, ty: Type) -> Value {
        let (found, value) = self.constant_like(expr, Some(ty));
        if self.fits(found, ty, expr.span) {
            self.constant_fits(value, ty, expr.span, Severity::Error);
        }
        // What fits no number fits no type, and has been reported.
        Value::try_from(value).unwrap_or_default()
    }

    /// Reports a value of type `found` where `wanted` is wanted.
    pub(super) fn fits(&mut self, found: Type, wanted: Type, span: Span) -> bool {
        if wanted.accepts(found) {
            return found != Type::Error && wanted != Type::Error;
        }
        let message = format!("{} is wanted here, not {}", self.types.show(wanted), self.types.show(found));
        let hint = match (wanted, found) {
            (Type::Bool, Type::Int(_)) => Some("compare it with a number, as in `x != 0`".to_string()),
            (Type::Int(_), Type::Bool) => Some("`bool` is no number: use `if`, or declare the place as `bool`".into()),
            (Type::Ref { object, .. }, _) => self.types.objects[object].instances.first().map(|first| {
                format!("a reference is an object of the heap, such as `{}`, or what holds one", first.name)
            }),
            (Type::Set(id), _) if self.types.sets[id].accepts(found) => {
                let text = self.loaded.sources.text(span);
                Some(format!("the set with this one element is `{{{text}}}`"))
            }
            (Type::Enum(id), _) => {
                let values: Vec<&str> = self.types.enums[id].variants.iter().map(String::as_str).collect();
                Some(format!("it is one of {}", base::suggest::list(&values)))
            }
            _ => None,
        };
        self.error(codes::MISMATCH, span, message).hint = hint;
        false
    }

    /// Reports a constant that a place of type `ty` can never hold; `null` where there is none is always an error.
    pub(super) fn constant_fits(&mut self, value: Wide, ty: Type, span: Span, severity: Severity) {
        let range = self.types.range(ty);
        if ty == Type::Error || Value::try_from(value).is_ok_and(|value| range.contains(value)) {
            return;
        }
        let (message, hint) = match ty {
            Type::Ref { object, .. } => {
                let name = &self.types.objects[object].name;
                (
                    "`null` cannot be held here".to_string(),
                    format!("the type `{name}?` allows `null`, but no element of a set or queue is `null`"),
                )
            }
            _ => (format!("{value} is out of range: it goes to {}", self.types.show(ty)), "widen the type".to_string()),
        };
        let diagnostic = match (severity, ty) {
            (Severity::Warning, Type::Int(_)) => Diagnostic::warning(codes::OUT_OF_RANGE, span, message),
            _ => Diagnostic::error(codes::OUT_OF_RANGE, span, message),
        };
        self.out.push(diagnostic.hint(hint));
    }

    fn check_cell_count(&mut self) {
        let objects = self.types.objects.values().map(|o| o.size as u64 * o.instances.len() as u64).sum::<u64>();
        let shared = self.shared.values().map(|s| self.elements(s.index) as u64).sum::<u64>();
        if objects + shared > MAX_CELLS {
            let span = self.names.shared.first().map(|s| s.name.span);
            let span = span.or(self.names.heap.first().map(|h| h.name.span)).unwrap_or(Span::none());
            self.error(codes::TOO_LARGE, span, format!("there are more than {MAX_CELLS} cells"));
        }
    }
}
