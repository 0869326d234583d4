//! Invariants, forbidden outcomes, covers and temporal properties.

use super::builder::Builder;
use super::leaves::Leaves;

impl Builder {
    /// Writes a few properties.
    pub fn write_properties(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            self.write_property();
        }
        for feature in self.features.clone() {
            (feature.properties)(self);
        }
    }

    fn write_property(&mut self) {
        let text = match self.random.below(8) {
            0..=2 => format!("invariant {}: {}", self.fresh("i"), self.likely(Leaves::PROPERTY)),
            3 | 4 => format!("forbid {}: not {}", self.fresh("f"), self.likely(Leaves::PROPERTY)),
            5 | 6 => format!("cover {}: {}", self.fresh("k"), self.condition(Leaves::PROPERTY, 2)),
            _ => self.temporal(),
        };
        self.items.push(text);
    }

    /// A condition that is mostly true: one that is false at once hides all that comes later.
    pub fn likely(&mut self, leaves: Leaves) -> String {
        let (a, b) = (self.condition(leaves, 1), self.condition(leaves, 1));
        match self.random.below(10) {
            0 | 1 => a,
            2..=4 => format!("({a} or {b})"),
            5 | 6 => format!("({a} implies {b})"),
            7 => format!("(not ({a} and {b}))"),
            _ => format!("({a} or {b} or {})", self.condition(leaves, 1)),
        }
    }

    /// An invariant, and the same twice in temporal words: all three are violated, or none.
    pub fn write_thrice(&mut self) {
        let (name, condition) = (self.fresh("i"), self.likely(Leaves::PROPERTY));
        self.items.push(format!("invariant {name}: {condition}"));
        self.items.push(format!("ltl {name}_always: always {condition}"));
        self.items.push(format!("ltl {name}_never: not eventually (not {condition})"));
    }

    /// A temporal property.
    pub fn temporal(&mut self) -> String {
        let formula = self.formula(2);
        let fairly = if self.random.percent(50) { " fairly" } else { "" };
        format!("ltl {}: {formula}{fairly}", self.fresh("e"))
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.condition(Leaves::PROPERTY, 1);
        }
        match self.random.below(10) {
            0 | 1 => format!("(always {})", self.formula(depth - 1)),
            2 | 3 => format!("(eventually {})", self.formula(depth - 1)),
            4 => format!("(next {})", self.formula(depth - 1)),
            5 => {
                let word = self.random.pick(&["until", "weakly_until", "release"]);
                format!("({} {word} {})", self.formula(depth - 1), self.formula(depth - 1))
            }
            6 => format!("(not {})", self.formula(depth - 1)),
            7 => {
                let word = self.random.pick(&["and", "or", "implies"]);
                format!("({} {word} {})", self.formula(depth - 1), self.formula(depth - 1))
            }
            _ => self.formula(depth - 1),
        }
    }
}
