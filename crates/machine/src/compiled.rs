//! The compiled form: a state is a few words, a step is a table look-up.
//!
//! A state is the packed cells followed by one number per thread, its state in `Locals`.

use crate::code::Code;
use crate::interpreter::{Interpreter, PlainState};
use crate::layout::Layout;
use crate::local::Mode;
use crate::locals::{DISCARDED, FAILED, Info, Locals, MoveResult, Surroundings, Way};
use crate::options::Options;
use crate::partial::{self, Visible};
use crate::symmetry;
use crate::touch::Watching;
use automata::{Automata, PropertyKind, StateExpr};
use base::table::Id;
use memory::MemoryModel;
use system::{PropertyIndex, Successors, TransitionSystem};

/// In a step's label, beside the thread: the oldest memory operation that the thread has pending is performed.
pub(crate) const OLDEST: u8 = 1 << 7;

/// Automata under a memory model, as a transition system.
pub struct Compiled<'a> {
    pub(crate) automata: &'a Automata,
    memory: &'a MemoryModel,
    options: &'a Options,
    interpreter: Interpreter<'a>,
    pub(crate) layout: Layout,
    pub(crate) locals: Vec<Locals>,
    /// For each thread, its table in `locals`.
    pub(crate) table: Vec<usize>,
    /// Threads whose numbers are sorted in a canonical state.
    interchangeable: Vec<Vec<usize>>,
    /// Whether some property or cover property speaks of whole states.
    judges_states: bool,
    /// What may change another thread's state.
    watching: Watching,
    /// What properties speak of, where steps may be put off.
    visible: Option<Visible>,
    /// The bits of a step's label, besides the thread, that are told: `OLDEST` or none.
    told_in_labels: u8,
}

