//! The parts of stated properties, for people: what quantifiers bind, with where it stands in the source.

use crate::collection::PropertyId;
use crate::expr::StateExpr;
use base::Span;

/// A part of a stated property whose truth is worth telling: a conjunct for certain values of what quantifiers bind, or a condition of a temporal
/// formula. No run depends on it, and a text of automata leaves it out as it does spans.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyPart {
    /// The property.
    pub property: PropertyId,
    /// The names that quantifiers bind, each with its value in words.
    pub bindings: Vec<(String, String)>,
    /// What it states.
    pub condition: StateExpr,
    /// The truth of the condition that violates the property by itself; none in a temporal formula.
    pub violating: Option<bool>,
    /// Where it stands.
    pub span: Span,
}
