//! The second opinion on a lasso. Knows the system and the formula; shares nothing with the search: neither
//! its tables nor the automaton.

use crate::FairSystem;
use crate::fair::letter;
use crate::result::{Lasso, Step};
use ltl::{Formula, Letter, is_violated};
use std::fmt;
use system::Successors;

/// Why a lasso is no counterexample. Positions count the steps of the stem, then those of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LassoFault {
    /// The cycle has no step.
    NoCycle,
    /// It does not begin in an initial state.
    NotInitial,
    /// The system has no such step.
    NoSuchStep {
        /// Which step.
        position: usize,
    },
    /// The run stays in a state that has steps and where it may not stop, or goes elsewhere without one.
    NoStutter {
        /// Which step.
        position: usize,
    },
    /// The component is enabled all along the cycle and takes no step.
    Unfair {
        /// Which component.
        component: u32,
    },
    /// The formula is true of the run.
    FormulaTrue,
}

impl fmt::Display for LassoFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LassoFault::NoCycle => write!(out, "the cycle is empty"),
            LassoFault::NotInitial => write!(out, "it begins in no initial state"),
            LassoFault::NoSuchStep { position } => write!(out, "step {position} does not exist"),
            LassoFault::NoStutter { position } => write!(out, "step {position} stays where there are steps, or moves"),
            LassoFault::Unfair { component } => {
                write!(out, "component {component} is enabled forever and never steps")
            }
            LassoFault::FormulaTrue => write!(out, "the formula is true of it"),
        }
    }
}

impl std::error::Error for LassoFault {}

/// Checks that `lasso` is a run of `system`, fair to the components in the mask, of which `formula` is false.
pub fn check_lasso<S: FairSystem + ?Sized>(
    system: &S,
    formula: &Formula,
    fairness: u64,
    lasso: &Lasso,
) -> Result<(), LassoFault> {
    let run: Vec<&Step> = lasso.stem.iter().chain(&lasso.cycle).collect();
    let back_to = lasso.cycle.first().ok_or(LassoFault::NoCycle)?;
    let mut initial = Successors::new(system.state_len());
    system.initial(&mut initial);
    if !initial.iter().any(|(state, _)| state == run[0].state) {
        return Err(LassoFault::NotInitial);
    }
    let mut scratch = system.scratch();
    let mut letters = Vec::new();
    let mut fair_to = 0;
    for (position, step) in run.iter().enumerate() {
        let next = run.get(position + 1).copied().unwrap_or(back_to);
        let seen = check_step(system, &mut scratch, step, next, position)?;
        letters.push(seen.letter);
        if position >= lasso.stem.len() {
            fair_to |= seen.fair_to;
        }
    }
    let n_components = system.n_components().min(64);
    if let Some(component) = (0..n_components).find(|i| fairness >> i & 1 == 1 && fair_to >> i & 1 == 0) {
        return Err(LassoFault::Unfair { component });
    }
    let (stem, cycle) = letters.split_at(lasso.stem.len());
    if is_violated(formula, stem, cycle) { Ok(()) } else { Err(LassoFault::FormulaTrue) }
}

/// What the formula and fairness see of a step.
struct Seen {
    letter: Letter,
    fair_to: u64,
}

fn check_step<S: FairSystem + ?Sized>(
    system: &S,
    scratch: &mut S::Scratch,
    step: &Step,
    next: &Step,
    position: usize,
) -> Result<Seen, LassoFault> {
    let mut successors = Successors::new(system.state_len());
    system.successors(&step.state, scratch, &mut successors);
    let ended = successors.is_end();
    let exists = match step.label {
        Some(label) => successors.iter().any(|(to, by)| to == next.state && by == label),
        None if (ended || system.may_stop()) && next.state == step.state => true,
        None => return Err(LassoFault::NoStutter { position }),
    };
    if !exists {
        return Err(LassoFault::NoSuchStep { position });
    }
    let stepping = successors.iter().map(|(_, by)| system.taken(by)).fold(0, |all, taken| all | taken);
    let disabled = !system.enabled(&step.state, stepping);
    let taken = step.label.map_or(0, |label| system.taken(label));
    Ok(Seen { letter: letter(system, &step.state, ended), fair_to: disabled | taken })
}