impl<'a> Compiled<'a> {
    /// Prepares `automata` under `memory`. The eager closure is always on here.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let same = symmetry::same_program(automata);
        let mut locals = Vec::new();
        let mut table: Vec<usize> = Vec::new();
        for ((thread, first), code) in same.iter().enumerate().zip(Code::of_threads(automata)) {
            if *first == thread {
                locals.push(Locals::new(code));
                table.push(locals.len() - 1);
            } else {
                table.push(table[*first]);
            }
        }
        let interchangeable =
            if options.reductions.symmetry { symmetry::interchangeable(automata, &[]) } else { Vec::new() };
        let speaks_of_states =
            |kind: &PropertyKind| matches!(kind, PropertyKind::Invariant(_) | PropertyKind::Forbid(_));
        let judges_states = automata.properties.values().any(|p| speaks_of_states(&p.kind))
            || automata.covers.values().any(|c| c.condition.is_some());
        let interpreter = Interpreter::new(automata, memory, options);
        let layout = Layout::new(automata);
        Compiled {
            automata,
            memory,
            options,
            interpreter,
            layout,
            locals,
            table,
            interchangeable,
            judges_states,
            watching: Watching::of(automata, memory),
            visible: None,
            told_in_labels: 0,
        }
    }

    /// The form for temporal properties: threads keep their names, and the labels of steps have the bit `OLDEST`.
    pub(crate) fn for_runs(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let compiled = Compiled::new(automata, memory, options);
        Compiled { interchangeable: Vec::new(), told_in_labels: OLDEST, ..compiled }
    }

    /// As `for_runs`, with threads identified that are interchangeable to `atoms` too: for questions in which fairness has
    /// no part.
    pub(crate) fn for_ending_runs(self, atoms: &[StateExpr], has_next: bool) -> Self {
        let allowed = self.options.reductions.symmetry;
        let interchangeable = if allowed { symmetry::interchangeable(self.automata, atoms) } else { Vec::new() };
        let may_put_off = self.options.reductions.partial_order
            && !has_next
            && partial::is_suitable(self.automata, self.memory, self.watching);
        let visible = may_put_off.then(|| Visible::new(&self, atoms));
        Compiled { interchangeable, visible, ..self }
    }

    pub(crate) fn around(&self) -> Surroundings<'_> {
        Surroundings { automata: self.automata, memory: self.memory, options: self.options, layout: &self.layout }
    }

    /// The interpreter of the same system.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// Threads whose full queue made them wait.
    pub fn bounds_hit(&self) -> Vec<String> {
        let hit = |(thread, table): (usize, &usize)| {
            let name = &self.automata.threads[automata::ThreadId::new(thread)].name;
            self.locals[*table].bound_hit().then(|| name.clone())
        };
        self.table.iter().enumerate().filter_map(hit).collect()
    }

    /// Groups of threads that the search identifies with one another.
    pub fn symmetric_threads(&self) -> &[Vec<usize>] {
        &self.interchangeable
    }

    /// The canonical words of a plain state.
    pub fn pack(&self, state: &PlainState) -> Vec<u32> {
        let mut words = vec![0; self.state_len()];
        for (cell, value) in self.automata.cells.ids().zip(&state.cells) {
            self.layout.slot(cell).set(&mut words, *value);
        }
        for (thread, local) in state.locals.iter().enumerate() {
            words[self.layout.n_words + thread] = self.locals[self.table[thread]].number(&self.around(), local.clone());
        }
        self.make_canonical(&mut words);
        words
    }

    /// The plain state that canonical words stand for.
    pub fn unpack(&self, words: &[u32]) -> PlainState {
        let cells = self.automata.cells.ids().map(|cell| self.layout.slot(cell).get(words)).collect();
        let locals = (0..self.table.len()).map(|thread| self.info(words, thread).local.clone()).collect();
        PlainState { cells, locals }
    }

    pub(crate) fn info(&self, words: &[u32], thread: usize) -> &Info {
        self.locals[self.table[thread]].info(words[self.layout.n_words + thread])
    }

    fn make_canonical(&self, words: &mut [u32]) {
        for group in &self.interchangeable {
            for i in 1..group.len() {
                let mut j = i;
                while j > 0 && words[self.layout.n_words + group[j - 1]] > words[self.layout.n_words + group[j]] {
                    words.swap(self.layout.n_words + group[j - 1], self.layout.n_words + group[j]);
                    j -= 1;
                }
            }
        }
    }

    fn world_is_stopped(&self, words: &[u32], thread: usize) -> bool {
        (0..self.table.len()).all(|other| other == thread || self.info(words, other).is_parked)
    }

    /// Appends the states that the steps of some threads lead to.
    pub(crate) fn steps_of(&self, from: &[u32], is_wanted: impl Fn(usize) -> bool, out: &mut Successors) {
        let around = self.around();
        for thread in (0..self.table.len()).filter(|thread| is_wanted(*thread)) {
            self.take_moves(&around, from, thread, out);
            while let Some(state) = out.take_unfinished() {
                self.take_moves(&around, &state, thread, out);
                out.give_back(state);
            }
        }
    }

    /// Takes every move of `thread` from `from`; inside a region, the one there is.
    fn take_moves(&self, around: &Surroundings<'_>, from: &[u32], thread: usize, out: &mut Successors) {
        let info = self.info(from, thread);
        let (mut at, mut index) = (0, 0);
        while let Some(head) = info.record.head(at) {
            if !head.stops_the_world() || self.world_is_stopped(from, thread) {
                let raw = head.raw(from);
                match info.record.simple(at, raw) {
                    Some(simple) if simple.is_disabled() => {}
                    Some(simple) => {
                        let next = out.push(from, thread as u8 | head.oldest() & self.told_in_labels);
                        simple.write(next);
                        next[self.layout.n_words + thread] = simple.local();
                        self.make_canonical(next);
                    }
                    None => self.take_move(around, from, thread, (at, index), out),
                }
            }
            at += 1 + head.n_results();
            index += 1;
        }
    }

    /// Takes the move at `index`, whose head is at `at`, the long way; keeps its result if it is simple.
    fn take_move(
        &self,
        around: &Surroundings<'_>,
        from: &[u32],
        thread: usize,
        (at, index): (usize, usize),
        out: &mut Successors,
    ) {
        let locals = &self.locals[self.table[thread]];
        let info = self.info(from, thread);
        let raw = info.moves[index].reads.map_or(0, |slot| slot.raw(from));
        let result = locals.step(around, info, index, raw);
        let head = info.record.head(at);
        let is_kept = head.is_some_and(|head| head.n_results() > 0);
        let label = thread as u8 | head.map_or(0, |head| head.oldest() & self.told_in_labels);
        if let (true, Some(simple)) = (is_kept, result.simple(self.watching)) {
            info.record.keep(at, raw as usize, simple);
        }
        out.discarded |= result.discarded;
        for way in &result.ways {
            if way.in_region {
                if !self.change(around, out.push_unfinished(from), thread, *way, result) {
                    out.discard_unfinished();
                }
            } else {
                let next = out.push(from, label);
                if self.change(around, next, thread, *way, result) {
                    self.make_canonical(next);
                } else {
                    out.discard_last();
                }
            }
        }
    }

    /// Puts the stepping thread's new state and its write, and tells the other threads of it. False
    /// if the path does not exist.
    fn change(
        &self,
        around: &Surroundings<'_>,
        next: &mut [u32],
        thread: usize,
        way: Way,
        result: &MoveResult,
    ) -> bool {
        let n_words = self.layout.n_words;
        if let Some((_, slot, value)) = result.write {
            slot.set(next, value);
        }
        if let Some(touched) = result.touch.filter(|_| self.watching != Watching::Nothing) {
            for other in (0..self.table.len()).filter(|other| *other != thread) {
                let after = self.locals[self.table[other]].after_touch(around, next[n_words + other], touched);
                if after == DISCARDED {
                    return false;
                }
                next[n_words + other] = after;
            }
        }
        next[n_words + thread] = way.local;
        true
    }

    pub(crate) fn is_quiescent(&self, state: &[u32]) -> bool {
        (0..self.table.len()).all(|thread| {
            let info = self.info(state, thread);
            info.is_parked && info.local.mode == Mode::Halted
        })
    }

    fn failed(&self, state: &[u32]) -> Option<PropertyIndex> {
        let numbers = &state[self.layout.n_words..];
        let thread = numbers.iter().position(|number| number & FAILED != 0)?;
        match self.info(state, thread).local.mode {
            Mode::Failed(property) => Some(property.0),
            _ => None,
        }
    }
}

