//! What mutants are asked: at which scopes, under which memory models, in which scenarios; and how the original answers.

use crate::mask::Mask;
use automata::{Automata, text};
use explore::Control;
use memory::MemoryModel;
use program::{Loaded, Settings};
use std::time::Duration;
use workbench::{Answer, RunOptions, System, Verdict};

/// A scope: parameters and flags, the machine's options and the limits.
#[derive(Clone, Debug)]
pub struct Scope {
    /// How it is called: `REFS=2`.
    pub name: String,
    /// Parameters and flags.
    pub set: Vec<(String, String)>,
    /// Scope of the machine, and limits.
    pub options: RunOptions,
}

/// The question.
pub struct Question<'a> {
    /// The protocol's files.
    pub loaded: &'a Loaded,
    /// The variant.
    pub variant: &'a str,
    /// The scenarios.
    pub scenarios: &'a [String],
    /// The scopes.
    pub scopes: &'a [Scope],
    /// The memory models.
    pub memories: &'a [MemoryModel],
    /// How a run is stopped and watched.
    pub control: &'a Control<'a>,
}

/// One run: a scope, a memory model and a scenario, by their places in the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The scope.
    pub scope: usize,
    /// The memory model.
    pub memory: usize,
    /// The scenario.
    pub scenario: usize,
}

/// A run of the original.
#[derive(Clone, Debug)]
pub struct Base {
    /// Which.
    pub instance: Instance,
    /// What it found, without what is in the mask.
    pub answer: Answer,
    /// What it violates. Mutants are judged by the other properties.
    pub mask: Mask,
    /// The automata without what only people read.
    pub(crate) plain: String,
}

/// The runs of the original, all of which hold but for what their masks name: the scopes with fewest states first.
#[derive(Clone, Debug)]
pub struct Original {
    /// The runs.
    pub runs: Vec<Base>,
}

/// How the original answers.
#[derive(Clone, Debug)]
pub enum Start {
    /// It was searched to its end everywhere, so mutants can be judged by what it does not violate.
    Ended(Original),
    /// A run hit a limit, or violated what no run continues from: then the fault of a mutant would not be its own.
    Fails(Box<Base>),
}

impl Question<'_> {
    /// Runs the original.
    pub fn start(&self) -> Start {
        let mut runs = Vec::new();
        for instance in self.instances() {
            let base = self.base(instance);
            if base.answer.verdict != Verdict::Holds {
                return Start::Fails(Box::new(base));
            }
            runs.push(base);
        }
        let states = |scope: usize| -> u64 {
            runs.iter().filter(|run| run.instance.scope == scope).map(|run| run.answer.statistics.states).sum()
        };
        let sizes: Vec<u64> = (0..self.scopes.len()).map(states).collect();
        runs.sort_by_key(|run| (sizes[run.instance.scope], run.instance.scope));
        Start::Ended(Original { runs })
    }

    /// Runs the original once, and again without what it violates until nothing else is violated.
    fn base(&self, instance: Instance) -> Base {
        let system = self.system(self.loaded, self.variant, instance).expect("the original was checked before");
        let automata = system.automata;
        let options = &self.scopes[instance.scope].options;
        let mut mask = Mask::default();
        loop {
            let answer = self.answer(instance, &mask.put_on(automata.clone()), &mask.options(options.clone()));
            if !answer.property.as_deref().is_some_and(|name| mask.add(&automata, name)) {
                return Base { instance, answer, mask, plain: plain(&automata) };
            }
        }
    }

    /// All runs, scope by scope as given.
    fn instances(&self) -> impl Iterator<Item = Instance> {
        let (memories, scenarios) = (self.memories.len(), self.scenarios.len());
        (0..self.scopes.len()).flat_map(move |scope| {
            (0..memories)
                .flat_map(move |memory| (0..scenarios).map(move |scenario| Instance { scope, memory, scenario }))
        })
    }

    /// The answer for a system of an instance.
    pub(crate) fn answer(&self, instance: Instance, automata: &Automata, options: &RunOptions) -> Answer {
        let memory = &self.memories[instance.memory];
        workbench::Question { automata, memory, options, control: self.control }.answer()
    }

    /// The system of an instance; none if its program is wrong.
    pub(crate) fn system(&self, loaded: &Loaded, variant: &str, instance: Instance) -> Option<System> {
        let settings = Settings {
            variant: Some(variant.into()),
            scenario: Some(self.scenarios[instance.scenario].clone()),
            set: self.scopes[instance.scope].set.clone(),
        };
        System::of(loaded, &settings).ok()
    }

    /// The options of a run by one worker, at most `timeout` long.
    pub(crate) fn options(&self, instance: Instance, timeout: Option<Duration>) -> RunOptions {
        let mut options = self.scopes[instance.scope].options.clone();
        options.search.workers = 1;
        options.search.limits.timeout = timeout;
        options
    }
}

/// Automata as text, without the names of procedures: what is equal has the same runs.
pub(crate) fn plain(automata: &Automata) -> String {
    let text = text::program(automata);
    text.lines().map(|line| line.split("  // ").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
