//! What a check says: verdict, lasso, statistics.

use std::sync::atomic::AtomicBool;
use system::Limit;

/// How a check and its surroundings talk to one another.
pub struct Control<'a> {
    /// Set by others to stop the check.
    pub stop: &'a AtomicBool,
    /// Called now and then with what has been done so far.
    pub progress: &'a (dyn Fn(&Statistics) + Sync),
}

/// What a check has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
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

/// An infinite run: the stem, then the cycle for ever.
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
    /// The label of the step to the next state; none if there is no step and the run stays here for ever.
    pub label: Option<u8>,
}

/// What a check has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states of the system.
    pub states: u64,
    /// Distinct pairs of a state of the system and a state of the automaton with what it remembers. `max_states` speaks of these.
    pub pairs: u64,
    /// Steps of the system.
    pub transitions: u64,
    /// Steps of pairs, including those to pairs already seen.
    pub moves: u64,
    /// The longest path that the search was on.
    pub depth: u64,
    /// Wall time.
    pub seconds: f64,
    /// The most bytes held for states and tables.
    pub peak_bytes: u64,
}
