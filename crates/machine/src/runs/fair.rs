//! What temporal properties need to know of the machine: which conditions are true, who may step, who does.
//!
//! Each thread is two components of fairness. The *thread* is enabled while it has a step, and any step of its is one.
//! Its *memory* is enabled while the oldest memory operation that it has pending may be performed, and only a step that
//! performs that one counts: so every operation is performed at last, whatever else the thread does meanwhile.
//!
//! A thread that goes round for ever without touching shared state takes steps that change nothing. They are steps of a run,
//! so that other threads need not step if nobody treats them fairly, but neither enable nor satisfy any component.
//!
//! Where a thread has performed something on an assumption, the step that refutes the assumption leads nowhere, and
//! still counts as enabled: a run that puts it off for ever is not fair.

use crate::options::Options;
use crate::rules::Event;
use crate::rules::interpreter::{Interpreter, PlainState, PlainStep, PlainSuccessors};
use crate::rules::local::{Local, Mode};
use crate::tabulated::compiled::{Compiled, OLDEST};
use crate::tabulated::scratch::Scratch;
use automata::{Automata, Ltl, StateExpr, StateLeaf, ThreadId};
use base::table::Id;
use liveness::FairSystem;
use memory::MemoryModel;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use system::{Budget, PropertyIndex, Reached, Successors, TransitionSystem};

/// The most threads of which fairness can speak.
pub const MAX_FAIR_THREADS: usize = 32;

/// The label of a step in which a thread goes round for ever and nothing changes.
const SPINS: u8 = 127;

/// The components that must be treated fairly for `ltl`, a bit each: first the threads, then their memories.
pub fn fair_components(automata: &Automata, ltl: &Ltl) -> u64 {
    let n_components = 2 * automata.threads.len() as u32;
    if ltl.is_fair { 1u64.checked_shl(n_components).map_or(u64::MAX, |bit| bit - 1) } else { 0 }
}

/// The components whose step it is.
fn taken(n_threads: usize, thread: usize, performs_oldest: bool) -> u64 {
    1 << thread | u64::from(performs_oldest) << (n_threads + thread)
}

/// A system as a temporal property sees it: without symmetry (unless `reduced`), with atoms and components of fairness.
pub struct Runs<'a> {
    compiled: Compiled<'a>,
    atoms: &'a [StateExpr],
    /// The atoms that may have no value: it is to come, or a part has none (semantics 8.3, 8.4).
    undecidable: u64,
    refuted: Refuted,
}

/// Which states are known not to exist (rule 5.6). To find out takes a search each, so it is asked of few.
#[derive(Default)]
struct Refuted {
    /// Whether every state is asked for.
    asks_all: bool,
    known: Mutex<FxHashMap<Vec<u32>, bool>>,
}

/// The atoms of which something is true, a bit each.
fn bits(atoms: &[StateExpr], is_true: impl Fn(&StateExpr) -> bool) -> u64 {
    atoms.iter().enumerate().fold(0, |bits, (i, atom)| bits | u64::from(is_true(atom)) << i)
}

