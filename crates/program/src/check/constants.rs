//! Parameters, flags and constants: their values in this run, found on demand in any order.

use super::scope::Scope;
use super::select::Override;
use super::{Checker, Constant, Definition};
use crate::codes;
use crate::names::Decl;
use crate::typed::{Expr, ExprKind, SharedKind};
use crate::types::{Range, Type, Value, Wide};
use base::suggest;
use base::{Diagnostic, Span};
use syntax::tree;

impl<'a> Checker<'a> {
    /// Finds the value of every parameter, flag, constant and type, used or not.
    pub(super) fn check_constants(&mut self) {
        for name in self.names.order.clone() {
            let Some(entry) = self.names.get(name) else { continue };
            match entry.decl {
                Decl::Param(..) | Decl::Const(_) => {
                    self.named_constant(name);
                }
                Decl::Flag(..) => {
                    self.flag_word(name);
                }
                Decl::Alias(_) | Decl::Word(_) => {
                    self.type_by_name(name, entry.span);
                }
                _ => {}
            }
        }
    }

    /// The type and value of the parameter or constant `name`.
    pub(super) fn named_constant(&mut self, name: &'a str) -> Constant {
        match self.constants.get(name) {
            Some(Definition::Done(constant)) => return *constant,
            Some(Definition::Begun) => {
                self.cycle(name);
                return (Type::Error, 0);
            }
            None => {}
        }
        if !self.begin_definition(name) {
            return (Type::Error, 0);
        }
        self.constants.insert(name, Definition::Begun);
        let constant = match self.names.get(name).map(|e| e.decl) {
            Some(Decl::Param(ty, default)) => self.param(name, ty, default),
            Some(Decl::Const(value)) => match self.overrides.get(name).copied() {
                Some(Override::Setting(setting)) => self.constant(&setting.value),
                _ => self.constant(value),
            },
            _ => (Type::Error, 0),
        };
        self.constants.insert(name, Definition::Done(constant));
        self.end_definition();
        constant
    }

    /// Reports that `name` is defined by itself.
    pub(super) fn cycle(&mut self, name: &str) {
        let span = self.names.get(name).map_or(Span::none(), |e| e.span);
        self.error(codes::CYCLE, span, format!("`{name}` is defined by itself"));
    }

    fn param(&mut self, name: &str, ty: &'a tree::Type, default: &'a tree::Expr) -> Constant {
        let range = match self.resolve_type(ty) {
            Type::Int(range) => range,
            Type::Error => return (Type::Error, 0),
            other => {
                let message = format!("a parameter is a number, not {}", self.types.show(other));
                self.error(codes::MISMATCH, ty.span, message).hint = Some("write a range such as `1..4`".into());
                return (Type::Error, 0);
            }
        };
        let declared = self.number_within(default, range, name);
        let value = match self.overrides.get(name).copied() {
            Some(Override::Text(text)) => self.number_of_option(name, text, range),
            Some(Override::Setting(setting)) => self.number_within(&setting.value, range, name),
            None => declared,
        };
        value.map_or((Type::Error, 0), |v| (Type::Int(Range::new(v, v)), Wide::from(v)))
    }

    fn number_of_option(&mut self, name: &str, text: &str, range: Range) -> Option<Value> {
        let value = text.trim().parse().ok().filter(|v| range.contains(*v));
        if value.is_none() {
            let message = format!("`{name}` cannot be `{text}`");
            let hint = format!("`{name}` is a number in {}..{}", range.low, range.high);
            self.out.push(Diagnostic::error(codes::OUT_OF_RANGE, Span::none(), message).hint(hint));
        }
        value
    }

    fn number_within(&mut self, expr: &'a tree::Expr, range: Range, name: &str) -> Option<Value> {
        let value = self.constant_number(expr)?;
        if range.contains(value) {
            return Some(value);
        }
        let message = format!("`{name}` cannot be {value}: it is in {}..{}", range.low, range.high);
        self.error(codes::OUT_OF_RANGE, expr.span, message);
        None
    }

