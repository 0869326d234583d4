//! The compiled form: a state is a few words, a step is a table look-up.
//!
//! A state is the packed cells followed by one number per thread, its state in `Locals`.

use crate::late;
use crate::late::progress::Cells;
use crate::options::{Bound, LateReads, Options};
use crate::partial::{self, Visible};
use crate::properties::judges::Judges;
use crate::rules::Rules;
use crate::rules::code::Code;
use crate::rules::interpreter::Interpreter;
use crate::rules::touch::Watching;
use crate::symmetry;
use crate::symmetry::canonical::{MAX_WORDS, Moves};
use crate::symmetry::group;
use crate::tabulated::inside::Inside;
use crate::tabulated::layout::{Layout, Slot};
use crate::tabulated::locals::{DISCARDED, Info, Locals, MoveResult, Surroundings, Way};
use crate::tabulated::scratch::{Regions, Scratch};
use automata::{Automata, PropertyKind, StateExpr, ThreadId, Value};
use base::table::Id;
use memory::MemoryModel;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use system::{Budget, PropertyIndex, Reached, SharedReached, Successors, TransitionSystem};

/// In a step's label, beside the thread: the oldest memory operation that the thread has pending is performed.
pub(crate) const OLDEST: u8 = 1 << 7;

/// Automata under a memory model, as a transition system.
pub struct Compiled<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) memory: &'a MemoryModel,
    options: &'a Options,
    interpreter: Interpreter<'a>,
    pub(crate) layout: Layout,
    pub(crate) locals: Vec<Locals>,
    /// For each thread, its table in `locals`.
    pub(crate) table: Vec<usize>,
    /// For each thread, its position among those that share its table.
    pub(crate) member: Vec<usize>,
    /// What invariants and cover properties ask.
    pub(crate) judges: Judges,
    /// Conditions that no quiescent state may have.
    pub(crate) forbids: Vec<(PropertyIndex, &'a StateExpr)>,
    /// Threads whose numbers are sorted in a canonical state.
    pub(crate) interchangeable: Vec<Vec<usize>>,
    /// Permutations whose images are compared for a canonical state, and those that are not used.
    pub(crate) permutations: Vec<Moves>,
    unused: Vec<Moves>,
    /// For each thread, its position among those of its table, and how many these are.
    pub(crate) sharing: Vec<(usize, usize)>,
    /// Whether some property or cover property speaks of whole states.
    judges_states: bool,
    /// What may change another thread's state.
    pub(crate) watching: Watching,
    /// Whether steps that write nothing are put off, and cover properties that were reached on the way.
    is_late: bool,
    /// For each thread, the cells that no other thread touches, and their bits, word by word. Empty if nothing is put off.
    pub(crate) private: Vec<Cells>,
    pub(crate) private_mask: Vec<Vec<u32>>,
    /// Bytes of what workers keep.
    kept_bytes: Arc<AtomicU64>,
    pub(crate) late_reached: SharedReached,
    /// Whether thread states may have trails.
    keeps_trails: bool,
    /// Where the bus says which thread holds it.
    pub(crate) bus: Option<Slot>,
    /// What properties speak of, where steps may be put off.
    visible: Option<Visible>,
    /// The bits of a step's label, besides the thread, that are told: `OLDEST` or none.
    told_in_labels: u8,
}

