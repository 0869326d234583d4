//! States that cannot be: all that can follow is discarded (rule 5.6).

use crate::state::{Entry, State};
use crate::world::{End, World};
use rustc_hash::FxHashMap;

/// States that are looked at for one answer.
const MAX_STATES: usize = 200_000;

impl World<'_> {
    /// Whether a state is refuted.
    pub(crate) fn is_refuted(&self, state: &State) -> bool {
        if !state.threads.iter().any(|thread| thread.assumes()) {
            return false;
        }
        let start = watched(state);
        let mut known: FxHashMap<State, usize> = FxHashMap::default();
        let mut states = vec![start.clone()];
        known.insert(start, 0);
        // For each state, those before it; and whether a step of it is discarded.
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut discards: Vec<bool> = vec![false];
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let here = states[at].clone();
            for step in self.steps_of_others(&here) {
                match step.path.end {
                    End::Discarded => {
                        discards[at] = true;
                        continue;
                    }
                    End::Cut => return false,
                    End::State => {}
                }
                let next = freed(step.path.state);
                if !is_watched(&next) {
                    return false;
                }
                let place = *known.entry(next).or_insert_with_key(|next| {
                    states.push(next.clone());
                    before.push(Vec::new());
                    discards.push(false);
                    work.push(states.len() - 1);
                    states.len() - 1
                });
                before[place].push(at);
            }
            if states.len() > MAX_STATES {
                self.hit.locals.set(true);
                return false;
            }
        }
        // Backwards from discarded steps: who is not reached can go on without any.
        let mut work: Vec<usize> = (0..states.len()).filter(|at| discards[*at]).collect();
        while let Some(at) = work.pop() {
            for previous in before[at].clone() {
                if !discards[previous] {
                    discards[previous] = true;
                    work.push(previous);
                }
            }
        }
        discards.iter().all(|can_be_discarded| *can_be_discarded)
    }
}

/// The state with all its assumptions watched.
fn watched(state: &State) -> State {
    let mut state = freed(state.clone());
    for t in 0..state.threads.len() {
        if !state.threads[t].assumes() {
            continue;
        }
        for entry in &mut state.thread(t).queue {
            if let Entry::Access(queued) = entry {
                queued.assumed.iter_mut().for_each(|(_, is_watched)| *is_watched = true);
            }
        }
    }
    state
}

fn is_watched(state: &State) -> bool {
    let mut accesses = state.threads.iter().flat_map(|thread| thread.accesses());
    accesses.any(|queued| queued.assumed.iter().any(|(_, is_watched)| *is_watched))
}

/// A thread that has violated a property lets go of the bus.
fn freed(mut state: State) -> State {
    if state.bus.is_some_and(|holder| state.threads[holder].failed.is_some()) {
        state.bus = None;
    }
    state
}
