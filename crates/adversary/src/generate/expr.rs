//! Expressions of every type.

use super::builder::Builder;
use super::leaves::Leaves;
use super::types::{HUES, OBJECTS, PARTS, Ty};

/// Amounts by which numbers are shifted, and with which they are calculated, to leave every range.
const EDGES: [&str; 10] = ["0", "1", "2", "31", "32", "62", "65", "2147483647", "(-1)", "(-2147483647 - 1)"];

impl Builder {
    /// A constant of a type.
    pub fn constant(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => self.random.pick(&["false", "true"]).into(),
            Ty::Num(low, high) => self.random.between(*low, *high).to_string(),
            Ty::Hue => self.random.pick(&HUES).into(),
            Ty::Pair => {
                let (low, up) = (self.random.below(2), self.random.pick(&["false", "true"]));
                format!("Pair({low}, {up})")
            }
            Ty::Node(true) if self.random.percent(40) => "null".into(),
            Ty::Node(_) => self.random.pick(&OBJECTS).into(),
            Ty::Set(element) => {
                let elements: Vec<String> = (0..self.random.below(3)).map(|_| self.constant(element)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            Ty::Queue(element) if self.random.percent(50) => format!("push({{}}, {})", self.constant(element)),
            Ty::Queue(_) => "{}".into(),
        }
    }

    /// An expression of a type; seldom one outside its range.
    pub fn expr(&mut self, ty: &Ty, leaves: Leaves, depth: usize) -> String {
        match ty {
            Ty::Bool => self.condition(leaves, depth),
            Ty::Num(low, high) => {
                if self.random.percent(self.wild) && self.has_number(leaves) {
                    self.wild_number(leaves, depth)
                } else {
                    self.number(*low, *high, leaves, depth)
                }
            }
            Ty::Set(element) => self.set(element, leaves, depth),
            Ty::Queue(element) => self.queue(element, leaves, depth),
            Ty::Pair => self.pair(leaves, depth),
            Ty::Hue | Ty::Node(_) => self.reference(ty, leaves),
        }
    }

    fn reference(&mut self, ty: &Ty, leaves: Leaves) -> String {
        let loose = self.random.percent(self.wild.max(5));
        if self.random.percent(65)
            && let Some((text, _)) = self.leaf(leaves, &|t| if loose { ty.takes(t) } else { ty.holds(t) })
        {
            return text;
        }
        self.constant(ty)
    }

    fn pair(&mut self, leaves: Leaves, depth: usize) -> String {
        if self.random.percent(50) || depth == 0 {
            return match self.leaf(leaves, &|t| *t == Ty::Pair) {
                Some((text, _)) => text,
                None => self.constant(&Ty::Pair),
            };
        }
        let parts: Vec<String> = PARTS.iter().map(|(_, ty)| self.expr(ty, leaves, depth - 1)).collect();
        format!("Pair({})", parts.join(", "))
    }

    /// A number in the range, as far as that is known.
    pub fn number(&mut self, low: i64, high: i64, leaves: Leaves, depth: usize) -> String {
        let ty = Ty::Num(low, high);
        match self.random.weighted(&[3, 6, if depth > 0 { 2 } else { 0 }]) {
            1 => match self.leaf(leaves, &|t| ty.holds(t)) {
                Some((text, _)) => text,
                None => self.constant(&ty),
            },
            2 => self.computed(low, high, leaves, depth - 1),
            _ => self.constant(&ty),
        }
    }

    fn computed(&mut self, low: i64, high: i64, leaves: Leaves, depth: usize) -> String {
        let any = |b: &mut Builder| match b.leaf(leaves, &|t| matches!(t, Ty::Num(0.., _))) {
            Some((text, _)) => text,
            None => b.random.below(3).to_string(),
        };
        match self.random.below(5) {
            0 if low == 0 && (high + 1).count_ones() == 1 => format!("({} & {high})", any(self)),
            1 if low == 0 && high < 1000 => format!("({} % {})", any(self), high + 1),
            2 if low == 0 => format!("({high} - {})", self.number(0, high, leaves, depth)),
            3 if low == 0 && high > 0 => format!("({} ^ {})", self.number(0, 1, leaves, depth), self.random.below(2)),
            4 if self.has_pair && low <= 0 && high >= 1 => match self.leaf(leaves, &|t| *t == Ty::Pair) {
                Some((text, _)) => format!("{text}.low"),
                None => self.constant(&Ty::Num(low, high)),
            },
            _ => self.constant(&Ty::Num(low, high)),
        }
    }

    /// A number that may leave any range, or have no value. It is no constant: constants out of range are refused.
    pub fn wild_number(&mut self, leaves: Leaves, depth: usize) -> String {
        let leaf = self.leaf(leaves, &|t| matches!(t, Ty::Num(..)));
        let Some((leaf, ty)) = leaf else { return "0".into() };
        if depth == 0 || self.random.percent(25) {
            return leaf;
        }
        let operator = self.random.pick(&["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "+", "-"]);
        let other = match self.random.below(3) {
            0 => self.wild_number(leaves, depth - 1),
            1 => self.constant(&ty),
            _ => self.random.pick(&EDGES).into(),
        };
        match self.random.below(3) {
            0 => format!("({other} {operator} {leaf})"),
            _ if (operator == "/" || operator == "%") && other == "0" => format!("(-{leaf})"),
            _ => format!("({leaf} {operator} {other})"),
        }
    }

    /// Whether there is a number that is no constant.
    pub fn has_number(&mut self, leaves: Leaves) -> bool {
        let before = self.random.clone();
        let found = (0..4).any(|_| self.leaf(leaves, &|t| matches!(t, Ty::Num(..))).is_some());
        self.random = before;
        found
    }

    /// A condition.
    pub fn condition(&mut self, leaves: Leaves, depth: usize) -> String {
        if depth > 0 && self.random.percent(30) {
            let (left, right) = (self.condition(leaves, depth - 1), self.condition(leaves, depth - 1));
            return match self.random.below(4) {
                0 => format!("({left} and {right})"),
                1 => format!("({left} or {right})"),
                2 => format!("({left} implies {right})"),
                _ => format!("(not {left})"),
            };
        }
        if depth > 0 && !leaves.property && self.random.percent(8) {
            return self.half_known(leaves, depth);
        }
        let observation = if leaves.property { 45 } else { 0 };
        if self.random.percent(observation) {
            return self.observation(leaves, depth);
        }
        self.comparison(leaves, depth)
    }

    /// A condition of which a part is a constant for some copies of a thread, or for some values of a quantifier.
    fn half_known(&mut self, leaves: Leaves, depth: usize) -> String {
        let open = self.condition(leaves, depth - 1);
        let word = self.random.pick(&["and", "or", "implies"]);
        let bound = format!("q{depth}");
        let name = if self.scope.copies.is_some() && self.random.percent(50) { "self" } else { &bound };
        let known = format!("({name} {} {})", self.random.pick(&["==", "!=", "<"]), self.random.below(2));
        let (left, right) = if self.random.percent(50) { (known, open) } else { (open, known) };
        let quantifier = self.random.pick(&["all", "exists"]);
        match name == bound {
            true => format!("({quantifier} {bound} in 0..1: ({left} {word} {right}))"),
            false => format!("({left} {word} {right})"),
        }
    }

    fn comparison(&mut self, leaves: Leaves, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        let Some((left, ty)) = self.leaf(leaves, &|_| true) else {
            return self.random.pick(&["true", "false", "(0 == 0)", "(1 == 0)"]).into();
        };
        match &ty {
            Ty::Bool if self.random.percent(60) => left,
            Ty::Num(low, high) => {
                let operator = self.random.pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
                let right = if self.random.percent(self.wild) && self.has_number(leaves) {
                    self.wild_number(leaves, depth)
                } else {
                    self.number(*low, *high, leaves, depth)
                };
                format!("({left} {operator} {right})")
            }
            Ty::Pair if self.random.percent(50) => format!("{left}.up"),
            Ty::Set(element) | Ty::Queue(element) if self.random.percent(60) => match self.random.below(2) {
                0 => format!("({} in {left})", self.expr(element, leaves, 0)),
                _ => format!("(size({left}) {} {})", self.random.pick(&["==", ">"]), self.random.below(3)),
            },
            _ => {
                let operator = self.random.pick(&["==", "!="]);
                let right = match &ty {
                    Ty::Node(_) => self.expr(&Ty::Node(true), leaves, depth),
                    ty => self.expr(ty, leaves, depth),
                };
                format!("({left} {operator} {right})")
            }
        }
    }

    /// A set of such elements.
    pub fn set(&mut self, element: &Ty, leaves: Leaves, depth: usize) -> String {
        let ty = Ty::Set(Box::new(element.clone()));
        let whole = match self.leaf(leaves, &|t| *t == ty) {
            Some((text, _)) if self.random.percent(80) => text,
            _ if self.random.percent(15) => format!("(every {})", element.text()),
            _ => self.constant(&ty),
        };
        // A list in braces takes its type from what it stands beside.
        if depth == 0 || whole.starts_with('{') || self.random.percent(20) {
            return whole;
        }
        let one = self.expr(element, leaves, 0);
        match self.random.below(5) {
            0 | 1 => format!("({whole} with {one})"),
            2 => format!("({whole} without {one})"),
            3 => format!("({whole} union {})", self.set(element, leaves, 0)),
            _ => format!("({whole} minus {})", self.set(element, leaves, 0)),
        }
    }

    fn queue(&mut self, element: &Ty, leaves: Leaves, depth: usize) -> String {
        let ty = Ty::Queue(Box::new(element.clone()));
        let Some((whole, _)) = self.leaf(leaves, &|t| *t == ty) else { return self.constant(&ty) };
        if depth == 0 {
            return whole;
        }
        match self.random.below(4) {
            0 => whole,
            1 => format!("pop({whole})"),
            _ => format!("push({whole}, {})", self.expr(element, leaves, 0)),
        }
    }
}
