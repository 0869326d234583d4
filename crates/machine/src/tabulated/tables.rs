//! The tables: all thread states met so far, with the results of their moves, and what surrounds them.
//!
//! A state is the packed cells followed by one number per thread, its state in `Locals`. Searched as it is, a system leaves
//! out nothing: threads keep their names, and labels say besides whether a thread's oldest operation is performed.

use crate::histories::numbered::Numbered;
use crate::histories::room::Room;
use crate::options::{Bound, Options};
use crate::properties::judges::Judges;
use crate::rules::Rules;
use crate::rules::code::Code;
use crate::rules::interpreter::Interpreter;
use crate::rules::touch::Watching;
use crate::symmetry;
use crate::tabulated::info::Met;
use crate::tabulated::layout::{Layout, Slot};
use crate::tabulated::locals::{Locals, Surroundings};
use crate::tabulated::scratch::Scratch;
use automata::{Automata, Moment, StateProperty, ThreadId, Value};
use base::table::Id;
use memory::MemoryModel;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use system::{PropertyIndex, TransitionSystem};

/// Automata under a memory model, with all that is known of threads in tables.
pub struct Tabulated<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) memory: &'a MemoryModel,
    pub(crate) options: &'a Options,
    pub(crate) interpreter: Interpreter<'a>,
    pub(crate) layout: Layout,
    pub(crate) locals: Vec<Locals>,
    /// For each thread, its table in `locals`.
    pub(crate) table: Vec<usize>,
    /// For each thread, its position among those that share its table, and how many these are.
    pub(crate) sharing: Vec<Sharing>,
    /// What invariants and cover properties ask.
    pub(crate) judges: Judges,
    /// Conditions that no quiescent state may have.
    pub(crate) of_quiescence: Vec<(PropertyIndex, StateProperty<'a>)>,
    /// Whether some property or cover property speaks of whole states.
    pub(crate) judges_states: bool,
    /// What may change another thread's state.
    pub(crate) watching: Watching,
    /// Whether thread states may have trails.
    pub(crate) keeps_trails: bool,
    /// The states of a memory that is histories. A packed state has the number of one behind those of the threads.
    pub(crate) histories: Option<Numbered>,
    /// Where the bus says which thread holds it.
    pub(crate) bus: Option<Slot>,
}

/// The tables, or a system over them.
pub trait OverTables: TransitionSystem<Scratch = Scratch> {
    /// The tables.
    fn tables(&self) -> &Tabulated<'_>;
}

impl OverTables for Tabulated<'_> {
    fn tables(&self) -> &Tabulated<'_> {
        self
    }
}

/// A thread among those with its program.
#[derive(Clone, Copy)]
pub(crate) struct Sharing {
    /// Its position.
    pub(crate) position: usize,
    /// How many there are.
    pub(crate) n_alike: usize,
}