    /// The word that the flag `name` is in this run.
    pub(super) fn flag_word(&mut self, name: &'a str) -> Option<&'a str> {
        let Some(Decl::Flag(words, default)) = self.names.get(name).map(|e| e.decl) else { return None };
        let known: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
        let find = |text: &str| known.iter().copied().find(|k| *k == text);
        let is_first = self.constants.insert(name, Definition::Done((Type::Error, 0))).is_none();
        if find(&default.text).is_none() && is_first {
            self.unknown_of(codes::UNKNOWN_WORD, default, &format!("the flag `{name}` has"), "word", &known);
        }
        let (text, span) = match self.overrides.get(name).copied() {
            Some(Override::Text(text)) => (text, Span::none()),
            Some(Override::Setting(setting)) => (setting_word(setting), setting.value.span),
            None => return find(&default.text),
        };
        if find(text).is_none() && is_first {
            let message = format!("`{name}` cannot be `{text}`");
            let hint = format!("`{name}` is one of {}", suggest::list(&known));
            self.error(codes::UNKNOWN_WORD, span, message).hint = Some(hint);
        }
        find(text).or(find(&default.text))
    }

    /// Every parameter and flag with its value, for people.
    pub(super) fn shown_constants(&mut self) -> Vec<(String, String)> {
        let mut shown = Vec::new();
        for name in self.names.order.clone() {
            match self.names.get(name).map(|e| e.decl) {
                Some(Decl::Param(..)) => shown.push((name.to_string(), self.named_constant(name).1.to_string())),
                Some(Decl::Flag(..)) => {
                    shown.push((name.to_string(), self.flag_word(name).unwrap_or_default().to_string()));
                }
                _ => {}
            }
        }
        shown
    }

    /// The type and value of a constant expression.
    pub(super) fn constant(&mut self, expr: &'a tree::Expr) -> Constant {
        self.constant_like(expr, None)
    }

    /// The type and value of a constant expression, where one of type `wanted` should stand.
    pub(super) fn constant_like(&mut self, expr: &'a tree::Expr, wanted: Option<Type>) -> Constant {
        let typed = self.expr_like(&mut Scope::constant(), expr, wanted);
        match (typed.wide(), typed.ty) {
            (_, Type::Error) => (Type::Error, 0),
            (Some(value), ty) => (ty, value),
            (None, _) => {
                let span = changing_part(&typed).unwrap_or(typed.span);
                let hint =
                    "constants are made of numbers, parameters, constants, enum variants and objects of the heap";
                self.error(codes::NOT_CONSTANT, span, "a constant is wanted here").hint = Some(hint.into());
                (Type::Error, 0)
            }
        }
    }

    /// The value of a constant expression that must be a number.
    pub(super) fn constant_number(&mut self, expr: &'a tree::Expr) -> Option<Value> {
        match self.constant(expr) {
            (Type::Int(_), value) => {
                let number = Value::try_from(value).ok();
                if number.is_none() {
                    self.error(
                        codes::OUT_OF_RANGE,
                        expr.span,
                        format!("a number is wanted here, and {value} fits none"),
                    );
                }
                number
            }
            (Type::Error, _) => None,
            (ty, _) => {
                let message = format!("a number is wanted here, not {}", self.types.show(ty));
                self.error(codes::MISMATCH, expr.span, message);
                None
            }
        }
    }
}

/// The word that a setting gives a flag, or nothing.
fn setting_word(setting: &tree::Setting) -> &str {
    match &setting.value.kind {
        tree::ExprKind::Name(name) => &name.text,
        _ => "",
    }
}

/// Where an expression first depends on something that may change.
fn changing_part(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Const(_) => None,
        ExprKind::Load(place) if place.kind != SharedKind::Cell => Some(place.span),
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Size(_) | ExprKind::Part(..) | ExprKind::Build(..) => {
            expr.operands().into_iter().find_map(changing_part)
        }
        _ => Some(expr.span),
    }
}
