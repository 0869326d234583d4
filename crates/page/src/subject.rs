//! What a page speaks of: one system under one memory model, with its text.

use automata::{Automata, CoverId};
use base::Sources;
use machine::{Interpreter, Options};
use memory::MemoryModel;
use program::{Outline, Program};
use std::time::Duration;

/// The cover property that stands for the condition the user watches.
pub const WATCH: &str = "watched_condition";

/// One system under one memory model, with its text.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// What the file offers, and what is so by default.
    pub outline: &'a Outline,
    /// The typed program, which knows what is a reference.
    pub program: &'a Program,
    /// Its automata.
    pub automata: &'a Automata,
    /// Its text.
    pub sources: &'a Sources,
    /// The memory model.
    pub memory: &'a MemoryModel,
    /// The queue bound and the reductions, on which the positions of steps depend.
    pub options: &'a Options,
}

/// The same, owned.
pub struct Opened {
    /// What the file offers.
    pub outline: Outline,
    /// The typed program.
    pub program: Program,
    /// Its automata.
    pub automata: Automata,
    /// Its text.
    pub sources: Sources,
    /// The memory model.
    pub memory: MemoryModel,
    /// The queue bound and the reductions.
    pub options: Options,
}

impl Opened {
    /// The options of one request, which takes so long at most, but a second if need be. Whoever uses them looks afterwards whether their
    /// budget was hit.
    pub fn options_for(&self, timeout: Duration) -> Options {
        let timeout = timeout.max(Duration::from_secs(1));
        Options { budget: self.options.budget.part(Some(timeout)), ..self.options.clone() }
    }

    /// What a page speaks of.
    pub fn subject(&self) -> Subject<'_> {
        let Opened { outline, program, automata, sources, memory, options } = self;
        Subject { outline, program, automata, sources, memory, options }
    }
}

impl<'a> Subject<'a> {
    /// Executes the system plainly.
    pub fn interpreter(&self) -> Interpreter<'a> {
        Interpreter::new(self.automata, self.memory, self.options)
    }

    /// The settings that are not what they are by default: parameters and flags, then bounds.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let params = self.outline.params.iter().map(|param| (&param.name, &param.default));
        let flags = self.outline.flags.iter().map(|flag| (&flag.name, &flag.default));
        let defaults: Vec<(&String, &String)> = params.chain(flags).collect();
        let is_set = |(name, value): &&(String, String)| !defaults.contains(&(name, value));
        let (bound, usual) = (self.options.queue_bound, Options::default().queue_bound);
        let bound = (bound != usual).then(|| ("K".to_string(), bound.to_string()));
        let buffer = self.options.buffer.map(|n| ("buffer".to_string(), n.to_string()));
        self.program.constants.iter().filter(is_set).cloned().chain(bound).chain(buffer).collect()
    }

    /// The condition that the user watches.
    pub fn watch(&self) -> Option<CoverId> {
        self.automata.covers.iter().find(|(_, cover)| cover.name == WATCH).map(|(id, _)| id)
    }
}
