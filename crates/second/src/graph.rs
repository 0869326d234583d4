//! All states and the steps between them, breadth first; states that cannot be are left out (rules 5.6, 7.1).

use crate::code::Check;
use crate::state::{Entry, State};
use crate::steps::Step;
use crate::world::{End, Path, World};
use base::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Instant;

/// States that are looked at to see whether one is refuted.
const MAX_REFUTING: usize = 200_000;

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states of one search.
    pub max_states: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// A line of a trace: what happened, and where in the text it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The thread, what it did, and what changed.
    pub text: String,
    /// Where.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) to: usize,
    /// The thread; none where a run stays because there is no step.
    pub(crate) thread: Option<usize>,
    pub(crate) performs_oldest: bool,
    /// Which of the state's steps it is.
    pub(crate) index: usize,
}

/// All states that runs go through.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    pub(crate) initial: BTreeSet<usize>,
    pub(crate) edges: Vec<Vec<Edge>>,
    /// Where performing a thread's oldest operation leads to no state.
    pub(crate) lost: BTreeSet<(usize, usize)>,
    /// The place of each known state; none if it cannot be.
    known: FxHashMap<State, Option<usize>>,
    /// The state before each, and which of its steps leads here.
    parents: Vec<Option<(usize, usize)>>,
    /// Every `assert` and `cover` that is passed.
    pub(crate) passed: BTreeSet<Check>,
}

impl World<'_> {
    /// The graph of all runs; the number of states if there are too many.
    pub(crate) fn explore(&self, limits: Limits) -> Result<Graph, usize> {
        let mut graph = Graph::default();
        let initial = self.initial().into_iter().filter_map(|path| self.reach(&mut graph, path, None)).collect();
        graph.initial = initial;
        let mut at = 0;
        while at < graph.states.len() {
            let state = graph.states[at].clone();
            let steps = self.steps(&state);
            let mut edges = Vec::new();
            // Where a step violates a property the run ends, and nothing else is judged (rule 8.5).
            if steps.is_empty() && !state.has_failed() {
                edges.push(Edge { to: at, thread: None, performs_oldest: false, index: 0 });
            }
            // To temporal properties, going round is a step (rule 2.6).
            let spinning = state.threads.iter().filter(|thread| thread.spins && !state.has_failed());
            edges.extend(spinning.map(|it| Edge { to: at, thread: Some(it.id), performs_oldest: false, index: 0 }));
            for (index, Step { thread, performs_oldest, path, .. }) in steps.into_iter().enumerate() {
                let may_be_lost = performs_oldest && path.end != End::Cut;
                match self.reach(&mut graph, path, Some((at, index))) {
                    Some(to) => edges.push(Edge { to, thread: Some(thread), performs_oldest, index }),
                    None => graph.lost.extend(may_be_lost.then_some((at, thread))),
                }
            }
            graph.edges.push(edges);
            if graph.states.len() > limits.max_states || limits.is_over() {
                return Err(graph.states.len());
            }
            at += 1;
        }
        Ok(graph)
    }

    /// The place of the state that a step leads to; none if it leads to none.
    fn reach(&self, graph: &mut Graph, path: Path, parent: Option<(usize, usize)>) -> Option<usize> {
        let Path { state, passed, end } = path;
        // Where a step violates something, nothing is covered.
        let has_failed = state.has_failed();
        let counts = |check: &Check| matches!(check, Check::Assert(_)) || !has_failed;
        let place = match end {
            End::Discarded => return None,
            End::Cut if self.is_refuted(&state) => return None,
            End::Cut => None,
            End::State => {
                let place = *graph.known.entry(state).or_insert_with_key(|state| {
                    let is_refuted = self.is_refuted(state);
                    graph.states.extend((!is_refuted).then(|| state.clone()));
                    graph.parents.extend((!is_refuted).then_some(parent));
                    (!is_refuted).then(|| graph.states.len() - 1)
                });
                Some(place?)
            }
        };
        graph.passed.extend(passed.into_iter().filter(counts));
        place
    }

    pub(crate) fn trace(&self, graph: &Graph, at: usize) -> Vec<Line> {
        let Some((parent, index)) = graph.parents[at] else {
            return vec![Line { text: "the first state".into(), span: Span::none() }];
        };
        let mut lines = self.trace(graph, parent);
        lines.extend(self.line(&graph.states[parent], index));
        lines
    }

    /// What a step of a state does, and what changes.
    pub(crate) fn line(&self, before: &State, index: usize) -> Option<Line> {
        let step = self.steps(before).into_iter().nth(index)?;
        let (mut text, after) = (format!("{}:", self.code[step.thread].name), &step.path.state);
        let values = before.memory.values().iter().zip(after.memory.values()).zip(&self.layout.names);
        for ((_, now), (name, ty)) in values.filter(|((then, now), _)| then != now) {
            text.push_str(&format!(" {name} is {};", self.program.types.show_value(*ty, *now as i32)));
        }
        text.push_str(if after.has_failed() { " violated" } else { " goes on" });
        Some(Line { text, span: step.span })
    }

    /// Whether a state is refuted (rule 5.6).
    pub(crate) fn is_refuted(&self, state: &State) -> bool {
        if state.threads.iter().all(|thread| thread.accesses().all(|queued| queued.assumed.is_empty())) {
            return false;
        }
        let mut states = vec![watched(state)];
        let mut known: FxHashMap<State, usize> = FxHashMap::from_iter([(states[0].clone(), 0)]);
        // For each state, those before it; and whether a step of it is discarded.
        let (mut before, mut discards, mut work) = (vec![Vec::new()], vec![false], vec![0]);
        while let Some(at) = work.pop() {
            for step in self.steps_of_others(&states[at].clone()) {
                let next = freed(step.path.state);
                let accesses = || next.threads.iter().flat_map(|thread| thread.accesses());
                let is_watched = accesses().any(|queued| queued.assumed.values().any(|is_watched| *is_watched));
                match step.path.end {
                    End::Discarded => discards[at] = true,
                    End::State if is_watched => {
                        let place = *known.entry(next).or_insert_with_key(|next| {
                            states.push(next.clone());
                            before.push(Vec::new());
                            discards.push(false);
                            work.push(states.len() - 1);
                            states.len() - 1
                        });
                        before[place].push(at);
                    }
                    _ => return false,
                }
            }
            if states.len() > MAX_REFUTING {
                self.has_given_up.set(true);
                return false;
            }
        }
        // Backwards from discarded steps: who is not reached can continue without any.
        let mut work: Vec<usize> = (0..states.len()).filter(|at| discards[*at]).collect();
        while let Some(at) = work.pop() {
            for previous in &before[at] {
                if !std::mem::replace(&mut discards[*previous], true) {
                    work.push(*previous);
                }
            }
        }
        !discards.contains(&false)
    }
}

impl Limits {
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() > end)
    }
}

/// The state with all its assumptions watched.
fn watched(state: &State) -> State {
    let mut state = freed(state.clone());
    for t in 0..state.threads.len() {
        for queued in state.thread(t).queue.iter_mut().filter_map(Entry::access_mut) {
            queued.assumed.values_mut().for_each(|is_watched| *is_watched = true);
        }
    }
    state
}

/// A thread that has violated a property releases the bus.
fn freed(mut state: State) -> State {
    state.bus = state.bus.filter(|holder| state.threads[*holder].failed.is_none());
    state
}
