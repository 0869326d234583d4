//! States in which something was performed on an assumption that cannot turn out right (semantics 5.6): they do not exist.

use crate::rules::interpreter::{Interpreter, PlainState};
use crate::rules::local::{Local, Mode};
use automata::Automata;
use base::table::Id;
use rustc_hash::FxHashMap;

impl Interpreter<'_> {
    /// Whether every way on from `state` is discarded before all assumptions that are open in it are settled.
    pub fn is_refuted(&self, state: &PlainState) -> bool {
        if !state.locals.iter().any(Local::has_assumption) {
            return false;
        }
        let mut start = state.clone();
        let entries = start.locals.iter_mut().flat_map(|local| &mut local.queue);
        entries.for_each(|entry| entry.is_in_doubt = entry.is_overtaken());
        self.release_bus(&mut start);
        let mut numbers: FxHashMap<PlainState, usize> = FxHashMap::default();
        let mut found = vec![Found { before: Vec::new(), discards: false }];
        numbers.insert(start.clone(), 0);
        let mut open = vec![(start, 0)];
        while let Some((state, number)) = open.pop() {
            if !state.locals.iter().any(is_in_doubt) || self.budget().look().is_some() {
                return false;
            }
            let successors = self.successors(&state);
            found[number].discards = successors.discarded;
            for (_, mut next) in successors.steps {
                self.release_bus(&mut next);
                let known = numbers.get(&next).copied();
                let target = known.unwrap_or(found.len());
                if known.is_none() {
                    found.push(Found::default());
                    numbers.insert(next.clone(), target);
                    open.push((next, target));
                }
                found[target].before.push(number);
            }
        }
        // Where steps were cut, there may be other ways.
        self.budget().hit().is_none() && all_lead_to_discarding(&found)
    }

    /// A thread that has violated a property releases the bus.
    fn release_bus(&self, state: &mut PlainState) {
        let Some(bus) = self.automata().bus else { return };
        let holder = usize::try_from(state.cells[bus.index()]).ok();
        if holder.is_some_and(|holder| matches!(state.locals[holder].mode, Mode::Failed(_))) {
            state.cells[bus.index()] = Automata::FREE;
        }
    }
}

/// What is known of a state that can follow.
#[derive(Default)]
struct Found {
    /// The states that lead to it.
    before: Vec<usize>,
    /// Whether a step from it is discarded.
    discards: bool,
}

/// Whether from every state one can be reached that has a step which is discarded.
fn all_lead_to_discarding(found: &[Found]) -> bool {
    let mut leads: Vec<bool> = found.iter().map(|state| state.discards).collect();
    let mut open: Vec<usize> = (0..found.len()).filter(|state| leads[*state]).collect();
    while let Some(state) = open.pop() {
        for before in &found[state].before {
            if !std::mem::replace(&mut leads[*before], true) {
                open.push(*before);
            }
        }
    }
    leads.into_iter().all(|leads| leads)
}

/// Whether an assumption that was open at first still is.
fn is_in_doubt(local: &Local) -> bool {
    local.queue.iter().any(|entry| entry.is_in_doubt && entry.is_overtaken())
}
