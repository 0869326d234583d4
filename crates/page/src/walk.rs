//! A walk: states reached by choosing among enabled steps, executed by the plain interpreter.

use machine::{Interpreter, PlainState, PlainStep};
use workbench::ReplayError;

/// A way from an initial state, with all the steps that were open on it.
pub struct Walk {
    /// For each initial state, what each thread did before its first step.
    pub beginnings: Vec<Vec<PlainStep>>,
    /// Which of them it was.
    pub initial: usize,
    /// The states, from the initial one on.
    pub visits: Vec<Visit>,
}

/// A state of a walk.
pub struct Visit {
    /// The state.
    pub state: PlainState,
    /// The enabled steps, by position.
    pub enabled: Vec<PlainStep>,
    /// Whether a path was discarded: then a state without steps is no deadlock.
    pub discarded: bool,
    /// The position of the step taken from here; none in the last state.
    pub taken: Option<usize>,
}

impl Walk {
    /// What each thread did before its first step.
    pub fn begun(&self) -> &[PlainStep] {
        &self.beginnings[self.initial]
    }

    /// What happened in the steps taken.
    pub fn taken(&self) -> Vec<PlainStep> {
        self.visits.iter().filter_map(|visit| Some(visit.enabled[visit.taken?].clone())).collect()
    }
}

/// Takes `steps`, each a position among the enabled ones, from the initial state `initial`.
pub fn walk(interpreter: &Interpreter<'_>, initial: usize, steps: &[usize]) -> Result<Walk, ReplayError> {
    let (beginnings, mut states): (Vec<Vec<PlainStep>>, Vec<PlainState>) = interpreter.initial().into_iter().unzip();
    if initial >= states.len() {
        return Err(ReplayError::NoInitial(initial));
    }
    let mut state = states.swap_remove(initial);
    let mut visits = Vec::with_capacity(steps.len() + 1);
    for n in 0..=steps.len() {
        let successors = interpreter.run_successors(&state);
        let (enabled, mut states): (Vec<PlainStep>, Vec<PlainState>) = successors.steps.into_iter().unzip();
        let taken = steps.get(n).copied();
        if taken.is_some_and(|step| step >= enabled.len()) {
            return Err(ReplayError::NotEnabled(n + 1));
        }
        let next = taken.map(|step| states.swap_remove(step));
        visits.push(Visit { state, enabled, discarded: successors.discarded, taken });
        match next {
            Some(next) => state = next,
            None => break,
        }
    }
    Ok(Walk { beginnings, initial, visits })
}
