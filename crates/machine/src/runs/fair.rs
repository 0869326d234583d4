//! What temporal properties need to know of the plain interpreter: atoms, who may step, who does. The reference for `system`.

use crate::rules::Event;
use crate::rules::interpreter::{Interpreter, PlainState, PlainStep, PlainSuccessors};
use crate::rules::local::{Local, Mode};
use crate::runs::system::{bits, taken};
use automata::{Automata, Fairness, Ltl, ThreadId};
use base::table::Id;
use system::Reached;

/// The most threads of which fairness can speak.
pub const MAX_FAIR_THREADS: usize = 32;

/// The components that must be treated fairly for `ltl`, a bit each: first the threads, then their memories.
pub fn fair_components(automata: &Automata, ltl: &Ltl) -> u64 {
    let n_threads = automata.threads.len() as u32;
    let first = |n: u32| 1u64.checked_shl(n).map_or(u64::MAX, |bit| bit - 1);
    match ltl.fairness {
        Fairness::None => 0,
        Fairness::All => first(2 * n_threads),
        Fairness::Thread(thread) => 1 << thread.index() | 1 << (n_threads as usize + thread.index()),
    }
}

impl PlainStep {
    /// Whether a thread only loops once more.
    pub fn changes_nothing(&self) -> bool {
        matches!(self.events[..], [Event::Spin(_)])
    }
}

impl Interpreter<'_> {
    /// The atoms that are true in `state`, a bit each, and those whose value is to come.
    pub fn atoms(&self, state: &PlainState, ltl: &Ltl) -> (u64, u64) {
        let truth = bits(&ltl.atoms, |atom| self.judge(state, atom) == Some(true));
        (truth, bits(&ltl.atoms, |atom| self.judge(state, atom).is_none()))
    }

    /// All steps from `state`, and if a thread loops forever, one last that changes nothing.
    pub fn run_successors(&self, state: &PlainState) -> PlainSuccessors {
        if state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_))) {
            return PlainSuccessors::default();
        }
        let mut successors = self.successors(state);
        if let Some(thread) = state.locals.iter().position(|local| local.mode.is_looping()) {
            let events = vec![Event::Spin(state.locals[thread].point)];
            let step = PlainStep {
                thread: ThreadId::new(thread),
                events,
                reached: Reached::default(),
                performs_oldest: false,
            };
            successors.steps.push((step, state.clone()));
        }
        successors
    }

    /// The components whose step it is, a bit each.
    pub fn taken(&self, step: &PlainStep) -> u64 {
        if step.changes_nothing() {
            return 0;
        }
        taken(self.automata().threads.len(), step.thread.index(), step.performs_oldest)
    }

    /// The components that are enabled in a state with these successors, a bit each.
    pub fn enabled(&self, state: &PlainState, successors: &PlainSuccessors) -> u64 {
        let stepping = successors.steps.iter().fold(0, |all, (step, _)| all | self.taken(step));
        if !state.locals.iter().any(Local::is_uncertain) {
            return stepping;
        }
        let n_threads = state.locals.len();
        let waiting = (0..n_threads).filter(|thread| self.oldest_is_enabled(state, *thread));
        waiting.fold(stepping, |enabled, thread| enabled | 1 << (n_threads + thread))
    }
}