impl<'a> Compiled<'a> {
    /// Prepares `automata` under `memory`. The eager closure is always on here.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let same = symmetry::same_program(automata);
        let codes = Code::of_threads(automata);
        let layout = Layout::new(automata);
        let interchangeable =
            if options.reductions.symmetry { symmetry::interchangeable(automata, &[]) } else { Vec::new() };
        // A permutation knows no names for what dead registers hold, so images of one state would differ there.
        let reductions = &options.reductions;
        let is_allowed = reductions.symmetry && reductions.dead_registers && layout.n_words + codes.len() <= MAX_WORDS;
        let group = if is_allowed {
            group::permutations(automata, &codes, &interchangeable, &options.budget)
        } else {
            Vec::new()
        };
        let n_permutations = group.len();
        let moves = group.into_iter().enumerate().filter_map(|(i, p)| Moves::new(automata, &layout, i, p));
        let permutations: Vec<Moves> = moves.collect();
        let position = |thread: usize| same[..thread].iter().filter(|first| **first == same[thread]).count();
        let n_alike = |thread: usize| same.iter().filter(|first| **first == same[thread]).count();
        let sharing: Vec<(usize, usize)> = (0..same.len()).map(|thread| (position(thread), n_alike(thread))).collect();
        let mut locals = Vec::new();
        let mut table: Vec<usize> = Vec::new();
        let members = |first: usize| {
            let is_member = |thread: &usize| same[*thread] == first;
            (0..same.len()).filter(is_member).collect::<Vec<_>>()
        };
        for ((thread, first), code) in same.iter().enumerate().zip(codes) {
            if *first == thread {
                let members: Vec<ThreadId> = members(thread).into_iter().map(ThreadId::new).collect();
                locals.push(Locals::new(code, members, n_permutations * sharing[thread].1));
                table.push(locals.len() - 1);
            } else {
                table.push(table[*first]);
            }
        }
        let member = sharing.iter().map(|(position, _)| *position).collect();
        let speaks_of_states =
            |kind: &PropertyKind| matches!(kind, PropertyKind::Invariant(_) | PropertyKind::Forbid(_));
        let judges_states = !automata.definedness.is_empty()
            || automata.properties.values().any(|p| speaks_of_states(&p.kind))
            || automata.covers.values().any(|c| c.condition.is_some());
        let keeps_trails = locals.iter().any(Locals::keeps_trails);
        let forbids = automata.properties.iter().filter_map(|(id, property)| match &property.kind {
            PropertyKind::Forbid(condition) => Some((id.0, condition)),
            _ => None,
        });
        let interpreter = Interpreter::new(automata, memory, options);
        let judges = Judges::new(automata, &layout);
        let bus = automata.bus.map(|bus| layout.slot(bus));
        let mut compiled = Compiled {
            automata,
            memory,
            options,
            interpreter,
            layout,
            locals,
            table,
            member,
            judges,
            forbids: forbids.collect(),
            interchangeable,
            permutations,
            unused: Vec::new(),
            sharing,
            judges_states,
            watching: Watching::of(automata, memory),
            is_late: false,
            kept_bytes: Arc::default(),
            private: Vec::new(),
            private_mask: Vec::new(),
            late_reached: SharedReached::default(),
            keeps_trails,
            bus,
            visible: None,
            told_in_labels: 0,
        };
        compiled.is_late = options.reductions.late_reads == LateReads::Always && late::is_suitable(&compiled);
        if compiled.is_late {
            compiled.private = late::private(&compiled);
            compiled.private_mask = compiled.private.iter().map(|cells| compiled.mask(*cells)).collect();
        }
        compiled
    }

    /// The form for temporal properties: threads keep their names, and the labels of steps have the bit `OLDEST`.
    pub(crate) fn for_runs(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let mut compiled = Compiled::new(automata, memory, options);
        compiled.interchangeable.clear();
        compiled.unused.append(&mut compiled.permutations);
        compiled.is_late = false;
        Compiled { told_in_labels: OLDEST, ..compiled }
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
        let is_unnoticed = group::unnoticed(self.automata, atoms, &self.options.budget);
        let (unused, permutations) = (self.unused, self.permutations);
        let permutations = permutations.into_iter().chain(unused);
        let permutations = permutations.filter(|moves| allowed && is_unnoticed(&moves.permutation)).collect();
        Compiled { interchangeable, permutations, unused: Vec::new(), visible, ..self }
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
        let mut hit = Vec::new();
        for bound in Bound::ALL {
            let threads = self.automata.threads.values().zip(&self.table);
            let waiting = threads.filter(|(_, table)| self.locals[**table].bound_hit(bound));
            hit.extend(waiting.map(|(thread, _)| (bound, thread.name.clone())));
        }
        hit
    }

    /// Whether steps that write nothing are put off.
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    /// Whether steps that write nothing could be put off.
    pub fn could_be_late(&self) -> bool {
        late::is_suitable(self)
    }

    /// How many permutations, the identity included, the search identifies states by, besides those of threads with equal
    /// programs.
    pub fn n_permutations(&self) -> usize {
        self.permutations.len() + 1
    }

    pub(crate) fn info(&self, words: &[u32], thread: usize) -> &Info {
        self.ready(thread, words[self.layout.n_words + thread])
    }

    /// All that is known of the state `number` of `thread`.
    pub(crate) fn ready(&self, thread: usize, number: u32) -> &Info {
        self.locals[self.table[thread]].ready(&self.around(), number)
    }

    fn world_is_stopped(&self, words: &[u32], thread: usize) -> bool {
        (0..self.table.len()).all(|other| other == thread || self.info(words, other).is_parked)
    }

    /// The same state with all other threads where they are: a stopped world has found them there.
    fn without_trails(&self, words: &[u32], thread: usize) -> Vec<u32> {
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

    /// Appends the states that steps lead to; of those that are put off, states come to not long ago are left out if they `may_repeat`.
    fn all_steps(&self, from: &[u32], may_repeat: bool, scratch: &mut Scratch, out: &mut Successors) {
        // Where a thread has violated a property the run ends.
        if self.has_failed(from) {
            return;
        }
        if self.is_late {
            return self.late_successors(from, may_repeat, scratch, out);
        }
        self.steps_of(from, |_| true, &mut scratch.regions, out);
    }

    /// Appends the states that the steps of some threads lead to.
    pub(crate) fn steps_of(
        &self,
        from: &[u32],
        is_wanted: impl Fn(usize) -> bool,
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let around = self.around();
        regions.clear();
        for thread in (0..self.table.len()).filter(|thread| is_wanted(*thread)) {
            self.take_moves(&around, from, (thread, thread as u8), regions, out);
            let mut inside = Inside::default();
            let mut pace = self.options.budget.pace();
            while let Some((state, label)) = regions.pop() {
                if pace.is_over() {
                    return;
                }
                if inside.is_new(|| (state.clone(), label)) {
                    self.take_moves(&around, &state, (thread, label), regions, out);
                }
                regions.give_back(state);
            }
        }
    }

    /// Takes every move of `thread` from `from`; inside a region, the one there is, in a step that `label` has begun.
    fn take_moves(
        &self,
        around: &Surroundings<'_>,
        from: &[u32],
        (thread, label): (usize, u8),
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let info = self.info(from, thread);
        let is_locked_out = self.is_locked_out(from, thread);
        let (mut at, mut index) = (0, 0);
        while let Some(head) = info.record.head(at) {
            let is_free = !(is_locked_out && head.needs_bus());
            if is_free && (!head.stops_the_world() || self.world_is_stopped(from, thread)) {
                let raw = head.raw(from);
                match info.record.simple(at, raw) {
                    _ if self.keeps_trails && head.stops_the_world() => {
                        let from = self.without_trails(from, thread);
                        self.take_move(around, &from, (thread, label), (at, index), regions, out);
                    }
                    Some(simple) if simple.is_disabled() => {}
                    Some(simple) => {
                        let next = out.push(from, label | head.oldest() & self.told_in_labels);
                        simple.write(next);
                        next[self.layout.n_words + thread] = simple.local();
                        self.make_canonical(next);
                    }
                    None => self.take_move(around, from, (thread, label), (at, index), regions, out),
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
        (thread, begun): (usize, u8),
        (at, index): (usize, usize),
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let locals = &self.locals[self.table[thread]];
        let info = self.info(from, thread);
        let raw = info.moves[index].reads.map_or(0, |slot| slot.raw(from));
        let result = locals.step(around, info, index, raw);
        let head = info.record.head(at);
        let is_kept = head.is_some_and(|head| head.n_results() > 0);
        let label = begun | head.map_or(0, |head| head.oldest() & self.told_in_labels);
        let is_counted = locals.is_counted(result);
        if let (true, true, Some(simple)) = (is_kept, is_counted, result.simple(self.watching)) {
            info.record.keep(at, raw as usize, simple);
        }
        out.discarded |= result.discarded;
        let mut exists = result.ways.is_empty() && !is_counted && !self.is_refuted(from);
        for way in &result.ways {
            if way.in_region {
                let mut next = regions.copy(from);
                if self.change(around, &mut next, thread, *way, result) {
                    exists |= !is_counted && !self.is_refuted(&next);
                    regions.push(next, label);
                } else {
                    regions.give_back(next);
                    out.discarded = true;
                }
            } else {
                let next = out.push(from, label);
                if self.change(around, next, thread, *way, result) {
                    self.make_canonical(next);
                    exists |= !is_counted && !self.is_refuted(next);
                } else {
                    out.discard_last();
                }
            }
        }
        if exists {
            locals.count(result);
        }
    }

    /// Whether something was performed on an assumption that cannot turn out right: then the state does not exist.
    pub(crate) fn is_refuted(&self, state: &[u32]) -> bool {
        self.has_assumption(state) && self.interpreter.is_refuted(&self.unpack(state))
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
}

impl TransitionSystem for Compiled<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(self.kept_bytes.clone())
    }

    fn state_len(&self) -> usize {
        self.layout.n_words + self.table.len()
    }

    fn initial(&self, out: &mut Successors) {
        let mut words = vec![0; self.state_len()];
        for (cell, declared) in self.automata.cells.iter() {
            self.layout.slot(cell).set(&mut words, declared.init);
        }
        let mut states = vec![words];
        let mut pace = self.options.budget.pace();
        for (thread, table) in self.table.iter().enumerate() {
            let result = self.locals[*table].initial(&self.around());
            let begin = |words: &Vec<u32>| {
                let going = result.ways.iter().take_while(|_| !pace.is_over());
                going
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

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        self.all_steps(from, false, scratch, out);
    }

    fn new_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        self.all_steps(from, true, scratch, out);
    }

    fn sufficient_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) -> bool {
        match &self.visible {
            Some(visible) => self.persistent_successors(visible, from, scratch, out),
            None => {
                self.successors(from, scratch, out);
                false
            }
        }
    }

    fn inspect(&self, state: &[u32], scratch: &mut Scratch, reached: &mut Reached) -> Option<PropertyIndex> {
        let mut found = Reached::default();
        let clean = &mut scratch.clean;
        let judged = || if self.judges_states { self.violated(state, clean, &mut found) } else { None };
        let property = self.failed(state).or_else(judged);
        let is_something = property.is_some() || !reached.has_all(&found);
        if is_something && !self.is_refuted(state) {
            reached.add_all(&found);
            return property;
        }
        None
    }

    fn inspect_all(
        &self,
        state: &[u32],
        scratch: &mut Scratch,
        reached: &mut Reached,
        violated: &mut dyn FnMut(PropertyIndex),
    ) {
        let mut found = Reached::default();
        let mut all: Vec<PropertyIndex> = self.every_failed(state).collect();
        if self.judges_states && all.is_empty() {
            self.every_violated(state, &mut scratch.clean, &mut found, &mut |property| all.push(property));
        }
        let is_something = !all.is_empty() || !reached.has_all(&found);
        if is_something && !self.is_refuted(state) {
            reached.add_all(&found);
            all.into_iter().for_each(violated);
        }
    }

    fn stuck(&self, state: &[u32], _: &mut Scratch) -> Option<PropertyIndex> {
        self.deadlock(state)
    }

    fn reached(&self) -> Reached {
        let mut reached = self.late_reached.get();
        self.locals.iter().for_each(|locals| reached.add_all(&locals.reached()));
        reached
    }

    fn own_bytes(&self) -> u64 {
        self.locals.iter().map(Locals::bytes).sum::<u64>() + self.judges.bytes() + self.kept_bytes.load(Relaxed)
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.options.budget)
    }
}
