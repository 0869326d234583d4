//! Formulas of linear temporal logic over numbered atoms.

/// A formula. A run is a sequence of letters; each letter says which atoms are true there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// True of every run.
    True,
    /// True of no run.
    False,
    /// The atom is true now.
    Atom(u32),
    /// The operand is not true.
    Not(Box<Formula>),
    /// Both are true.
    And(Box<Formula>, Box<Formula>),
    /// One of them is true.
    Or(Box<Formula>, Box<Formula>),
    /// The second is true if the first is.
    Implies(Box<Formula>, Box<Formula>),
    /// True from the next letter on.
    Next(Box<Formula>),
    /// The second becomes true, and the first is true until then.
    Until(Box<Formula>, Box<Formula>),
    /// The second is true up to and including the point where the first is; forever if there is none.
    Release(Box<Formula>, Box<Formula>),
    /// As until, but the second need not become true if the first is true forever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// True now or later.
    Eventually(Box<Formula>),
    /// True now and forever.
    Always(Box<Formula>),
}

impl Formula {
    /// `not f`
    pub fn negation(f: Formula) -> Formula {
        Formula::Not(Box::new(f))
    }

    /// `f and g`
    pub fn and(f: Formula, g: Formula) -> Formula {
        Formula::And(Box::new(f), Box::new(g))
    }

    /// `f or g`
    pub fn or(f: Formula, g: Formula) -> Formula {
        Formula::Or(Box::new(f), Box::new(g))
    }

    /// `f implies g`
    pub fn implies(f: Formula, g: Formula) -> Formula {
        Formula::Implies(Box::new(f), Box::new(g))
    }

    /// `next f`
    pub fn next(f: Formula) -> Formula {
        Formula::Next(Box::new(f))
    }

    /// `f until g`
    pub fn until(f: Formula, g: Formula) -> Formula {
        Formula::Until(Box::new(f), Box::new(g))
    }

    /// `f release g`
    pub fn release(f: Formula, g: Formula) -> Formula {
        Formula::Release(Box::new(f), Box::new(g))
    }

    /// `f weakly_until g`
    pub fn weak_until(f: Formula, g: Formula) -> Formula {
        Formula::WeakUntil(Box::new(f), Box::new(g))
    }

    /// `eventually f`
    pub fn eventually(f: Formula) -> Formula {
        Formula::Eventually(Box::new(f))
    }

    /// `always f`
    pub fn always(f: Formula) -> Formula {
        Formula::Always(Box::new(f))
    }

    /// The operands, in order.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => Vec::new(),
            Formula::Not(f) | Formula::Next(f) | Formula::Eventually(f) | Formula::Always(f) => vec![f],
            Formula::And(f, g)
            | Formula::Or(f, g)
            | Formula::Implies(f, g)
            | Formula::Until(f, g)
            | Formula::Release(f, g)
            | Formula::WeakUntil(f, g) => vec![f, g],
        }
    }

    /// Whether `next` occurs. Without it, a formula cannot tell a run from one that stutters.
    pub fn has_next(&self) -> bool {
        matches!(self, Formula::Next(_)) || self.operands().into_iter().any(Formula::has_next)
    }

    /// The atoms that occur, a bit each; none if an atom is not below 64.
    pub fn atoms(&self) -> Option<u64> {
        if let Formula::Atom(atom) = self {
            return 1u64.checked_shl(*atom);
        }
        self.operands().into_iter().try_fold(0, |atoms, f| Some(atoms | f.atoms()?))
    }
}
