//! The graph of runs: states, steps between them, and who can step (rules 7.1, 7.2).

use crate::search::Limits;
use crate::state::State;
use crate::world::{End, World};
use rustc_hash::FxHashMap;

/// A step between states of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) to: usize,
    /// The thread; none where a run stays.
    pub(crate) thread: Option<usize>,
    pub(crate) performs_oldest: bool,
    /// Which of the state's steps it is.
    pub(crate) index: usize,
}

/// All states that runs go through.
#[derive(Default)]
pub(crate) struct Runs {
    pub(crate) states: Vec<State>,
    pub(crate) initial: Vec<usize>,
    pub(crate) edges: Vec<Vec<Edge>>,
}

impl Runs {
    /// Whether a thread can step in a state.
    pub(crate) fn can_step(&self, at: usize, t: usize) -> bool {
        self.edges[at].iter().any(|edge| edge.thread == Some(t))
    }

    /// Whether the oldest operation of a thread can be performed in a state.
    pub(crate) fn can_perform(&self, at: usize, t: usize) -> bool {
        self.edges[at].iter().any(|edge| edge.thread == Some(t) && edge.performs_oldest)
    }
}

impl World<'_> {
    /// The graph of all runs; none if there are too many states.
    pub(crate) fn runs(&self, limits: Limits) -> Result<Runs, usize> {
        let mut runs = Runs::default();
        let mut known: FxHashMap<State, Option<usize>> = FxHashMap::default();
        let mut place = |states: &mut Vec<State>, state: State| {
            *known.entry(state).or_insert_with_key(|state| {
                if self.is_refuted(state) {
                    return None;
                }
                states.push(state.clone());
                Some(states.len() - 1)
            })
        };
        for path in self.initial().into_iter().filter(|path| path.end == End::State) {
            let initial = place(&mut runs.states, path.state);
            runs.initial.extend(initial);
        }
        let mut at = 0;
        while at < runs.states.len() {
            let state = runs.states[at].clone();
            let steps = self.steps(&state);
            let is_stuck = steps.is_empty();
            let mut edges = Vec::new();
            for (index, step) in steps.into_iter().enumerate() {
                if step.path.end != End::State {
                    continue;
                }
                if let Some(to) = place(&mut runs.states, step.path.state) {
                    let performs_oldest = step.performs_oldest;
                    edges.push(Edge { to, thread: Some(step.thread), performs_oldest, index });
                }
            }
            // Where a step violates a property the run ends, and nothing else is judged (rule 8.5).
            if is_stuck && !state.has_failed() {
                edges.push(Edge { to: at, thread: None, performs_oldest: false, index: usize::MAX });
            }
            runs.edges.push(edges);
            if runs.states.len() > limits.max_states || self.is_late(limits) {
                return Err(runs.states.len());
            }
            at += 1;
        }
        runs.initial.sort_unstable();
        runs.initial.dedup();
        Ok(runs)
    }
}
