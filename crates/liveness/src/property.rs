//! Properties ready to be checked: a formula with the automaton of its negation.

use crate::{FairSystem, LivenessResult, check};
use ltl::{Automaton, Formula, TooLarge, translate};
use system::{Control, Limits};

/// The atom that is true in states without steps. The search knows it; systems need not.
pub const ENDED: u32 = 63;

/// A formula, and the automaton that accepts the runs of which it is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    formula: Formula,
    negation: Automaton,
}

impl Property {
    /// The property that `formula` is true of every fair run.
    pub fn new(formula: Formula) -> Result<Self, TooLarge> {
        let negation = translate(&Formula::negation(formula.clone()))?;
        Ok(Property { formula, negation })
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The automaton of the formula's negation.
    pub fn negation(&self) -> &Automaton {
        &self.negation
    }
}

/// Every run ends: it comes to a state without steps, or to one where the atom `end` is true.
pub fn terminates(end: Option<u32>) -> Formula {
    Formula::eventually(ends(end))
}

/// No run comes to a state without steps, except where the atom `allowed` is true.
pub fn deadlock_free(allowed: Option<u32>) -> Formula {
    let stuck = Formula::Atom(ENDED);
    let allowed = allowed.map_or(Formula::False, Formula::Atom);
    Formula::always(Formula::implies(stuck, allowed))
}

fn ends(end: Option<u32>) -> Formula {
    let ended = Formula::Atom(ENDED);
    end.map_or(ended.clone(), |end| Formula::or(ended, Formula::Atom(end)))
}

/// Looks for a fair run that never ends: see `terminates`. Fairness is that of the components in the mask.
pub fn never_terminates<S: FairSystem + ?Sized>(
    system: &S,
    end: Option<u32>,
    fairness: u64,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<LivenessResult, TooLarge> {
    Ok(check(system, &Property::new(terminates(end))?, fairness, limits, control))
}

/// Looks for a run into a state without steps: see `deadlock_free`. Fairness does not matter.
pub fn deadlock<S: FairSystem + ?Sized>(
    system: &S,
    allowed: Option<u32>,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<LivenessResult, TooLarge> {
    Ok(check(system, &Property::new(deadlock_free(allowed))?, 0, limits, control))
}
