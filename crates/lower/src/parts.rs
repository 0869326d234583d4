//! The parts of properties that people want to hear of: what alone violates one, for certain values of what quantifiers bind.

use crate::cells::value_names;
use crate::properties::Stating;
use automata::{Expr, PropertyId, PropertyPart};
use base::table::Id;
use program::typed::{self, BinaryOp, ExprKind, LocalId, Quantifier, UnaryOp};

/// So many parts of one property are listed.
const MAX_PARTS: usize = 2_048;

/// The parts of one property, as they are found.
pub(crate) struct Parts {
    pub(crate) property: PropertyId,
    bindings: Vec<(String, String)>,
    pub(crate) found: Vec<PropertyPart>,
}

impl Parts {
    pub(crate) fn of(property: PropertyId) -> Self {
        Parts { property, bindings: Vec::new(), found: Vec::new() }
    }
}

impl Stating<'_> {
    /// Adds the parts of `expr` that violate the property if they are `violating`.
    pub(crate) fn parts(&mut self, expr: &typed::Expr, violating: bool, parts: &mut Parts) {
        match (&expr.kind, violating) {
            (ExprKind::Quantified(Quantifier::All, local, body), false)
            | (ExprKind::Quantified(Quantifier::Exists, local, body), true) => {
                self.for_each_value(*local, parts, |stating, parts| stating.parts(body, violating, parts));
            }
            (ExprKind::Binary(BinaryOp::And, left, right), false)
            | (ExprKind::Binary(BinaryOp::Or, left, right), true) => {
                self.parts(left, violating, parts);
                self.parts(right, violating, parts);
            }
            (ExprKind::Binary(BinaryOp::Implies, left, right), true) => {
                self.parts(left, false, parts);
                self.parts(right, true, parts);
            }
            (ExprKind::Unary(UnaryOp::Not, operand), _) => self.parts(operand, !violating, parts),
            _ => self.part(expr, Some(violating), parts),
        }
    }

    /// Adds the conditions of a temporal formula.
    pub(crate) fn parts_of_formula(&mut self, formula: &typed::Formula, parts: &mut Parts) {
        match formula {
            typed::Formula::State(condition) => self.part(condition, None, parts),
            typed::Formula::Not(f) => self.parts_of_formula(f, parts),
            typed::Formula::Join(_, f, g) => {
                self.parts_of_formula(f, parts);
                self.parts_of_formula(g, parts);
            }
            typed::Formula::Temporal(_, operands) => operands.iter().for_each(|f| self.parts_of_formula(f, parts)),
            typed::Formula::Quantified(_, local, f) => {
                self.for_each_value(*local, parts, |stating, parts| stating.parts_of_formula(f, parts));
            }
        }
    }

    fn for_each_value(&mut self, local: LocalId, parts: &mut Parts, mut go_on: impl FnMut(&mut Self, &mut Parts)) {
        let declared = &self.locals[local];
        let names = value_names(&self.program.types, declared.ty);
        for value in self.program.types.range(declared.ty).values() {
            if parts.found.len() >= MAX_PARTS {
                return;
            }
            let name = names.iter().find(|(named, _)| *named == value).map(|(_, name)| name.clone());
            self.bindings[local.index()] = value;
            parts.bindings.push((declared.name.clone(), name.unwrap_or_else(|| value.to_string())));
            go_on(self, parts);
            parts.bindings.pop();
        }
    }

    fn part(&mut self, expr: &typed::Expr, violating: Option<bool>, parts: &mut Parts) {
        let condition = self.expr(expr);
        if !matches!(condition, Expr::Const(_)) {
            let (property, bindings, span) = (parts.property, parts.bindings.clone(), expr.span);
            parts.found.push(PropertyPart { property, bindings, condition, violating, span });
        }
    }
}
