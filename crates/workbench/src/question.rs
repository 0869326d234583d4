//! What is asked: whether the properties of a system hold under a memory model, within a scope and limits.
//!
//! It is asked of automata, not of a protocol: explanations constrain them, repairs mark them, mutants leave properties out.

use crate::options::RunOptions;
use automata::{Action, Automata, Thread};
use explore::Control;
use machine::Interpreter;
use memory::MemoryModel;
use std::sync::atomic::AtomicBool;

/// One system under one memory model.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The system.
    pub automata: &'a Automata,
    /// The memory model.
    pub memory: &'a MemoryModel,
    /// Scope, reductions, workers and limits.
    pub options: &'a RunOptions,
    /// How a search is stopped and watched.
    pub control: &'a Control<'a>,
}

/// A control that never stops the search and says nothing.
static QUIET: Control<'static> = Control { stop: &NEVER, progress: &|_| {}, ended: &|_| {} };
static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Question<'a> {
    /// A question that no one watches.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a RunOptions) -> Self {
        Question { automata, memory, options, control: &QUIET }
    }

    /// The same, answered in another way.
    pub(crate) fn with<'b>(&self, options: &'b RunOptions) -> Question<'b>
    where
        'a: 'b,
    {
        Question { options, ..*self }
    }

    /// The name of a thread that cannot begin: every way in which it may is discarded, so there is no run to speak of.
    /// None if all can, or if the budget is over before that is known.
    pub fn cannot_begin(&self) -> Option<&'a str> {
        let discards = |t: &Thread| t.automaton.points.values().any(|p| matches!(p.action, Action::Discard(_)));
        let machine = &self.options.machine;
        if !self.automata.threads.values().any(discards) || machine.budget.look().is_some() {
            return None;
        }
        let thread = Interpreter::new(self.automata, self.memory, machine).without_beginning()?;
        Some(&self.automata.threads[thread].name)
    }
}