impl<'a> Runs<'a> {
    /// Prepares `automata` under `memory`; atoms are there after `speaking_of` only.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        Runs {
            compiled: Compiled::for_runs(automata, memory, options),
            atoms: &[],
            undecidable: 0,
            refuted: Refuted::default(),
        }
    }

    /// The same system, with the atoms of `ltl`. All that has been worked out so far is kept.
    pub fn speaking_of(self, ltl: &'a Ltl) -> Self {
        let may_have_none = |atom: &StateExpr| {
            let automata = self.compiled.interpreter().automata();
            let mut may = !automata.definedness.is_empty();
            automata.leaves(atom, &mut |leaf| may |= matches!(leaf, StateLeaf::Register(..)));
            may
        };
        let undecidable = bits(&ltl.atoms, may_have_none);
        Runs { atoms: &ltl.atoms, undecidable, ..self }
    }

    /// The same system reduced as the property allows if fairness has no part in the question: the states of a quotient.
    pub fn reduced(self, ltl: &Ltl) -> Self {
        Runs { compiled: self.compiled.for_ending_runs(self.atoms, ltl.formula.has_next()), ..self }
    }

    /// The same system without states that are refuted, each asked for when it is met.
    pub fn without_refuted(self) -> Self {
        Runs { refuted: Refuted { asks_all: true, ..self.refuted }, ..self }
    }

    /// Whether `state` is refuted: no run goes through it. From now on none does.
    pub fn find_refuted(&self, state: &[u32]) -> bool {
        let mut known = self.refuted.known.lock().unwrap_or_else(|e| e.into_inner());
        let find = || self.compiled.interpreter().is_refuted(&self.compiled.unpack(state));
        self.compiled.has_assumption(state) && *known.entry(state.to_vec()).or_insert_with(find)
    }

    /// Whether `state` is known to be refuted.
    fn is_refuted(&self, state: &[u32]) -> bool {
        if self.refuted.asks_all {
            return self.find_refuted(state);
        }
        let known = self.refuted.known.lock().unwrap_or_else(|e| e.into_inner());
        known.get(state).is_some_and(|refuted| *refuted)
    }

    /// Whether some states may be left out because they are refuted.
    fn leaves_out(&self) -> bool {
        self.refuted.asks_all || !self.refuted.known.lock().unwrap_or_else(|e| e.into_inner()).is_empty()
    }

    /// The components that have a step from `state`, be it to one that is left out.
    fn stepping(&self, state: &[u32]) -> u64 {
        let mut all = Successors::new(self.state_len());
        self.compiled.successors(state, &mut self.scratch(), &mut all);
        all.iter().fold(0, |stepping, (_, label)| stepping | self.taken(label))
    }

    /// The system itself.
    pub fn compiled(&self) -> &Compiled<'a> {
        &self.compiled
    }

    /// The thread whose step has this label, and whether it performs its oldest memory operation; none if nothing changes.
    pub fn step(label: u8) -> Option<(usize, bool)> {
        (label != SPINS).then_some((usize::from(label & !OLDEST), label & OLDEST != 0))
    }

    fn n_threads(&self) -> usize {
        self.compiled.interpreter().automata().threads.len()
    }
}

impl TransitionSystem for Runs<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        self.compiled.scratch()
    }

    fn state_len(&self) -> usize {
        self.compiled.state_len()
    }

    fn initial(&self, out: &mut Successors) {
        self.compiled.initial(out);
    }

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        self.compiled.successors(from, scratch, out);
        if self.leaves_out() {
            out.discard_if(|state| self.is_refuted(state));
        }
        if self.compiled.spins(from) {
            out.push(from, SPINS);
        }
    }

    fn sufficient_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) -> bool {
        if self.compiled.spins(from) {
            self.successors(from, scratch, out);
            return false;
        }
        self.compiled.sufficient_successors(from, scratch, out)
    }

    fn inspect(&self, state: &[u32], scratch: &mut Scratch, reached: &mut Reached) -> Option<PropertyIndex> {
        self.compiled.inspect(state, scratch, reached)
    }

    fn stuck(&self, state: &[u32], scratch: &mut Scratch) -> Option<PropertyIndex> {
        self.compiled.stuck(state, scratch)
    }

    fn reached(&self) -> Reached {
        self.compiled.reached()
    }

    fn own_bytes(&self) -> u64 {
        self.compiled.own_bytes()
    }

    fn budget(&self) -> Option<&Budget> {
        self.compiled.budget()
    }
}

impl FairSystem for Runs<'_> {
    fn atoms(&self, state: &[u32]) -> u64 {
        bits(self.atoms, |atom| self.compiled.decide(state, atom) == Some(true))
    }

    fn undecided(&self, state: &[u32]) -> u64 {
        bits(self.atoms, |atom| self.compiled.decide(state, atom).is_none())
    }

    fn undecidable(&self) -> u64 {
        self.undecidable
    }

    fn n_components(&self) -> u32 {
        2 * self.n_threads() as u32
    }

    fn taken(&self, label: u8) -> u64 {
        Runs::step(label).map_or(0, |(thread, performs_oldest)| taken(self.n_threads(), thread, performs_oldest))
    }

    fn enabled(&self, state: &[u32], stepping: u64) -> u64 {
        if !self.compiled.is_uncertain(state) {
            return stepping;
        }
        let stepping = if self.leaves_out() { stepping | self.stepping(state) } else { stepping };
        let n_threads = self.n_threads();
        let waiting = (0..n_threads).filter(|thread| self.compiled.oldest_is_enabled(state, *thread));
        waiting.fold(stepping, |enabled, thread| enabled | 1 << (n_threads + thread))
    }
}

impl PlainStep {
    /// Whether a thread only goes round once more.
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

    /// All steps from `state`, and if a thread goes round for ever, one last that changes nothing.
    pub fn run_successors(&self, state: &PlainState) -> PlainSuccessors {
        if state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_))) {
            return PlainSuccessors::default();
        }
        let mut successors = self.successors(state);
        if let Some(thread) = state.locals.iter().position(|local| local.mode == Mode::Spinning) {
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
