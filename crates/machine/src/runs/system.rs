//! What temporal properties need to know of the machine: which conditions are true, who may step, who does.
//!
//! Each thread is two components of fairness. The *thread* is enabled while it has a step, and any step of its is one.
//! Its *memory* is enabled while the oldest memory operation that it has pending may be performed, and only a step that
//! performs that one counts: so every operation is performed at last, whatever else the thread does meanwhile.
//!
//! A thread that loops forever without touching shared state takes steps that change nothing. They are steps of a run,
//! so that other threads need not step if they are not treated fairly, but neither enable nor satisfy any component.
//!
//! Where a thread has performed something on an assumption, the step that refutes the assumption leads nowhere, and
//! still counts as enabled: a run that puts it off forever is not fair.

use crate::options::Options;
use crate::partial::persistent::Persistent;
use crate::runs::refuted::Refuted;
use crate::symmetry::symmetric::Symmetric;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::stepping::OLDEST;
use crate::tabulated::tables::OverTables;
use automata::{Automata, Ltl, StateExpr, StateLeaf};
use liveness::FairSystem;
use memory::MemoryModel;
use system::{Successors, TransitionSystem};

/// The label of a step in which a thread loops forever and nothing changes.
const SPINS: u8 = 127;

/// The components whose step it is.
pub(crate) fn taken(n_threads: usize, thread: usize, performs_oldest: bool) -> u64 {
    1 << thread | u64::from(performs_oldest) << (n_threads + thread)
}

/// The thread whose step has this label, and whether it performs its oldest memory operation; none if nothing changes.
pub fn labelled(label: u8) -> Option<(usize, bool)> {
    (label != SPINS).then_some((usize::from(label & !OLDEST), label & OLDEST != 0))
}

/// A system as a temporal property sees it: with atoms and components of fairness.
pub struct Runs<'s, S> {
    system: &'s S,
    atoms: &'s [StateExpr],
    /// The atoms that may have no value: it is to come, or a part has none (semantics 8.3, 8.4).
    undecidable: u64,
    refuted: Option<&'s Refuted>,
    /// Whether threads that are not treated fairly may stop anywhere (semantics 7.3).
    others_may_stop: bool,
}

/// The atoms of which something is true, a bit each.
pub(crate) fn bits(atoms: &[StateExpr], is_true: impl Fn(&StateExpr) -> bool) -> u64 {
    atoms.iter().enumerate().fold(0, |bits, (i, atom)| bits | u64::from(is_true(atom)) << i)
}

impl<'a> Persistent<'a> {
    /// `automata` under `memory`, reduced as `ltl` allows if fairness has no part in the question: the states of a quotient.
    pub fn for_runs(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options, ltl: &Ltl) -> Self {
        let system = Symmetric::unnoticed_by(automata, memory, options, &ltl.atoms);
        Persistent::new(system, &ltl.atoms, ltl.formula.has_next())
    }
}

impl<'s, S: OverTables> Runs<'s, S> {
    /// The runs of `system`, with the atoms of `ltl`.
    pub fn new(system: &'s S, ltl: &'s Ltl) -> Self {
        let automata = system.tables().automata;
        let may_have_none = |atom: &StateExpr| {
            let mut may = !automata.definedness.is_empty();
            automata.leaves(atom, &mut |leaf| may |= matches!(leaf, StateLeaf::Register(..)));
            may
        };
        let undecidable = bits(&ltl.atoms, may_have_none);
        Runs { system, atoms: &ltl.atoms, undecidable, refuted: None, others_may_stop: ltl.others_may_stop() }
    }

    /// The same without states that are refuted.
    pub fn leaving_out(self, refuted: &'s Refuted) -> Self {
        Runs { refuted: Some(refuted), ..self }
    }

    /// The states that are left out, if there may be any.
    fn left_out(&self) -> Option<&'s Refuted> {
        self.refuted.filter(|refuted| refuted.has_some())
    }

    /// The components that have a step from `state`, even to one that is left out.
    fn stepping(&self, state: &[u32]) -> u64 {
        let mut all = Successors::new(self.state_len());
        self.system.successors(state, &mut self.scratch(), &mut all);
        all.iter().fold(0, |stepping, (_, label)| stepping | self.taken(label))
    }

    fn n_threads(&self) -> usize {
        self.system.tables().automata.threads.len()
    }
}

impl<S: OverTables> system::Over for Runs<'_, S> {
    type Inner = S;

    fn inner(&self) -> &S {
        self.system
    }

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        let tables = self.system.tables();
        self.system.successors(from, scratch, out);
        if let Some(refuted) = self.left_out() {
            out.discard_if(|state| refuted.has(tables, state));
        }
        // Where a thread has violated a property the run ends (semantics 8.5).
        if tables.spins(from) && !tables.has_failed(from) {
            out.push(from, SPINS);
        }
    }

    fn sufficient_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) -> bool {
        if self.system.tables().spins(from) {
            TransitionSystem::successors(self, from, scratch, out);
            return false;
        }
        self.system.sufficient_successors(from, scratch, out)
    }
}

impl<S: OverTables> FairSystem for Runs<'_, S> {
    fn atoms(&self, state: &[u32]) -> u64 {
        bits(self.atoms, |atom| self.system.tables().decide(state, atom) == Some(true))
    }

    fn undecided(&self, state: &[u32]) -> u64 {
        bits(self.atoms, |atom| self.system.tables().decide(state, atom).is_none())
    }

    fn undecidable(&self) -> u64 {
        self.undecidable
    }

    fn n_components(&self) -> u32 {
        2 * self.n_threads() as u32
    }

    fn taken(&self, label: u8) -> u64 {
        labelled(label).map_or(0, |(thread, performs_oldest)| taken(self.n_threads(), thread, performs_oldest))
    }

    fn changes_nothing(&self, label: u8) -> bool {
        label == SPINS
    }

    fn may_stop(&self) -> bool {
        self.others_may_stop
    }

    fn enabled(&self, state: &[u32], stepping: u64) -> u64 {
        let tables = self.system.tables();
        if !tables.is_uncertain(state) {
            return stepping;
        }
        let stepping = if self.left_out().is_some() { stepping | self.stepping(state) } else { stepping };
        let n_threads = self.n_threads();
        let waiting = (0..n_threads).filter(|thread| tables.oldest_is_enabled(state, *thread));
        waiting.fold(stepping, |enabled, thread| enabled | 1 << (n_threads + thread))
    }
}
