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
        let condition = self.condition(Leaves::PROPERTY, 2);
        let text = match self.random.below(8) {
            0..=2 => format!("invariant {}: {condition}", self.fresh("i")),
            3 | 4 => format!("forbid {}: {condition}", self.fresh("f")),
            5 | 6 => format!("cover {}: {condition}", self.fresh("k")),
            _ => self.temporal(),
        };
        self.items.push(text);
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
