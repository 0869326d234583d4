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
        let mut open = Nearest::default();
        open.push(n_to_settle(&start), (start, 0));
        while let Some((state, number)) = open.pop() {
            if self.budget().look().is_some() {
                return false;
            }
            let successors = self.successors(&state);
            found[number].discards = successors.discarded;
            for (_, mut next) in successors.steps {
                self.release_bus(&mut next);
                let n_to_settle = n_to_settle(&next);
                if n_to_settle == 0 {
                    return false;
                }
                let known = numbers.get(&next).copied();
                let target = known.unwrap_or(found.len());
                if known.is_none() {
                    found.push(Found::default());
                    numbers.insert(next.clone(), target);
                    open.push(n_to_settle, (next, target));
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

/// How many entries are pending up to the last that is in doubt, of all threads; 0 if all assumptions that were open at first are settled.
fn n_to_settle(state: &PlainState) -> usize {
    let last = |local: &Local| local.queue.iter().rposition(|entry| entry.is_in_doubt && entry.is_overtaken());
    state.locals.iter().filter_map(last).map(|last| last + 1).sum()
}

/// States to go on from, those first that have the least to settle: if it can be settled, that is soon found.
#[derive(Default)]
struct Nearest {
    open: Vec<Vec<(PlainState, usize)>>,
}

impl Nearest {
    fn push(&mut self, n_to_settle: usize, state: (PlainState, usize)) {
        if self.open.len() <= n_to_settle {
            self.open.resize_with(n_to_settle + 1, Vec::new);
        }
        self.open[n_to_settle].push(state);
    }

    fn pop(&mut self) -> Option<(PlainState, usize)> {
        self.open.iter_mut().find_map(Vec::pop)
    }
}
