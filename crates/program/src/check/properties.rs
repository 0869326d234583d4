//! Properties: invariants, forbidden outcomes, temporal formulas, covers, and registers that nothing reads.

use super::Checker;
use super::expressions::wrong;
use super::scope::{Place, Scope};
use crate::codes;
use crate::names::{PropertyItem, duplicate};
use crate::typed::{Cover, CoverId, Formula, Property, PropertyId, PropertyKind};
use base::{Diagnostic, Span, Table};
use syntax::tree::Name;

/// Properties that every system has; their names are taken.
pub(super) const BUILT_IN: [&str; 4] = ["deadlock", "valid_reference", "in_range", "data_race"];

impl<'a> Checker<'a> {
    /// Declares the names of all stated properties, before any assertion may use one.
    pub(super) fn check_properties_named(&mut self) {
        for (item, name, _) in self.names.properties.clone() {
            self.check_property_name(name);
            let locals = Table::new();
            let (text, span) = (name.text.clone(), name.span);
            match item {
                PropertyItem::Cover => {
                    self.covers.push(Cover { name: text, span, condition: Some(wrong(span)), locals });
                }
                PropertyItem::State(kind, level) => self.declare_property(name, kind(wrong(span)), level),
                PropertyItem::Ltl { is_fair } => {
                    let formula = Formula::State(wrong(span));
                    self.declare_property(name, PropertyKind::Ltl { formula, is_fair }, 1);
                }
            }
        }
    }

    fn declare_property(&mut self, name: &Name, kind: PropertyKind, level: u32) {
        let (name, span) = (name.text.clone(), name.span);
        self.properties.push(Property { name, span, kind, level, locals: Table::new() });
    }

    fn check_property_name(&mut self, name: &Name) {
        let stated = self.properties.values().map(|p| (&p.name, p.span));
        let covers = self.covers.values().map(|c| (&c.name, c.span));
        if let Some((_, first)) = stated.chain(covers).find(|(n, _)| **n == name.text) {
            self.out.push(duplicate(name, first, "a property"));
        } else if BUILT_IN.contains(&name.text.as_str()) {
            self.built_in(name);
        }
    }

    fn built_in(&mut self, name: &Name) {
        let message = format!("`{}` is a property that every program has", name.text);
        self.error(codes::DUPLICATE, name.span, message).hint = Some("choose another name".into());
    }

    /// The property that an `assert` names, or one made up from its line.
    pub(super) fn asserted(&mut self, name: Option<&Name>, span: Span) -> PropertyId {
        let text = name.map_or_else(|| self.line_name(span), |n| n.text.clone());
        if let Some((id, property)) = self.properties.iter().find(|(_, p)| p.name == text) {
            let first = property.span;
            if let (Some(name), false) = (name, matches!(property.kind, PropertyKind::Assert)) {
                self.out.push(duplicate(name, first, "an invariant, a forbidden outcome or a temporal formula"));
            }
            return id;
        }
        if let Some(name) = name.filter(|n| BUILT_IN.contains(&n.text.as_str())) {
            self.built_in(name);
        }
        let span = name.map_or(span, |n| n.span);
        self.properties.push(Property { name: text, span, kind: PropertyKind::Assert, level: 1, locals: Table::new() })
    }

    /// `assert_line_7`, with the file's name unless it is the root file's.
    fn line_name(&self, span: Span) -> String {
        let Some((source, place)) = self.loaded.sources.place(span) else { return "assert".into() };
        let line = place.line;
        if span.file == self.loaded.root {
            return format!("assert_line_{line}");
        }
        let stem = std::path::Path::new(&source.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        format!("assert_line_{line}_of_{}", stem.unwrap_or_default())
    }

    /// The cover property that a `cover` statement names.
    pub(super) fn covered(&mut self, name: &Name) -> CoverId {
        if let Some((id, cover)) = self.covers.iter().find(|(_, c)| c.name == name.text) {
            if cover.condition.is_some() {
                let first = cover.span;
                self.out.push(duplicate(name, first, "a cover property with a condition on states"));
            }
            return id;
        }
        self.covers.push(Cover { name: name.text.clone(), span: name.span, condition: None, locals: Table::new() })
    }

    /// Checks the conditions of all stated properties.
    pub(super) fn check_properties(&mut self) {
        let (mut properties, mut covers) = (0.., 0..);
        for (item, _, condition) in self.names.properties.clone() {
            let mut scope = Scope::new(Place::Property, None);
            let kind = match item {
                PropertyItem::Cover => {
                    let expr = self.condition(&mut scope, condition);
                    let cover = &mut self.covers[CoverId(covers.next().unwrap_or_default())];
                    (cover.condition, cover.locals) = (Some(expr), scope.locals);
                    continue;
                }
                PropertyItem::State(kind, _) => kind(self.condition(&mut scope, condition)),
                PropertyItem::Ltl { is_fair } => {
                    let formula = self.formula(&mut scope, condition);
                    self.check_atoms(&formula, &scope, condition.span);
                    PropertyKind::Ltl { formula, is_fair }
                }
            };
            let property = &mut self.properties[PropertyId(properties.next().unwrap_or_default())];
            (property.kind, property.locals) = (kind, scope.locals);
        }
    }

    /// Warns of registers that nothing reads.
    pub(super) fn report_unused(&mut self) {
        for (span, name) in std::mem::take(&mut self.unread) {
            self.out.push(
                Diagnostic::warning(codes::UNUSED_REGISTER, span, format!("the register `{name}` is never read")).hint(
                    format!("call it `_{name}` to keep it, or write the operation alone if it changes something"),
                ),
            );
        }
    }
}