impl TransitionSystem for Compiled<'_> {
    fn state_len(&self) -> usize {
        self.layout.n_words + self.table.len()
    }

    fn initial(&self, out: &mut Successors) {
        let mut words = vec![0; self.state_len()];
        for (cell, declared) in self.automata.cells.iter() {
            self.layout.slot(cell).set(&mut words, declared.init);
        }
        let mut states = vec![words];
        for (thread, table) in self.table.iter().enumerate() {
            let result = self.locals[*table].initial(&self.around());
            let begin = |words: &Vec<u32>| {
                result
                    .ways
                    .iter()
                    .map(|way| {
                        let mut words = words.clone();
                        words[self.layout.n_words + thread] = way.local;
                        words
                    })
                    .collect::<Vec<_>>()
            };
            states = states.iter().flat_map(begin).collect();
        }
        for mut state in states {
            self.make_canonical(&mut state);
            out.push(&state, 0);
        }
    }

    fn successors(&self, from: &[u32], out: &mut Successors) {
        self.steps_of(from, |_| true, out);
    }

    fn sufficient_successors(&self, from: &[u32], out: &mut Successors) -> bool {
        match &self.visible {
            Some(visible) => self.persistent_successors(visible, from, out),
            None => {
                self.successors(from, out);
                false
            }
        }
    }

    fn inspect(&self, state: &[u32], covers: &mut u64) -> Option<PropertyIndex> {
        let judged = || if self.judges_states { self.violated(state, covers) } else { None };
        let property = self.failed(state).or_else(judged)?;
        // A path that may be discarded yet is the interpreter's business.
        let is_real = !self.is_speculative(state) || self.interpreter.violation(&self.unpack(state)).is_some();
        is_real.then_some(property)
    }

    fn stuck(&self, state: &[u32]) -> Option<PropertyIndex> {
        if self.is_quiescent(state) {
            return None;
        }
        self.interpreter.stuck(&self.unpack(state)).map(|property| property.0)
    }

    fn covers(&self) -> u64 {
        self.locals.iter().fold(0, |covers, locals| covers | locals.covers())
    }

    fn own_bytes(&self) -> u64 {
        self.locals.iter().map(Locals::bytes).sum()
    }
}