impl<'a> Tabulated<'a> {
    /// Prepares `automata` under `memory`. The eager closure is always on here.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let codes = Code::of_threads(automata);
        Tabulated::with_images((automata, memory, options), Layout::new(automata), codes, 0)
    }

    /// As `new`, with room for the images of thread states under so many permutations.
    pub(crate) fn with_images(
        (automata, memory, options): (&'a Automata, &'a MemoryModel, &'a Options),
        layout: Layout,
        codes: Vec<Code>,
        n_permutations: usize,
    ) -> Self {
        let same = symmetry::same_program(automata);
        let sharing = sharing(&same);
        let codes: Vec<Arc<Code>> = codes.into_iter().map(Arc::new).collect();
        let (table, locals) = shared_tables(&same, &sharing, &codes, n_permutations);
        Tabulated {
            automata,
            memory,
            options,
            interpreter: Interpreter::with_codes((automata, memory, options), codes),
            judges: Judges::new(automata, &layout),
            of_quiescence: of_quiescence(automata),
            judges_states: speaks_of_states(automata),
            watching: Watching::of(automata, memory),
            keeps_trails: locals.iter().any(Locals::keeps_trails),
            bus: automata.bus.map(|bus| layout.slot(bus)),
            histories: Room::new(automata, memory).map(Numbered::new),
            layout,
            locals,
            table,
            sharing,
        }
    }

    pub(crate) fn around(&self) -> Surroundings<'_> {
        Surroundings {
            automata: self.automata,
            memory: self.memory,
            options: self.options,
            layout: &self.layout,
            judges: &self.judges,
        }
    }

    /// The word of a packed state that stands for the memory, if that is histories.
    pub(crate) fn memory_word(&self) -> usize {
        self.layout.n_words + self.table.len()
    }

    /// The rules of a thread.
    pub(crate) fn rules(&self, thread: usize) -> Rules<'_> {
        self.interpreter.rules(thread)
    }

    /// The interpreter of the same system.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// The bounds that made threads wait, each with the thread's name.
    pub fn bounds_hit(&self) -> Vec<(Bound, String)> {
        let is_cut = self.histories.as_ref().is_some_and(|numbered| numbered.is_cut.load(Ordering::Relaxed));
        let mut hit: Vec<_> = is_cut.then(|| (Bound::History, String::new())).into_iter().collect();
        for bound in Bound::OF_THREADS {
            let threads = self.automata.threads.values().zip(&self.table);
            let waiting = threads.filter(|(_, table)| self.locals[**table].bound_hit(bound));
            hit.extend(waiting.map(|(thread, _)| (bound, thread.name.clone())));
        }
        hit
    }

    /// What is known of a thread in this state.
    pub(crate) fn info(&self, words: &[u32], thread: usize) -> Met<'_> {
        self.ready(thread, words[self.layout.n_words + thread])
    }

    /// All that is known of the state `number` of `thread`.
    pub(crate) fn ready(&self, thread: usize, number: u32) -> Met<'_> {
        self.locals[self.table[thread]].ready(&self.around(), number)
    }

    pub(crate) fn world_is_stopped(&self, words: &[u32], thread: usize) -> bool {
        (0..self.table.len()).all(|other| other == thread || self.info(words, other).is_parked)
    }

    /// The same state with all other threads where they are: a stopped world has found them there.
    pub(crate) fn without_trails(&self, words: &[u32], thread: usize) -> Vec<u32> {
        let mut words = words.to_vec();
        for other in (0..self.table.len()).filter(|other| *other != thread) {
            let number = &mut words[self.layout.n_words + other];
            *number = self.locals[self.table[other]].without_trail(*number);
        }
        words
    }

    /// Whether another thread holds the bus.
    pub(crate) fn is_locked_out(&self, words: &[u32], thread: usize) -> bool {
        self.bus.is_some_and(|bus| {
            let holder = bus.get(words);
            holder != Automata::FREE && holder != thread as Value
        })
    }

    /// The property that a state without steps violates, if it should have some.
    pub(crate) fn deadlock(&self, state: &[u32]) -> Option<PropertyIndex> {
        if self.is_quiescent(state) {
            return None;
        }
        self.interpreter.stuck(&self.unpack(state)).map(|property| property.0)
    }

    /// Whether something was performed on an assumption that cannot turn out right: then the state does not exist.
    pub(crate) fn is_refuted(&self, state: &[u32]) -> bool {
        self.has_assumption(state) && self.interpreter.is_refuted(&self.unpack(state))
    }
}

/// For each thread, its position among those with its program.
fn sharing(same: &[usize]) -> Vec<Sharing> {
    let alike = |first: usize| same.iter().filter(move |other| **other == first);
    let of = |(thread, first): (usize, &usize)| Sharing {
        position: same[..thread].iter().filter(|other| *other == first).count(),
        n_alike: alike(*first).count(),
    };
    same.iter().enumerate().map(of).collect()
}

/// A table for each program, and for each thread its table.
fn shared_tables(
    same: &[usize],
    sharing: &[Sharing],
    codes: &[Arc<Code>],
    n_permutations: usize,
) -> (Vec<usize>, Vec<Locals>) {
    let (mut table, mut locals) = (Vec::new(), Vec::new());
    for ((thread, first), code) in same.iter().enumerate().zip(codes) {
        if *first == thread {
            let members = (0..same.len()).filter(|other| same[*other] == thread).map(ThreadId::new).collect();
            locals.push(Locals::new(code.clone(), members, n_permutations * sharing[thread].n_alike));
            table.push(locals.len() - 1);
        } else {
            table.push(table[*first]);
        }
    }
    (table, locals)
}

/// What properties state of quiescent states.
fn of_quiescence(automata: &Automata) -> Vec<(PropertyIndex, StateProperty<'_>)> {
    let judged = automata.properties.iter().filter_map(|(id, property)| Some((id.0, property.kind.state_property()?)));
    judged.filter(|(_, judged)| judged.moment == Moment::Quiescent).collect()
}

/// Whether some property or cover property speaks of whole states.
fn speaks_of_states(automata: &Automata) -> bool {
    !automata.definedness.is_empty()
        || automata.properties.values().any(|property| property.kind.state_property().is_some())
        || automata.covers.values().any(|cover| cover.condition.is_some())
}
