//! What a run searches: the tables with symmetry, and with late reads if the options say so and they can be.

use crate::late::system::{Late, is_suitable};
use crate::options::{Bound, LateReads, Options};
use crate::rules::interpreter::{Interpreter, PlainState};
use crate::symmetry::symmetric::Symmetric;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::Tabulated;
use automata::{Automata, PropertyId};
use memory::MemoryModel;
use system::{Reached, Successors, TransitionSystem};

/// Automata under a memory model, as the transition system that the options ask for.
pub enum Compiled<'a> {
    /// Every step leads to a state that is stored.
    AtOnce(Symmetric<'a>),
    /// Steps that write nothing are put off.
    Late(Late<'a>),
}

/// Asks the system, whichever it is.
macro_rules! ask {
    ($compiled:expr, $system:ident => $question:expr) => {
        match $compiled {
            Compiled::AtOnce($system) => $question,
            Compiled::Late($system) => $question,
        }
    };
}

impl<'a> Compiled<'a> {
    /// Prepares `automata` under `memory`. The eager closure is always on here.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let system = Symmetric::new(automata, memory, options);
        if options.reductions.late_reads != LateReads::Always {
            return Compiled::AtOnce(system);
        }
        Late::new(system).map_or_else(|system| Compiled::AtOnce(*system), Compiled::Late)
    }

    /// The system in which every step is taken at once.
    pub fn symmetric(&self) -> &Symmetric<'a> {
        match self {
            Compiled::AtOnce(system) => system,
            Compiled::Late(late) => late.system(),
        }
    }

    /// The tables.
    pub fn tables(&self) -> &Tabulated<'a> {
        &self.symmetric().tables
    }

    /// The system that puts steps off, if this is one.
    pub fn late(&self) -> Option<&Late<'a>> {
        match self {
            Compiled::AtOnce(_) => None,
            Compiled::Late(late) => Some(late),
        }
    }

    /// Whether steps that write nothing are put off.
    pub fn is_late(&self) -> bool {
        self.late().is_some()
    }

    /// Whether every state that a step leads to is stored, and stands for itself alone.
    pub fn is_plain(&self) -> bool {
        !self.is_late() && self.symmetric().keeps_names()
    }

    /// Whether steps that write nothing could be put off.
    pub fn could_be_late(&self) -> bool {
        is_suitable(self.tables())
    }

    /// The interpreter of the same system.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        self.tables().interpreter()
    }

    /// The bounds that made threads wait, each with the thread's name.
    pub fn bounds_hit(&self) -> Vec<(Bound, String)> {
        self.tables().bounds_hit()
    }

    /// For each invariant and temporal property, the locations before an `implies` at which no thread has been in any step taken so far.
    pub fn never_at(&self) -> Vec<(PropertyId, String)> {
        self.tables().never_at()
    }

    /// How many permutations, the identity included, the search identifies states by, besides those of threads with equal
    /// programs.
    pub fn n_permutations(&self) -> usize {
        self.symmetric().n_permutations()
    }

    /// The canonical words of a plain state.
    pub fn pack(&self, state: &PlainState) -> Vec<u32> {
        self.symmetric().pack(state)
    }

    /// The plain state that words stand for.
    pub fn unpack(&self, words: &[u32]) -> PlainState {
        self.tables().unpack(words)
    }

    /// Whether a thread has violated a property: it has no state to continue from.
    pub fn has_failed(&self, state: &[u32]) -> bool {
        self.tables().has_failed(state)
    }
}

impl<'a> system::Over for Compiled<'a> {
    type Inner = Symmetric<'a>;

    fn inner(&self) -> &Symmetric<'a> {
        self.symmetric()
    }

    fn scratch(&self) -> Scratch {
        ask!(self, system => TransitionSystem::scratch(system))
    }

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        ask!(self, system => TransitionSystem::successors(system, from, scratch, out));
    }

    fn new_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        ask!(self, system => TransitionSystem::new_successors(system, from, scratch, out));
    }

    fn write_notes(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        ask!(self, system => TransitionSystem::write_notes(system, since, out))
    }

    fn read_notes(&self, bytes: &mut &[u8]) -> Option<()> {
        ask!(self, system => TransitionSystem::read_notes(system, bytes))
    }

    fn reached(&self) -> Reached {
        ask!(self, system => TransitionSystem::reached(system))
    }

    fn own_bytes(&self) -> u64 {
        ask!(self, system => TransitionSystem::own_bytes(system))
    }
}
