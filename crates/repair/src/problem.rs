//! What is to hold: one protocol in one variant, all its scenarios, one memory model; and the atoms that may help.

use crate::accesses::{Written, written};
use crate::atoms::{Atom, AtomId, atoms};
use crate::costs::Costs;
use crate::marked::{Marked, Own};
use crate::overtakings::{forbidding, overtakings};
use crate::places::{Extent, PlaceId, Places};
use crate::spelling::Spelling;
use automata::Automata;
use base::{Span, Table};
use explore::Control;
use memory::{Fence, MemoryModel, Order};
use program::typed::StmtKind;
use program::{Loaded, Outline, Program, Settings, walk};
use rustc_hash::FxHashMap;
use std::time::Instant;
use system::Limit;
use workbench::{Answer, RunOptions, System, Trace, Verdict};

/// The question: what was asked for, in words of the protocol.
#[derive(Clone)]
pub struct Question<'a> {
    /// The protocol's files.
    pub loaded: &'a Loaded,
    /// The variant.
    pub variant: &'a str,
    /// The scenarios.
    pub scenarios: &'a [String],
    /// Settings for all scenarios.
    pub set: &'a [(String, String)],
    /// The memory model.
    pub memory: &'a MemoryModel,
    /// Scope, workers and limits; the time is for all runs together.
    pub options: &'a RunOptions,
    /// Since when it counts.
    pub begun: Instant,
    /// What orderings cost.
    pub costs: &'a Costs,
    /// How a run is stopped and watched.
    pub control: &'a Control<'a>,
}

/// The name of the queue bound.
pub(crate) const K: &str = "K";

/// One scenario with settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The scenario.
    pub scenario: String,
    /// A parameter beyond the question's, or the queue bound `K`: a larger scope.
    pub larger: Option<(String, String)>,
}

/// Why a set of atoms is not enough.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which instance fails.
    pub instance: usize,
    /// The property violated.
    pub property: String,
    /// A shortest trace, in the system with marks.
    pub trace: Trace,
    /// That system.
    pub automata: Automata,
}

/// The result of checking a set of atoms.
#[derive(Clone, Debug)]
pub enum Checked {
    /// All instances hold.
    Holds,
    /// One is violated.
    Violated(Box<Failure>),
    /// A limit was hit.
    Inconclusive(Limit),
}

/// A question with its places, atoms and systems.
pub struct Problem<'a> {
    /// The question.
    pub question: Question<'a>,
    /// Where orderings can be changed.
    pub places: Places,
    /// What can be put there.
    pub atoms: Table<AtomId, Atom>,
    /// How the text writes each access.
    pub written: FxHashMap<Span, Written>,
    /// The order and failure order that each access has in the text.
    pub orders: FxHashMap<Span, (Order, Order)>,
    /// The fence that each fence statement's place has in the text, if any.
    pub fences: FxHashMap<PlaceId, Fence>,
    /// The instances, with their systems.
    pub instances: Vec<(Instance, Marked)>,
    /// How words for orders are written.
    pub(crate) spelling: Spelling,
    own: Own,
}

impl<'a> Problem<'a> {
    /// The problem of a question, with places of an extent.
    pub fn new(question: Question<'a>, own: Own, extent: Extent) -> Self {
        let loaded = question.loaded;
        let mut problem = Problem {
            places: Places::of(loaded, extent),
            atoms: Table::new(),
            written: written(loaded),
            orders: FxHashMap::default(),
            fences: FxHashMap::default(),
            instances: Vec::new(),
            spelling: Spelling::of(loaded),
            question,
            own,
        };
        for scenario in problem.question.scenarios {
            problem.add(Instance { scenario: scenario.clone(), larger: None });
        }
        let systems: Vec<&Marked> = problem.instances.iter().map(|(_, marked)| marked).collect();
        problem.atoms = atoms(&problem.places, &systems, &problem.question, (&problem.orders, &problem.fences));
        problem
    }

    /// Adds an instance and gives its number; none if its program is wrong, as with a setting out of range.
    pub fn add(&mut self, instance: Instance) -> Option<usize> {
        let program = self.question.system(self.question.loaded, &instance)?.program;
        let mut marked = Marked::new(&program, &self.places, self.own);
        self.note_fences(&program);
        let is_first = self.atoms.is_empty();
        for (span, target, orders) in marked.accesses() {
            let Some(written) = self.written.get(&span) else { continue };
            self.orders.insert(span, orders);
            if is_first && (self.own == Own::Kept || orders.0 != Order::Relaxed) {
                self.places.access(span, target, written.n_branches);
            }
        }
        marked.note_accesses(&self.places, self.own);
        self.instances.push((instance, marked));
        Some(self.instances.len() - 1)
    }

    fn note_fences(&mut self, program: &Program) {
        let bodies = program.procs.values().map(|proc| &proc.body).chain(program.threads.values().map(|t| &t.body));
        for stmt in bodies.flat_map(|body| walk::all_stmts(&body.block)) {
            if let (StmtKind::Fence(Some(fence)), Some(place)) = (&stmt.kind, self.places.before.get(&stmt.span)) {
                self.fences.insert(*place, *fence);
            }
        }
    }

    /// Checks the question's own instances with `chosen` put at their places. `first` is looked at first.
    pub fn check(&self, chosen: &[AtomId], first: usize) -> Checked {
        let mut order: Vec<usize> =
            (0..self.instances.len()).filter(|i| self.instances[*i].0.larger.is_none()).collect();
        order.sort_by_key(|i| *i != first);
        for instance in order {
            match self.check_one(chosen, instance) {
                Checked::Holds => {}
                other => return other,
            }
        }
        Checked::Holds
    }

    /// Checks one instance with `chosen` put at their places.
    pub fn check_one(&self, chosen: &[AtomId], instance: usize) -> Checked {
        let automata = self.instances[instance].1.with(chosen.iter().map(|atom| &self.atoms[*atom]));
        let options = self.question.options_of(&self.instances[instance].0);
        let answer = self.question.answer(&automata, self.question.memory, &options);
        match answer.verdict {
            Verdict::Holds => Checked::Holds,
            Verdict::Inconclusive(limit) => Checked::Inconclusive(limit),
            Verdict::Violated(trace) => {
                let property = answer.property.unwrap_or_default();
                Checked::Violated(Box::new(Failure { instance, property, trace: *trace, automata }))
            }
        }
    }

    /// The atoms of which one is needed to forbid the failure's trace.
    pub fn needed(&self, failure: &Failure) -> Vec<AtomId> {
        let all = overtakings(&self.instances[failure.instance].1, &failure.automata, &failure.trace);
        forbidding(&all, &self.atoms, &self.places, &failure.automata, self.question.memory)
    }
}

impl Question<'_> {
    /// The answer for a system of this question.
    pub(crate) fn answer(&self, automata: &Automata, memory: &MemoryModel, options: &RunOptions) -> Answer {
        workbench::Question { automata, memory, options, control: self.control }.answer()
    }

    /// The system of an instance of `loaded`; none if its program is wrong.
    pub fn system(&self, loaded: &Loaded, instance: &Instance) -> Option<System> {
        let settings = Settings {
            variant: Some(self.variant.into()),
            scenario: Some(instance.scenario.clone()),
            set: self.set.iter().chain(instance.larger.iter().filter(|(name, _)| name != K)).cloned().collect(),
        };
        System::of(loaded, &settings).ok()
    }

    /// What the protocol offers.
    pub fn outline(&self) -> Outline {
        program::outline(self.loaded)
    }
}
