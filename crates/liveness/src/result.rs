//! What a check says: verdict and lasso.

use system::{Limit, Statistics};

/// What a check has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct LivenessResult {
    /// The verdict.
    pub verdict: Verdict,
    /// What was done.
    pub statistics: Statistics,
}

/// The verdict of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every fair run makes the formula true.
    Holds,
    /// A fair run of which the formula is false. `check_lasso` has confirmed it.
    Violated(Lasso),
    /// A limit stopped the check before it had seen everything.
    Inconclusive(Limit),
}

/// An infinite run: the stem, then the cycle forever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// From an initial state; the last step leads to the first state of the cycle. May be empty.
    pub stem: Vec<Step>,
    /// At least one step; the last leads to the first state of the cycle.
    pub cycle: Vec<Step>,
}

impl Lasso {
    /// How many steps it has, those of the cycle counted once.
    #[expect(clippy::len_without_is_empty, reason = "a lasso has a step")]
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
}

/// A state of a run, and the step by which the run leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state.
    pub state: Vec<u32>,
    /// The label of the step to the next state; none if the run stays: there is no step, or the others stop.
    pub label: Option<u8>,
}
