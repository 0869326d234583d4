//! The steps of threads from a packed state: by look-up where they are simple, else worked out once and then looked up.

use crate::histories::numbered::Numbered;
use crate::rules::touch::Watching;
use crate::tabulated::info::{Continuation, Met, MoveResult};
use crate::tabulated::locals::{DISCARDED, Surroundings};
use crate::tabulated::region_states::RegionStates;
use crate::tabulated::scratch::{Begun, Regions, Scratch};
use crate::tabulated::tables::Tabulated;
use crate::tabulated::uncounted::Uncounted;
use system::{Budget, PropertyIndex, Reached, Successors, TransitionSystem};

/// In a step's label, beside the thread: the oldest memory operation that the thread has pending is performed.
pub(crate) const OLDEST: u8 = 1 << 7;

/// How steps are taken: what labels tell, and what is done with each state that a step leads to, at once, so that thread states get their
/// numbers in the same order whatever else is stored.
pub(crate) struct Stepping<'t, 'a, F> {
    pub(crate) tables: &'t Tabulated<'a>,
    pub(crate) around: Surroundings<'t>,
    /// The bits that labels have besides the thread: `OLDEST` or none.
    pub(crate) label_bits: u8,
    pub(crate) finish: F,
}

impl<'a> Tabulated<'a> {
    pub(crate) fn stepping<F: Fn(&mut [u32])>(&self, label_bits: u8, finish: F) -> Stepping<'_, 'a, F> {
        Stepping { tables: self, around: self.around(), label_bits, finish }
    }

    /// Appends the initial states.
    pub(crate) fn initial_states(&self, finish: impl Fn(&mut [u32]), out: &mut Successors) {
        let mut words = vec![0; self.state_len()];
        for (cell, declared) in self.automata.cells.iter() {
            self.layout.slot(cell).set(&mut words, declared.init);
        }
        let begin = |table: &usize| self.locals[*table].initial(&self.around()).ways;
        let ways: Vec<_> = self.table.iter().map(begin).collect();
        // Which way each thread takes; the last one's changes first.
        let mut chosen = vec![0; ways.len()];
        let mut pace = self.options.budget.pace();
        let mut is_one = ways.iter().all(|ways| !ways.is_empty());
        while is_one && !out.is_full() && !pace.is_over() {
            let begun = ways.iter().zip(&chosen).map(|(ways, way)| ways[*way].local);
            words[self.layout.n_words..].iter_mut().zip(begun).for_each(|(word, local)| *word = local);
            finish(out.push(&words, 0));
            is_one = is_next(&mut chosen, |thread| ways[thread].len());
        }
    }
}

/// Goes on to the next numbers, each below its bound, the last one first; false if these were the last.
fn is_next(numbers: &mut [usize], bound: impl Fn(usize) -> usize) -> bool {
    for at in (0..numbers.len()).rev() {
        numbers[at] += 1;
        if numbers[at] < bound(at) {
            return true;
        }
        numbers[at] = 0;
    }
    false
}

impl<F: Fn(&mut [u32])> Stepping<'_, '_, F> {
    /// Appends the states that the steps of some threads lead to.
    pub(crate) fn steps_of(
        &self,
        from: &[u32],
        is_wanted: impl Fn(usize) -> bool,
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        regions.clear();
        for thread in (0..self.tables.table.len()).filter(|thread| is_wanted(*thread)) {
            self.take_moves(from, &Begun { thread, label: thread as u8, ..Begun::default() }, regions, out);
            let mut inside = RegionStates::default();
            let mut pace = self.tables.options.budget.pace();
            while let Some((state, begun)) = regions.pop() {
                if pace.is_over() {
                    return;
                }
                if inside.is_new(|| (state.clone(), begun.label), &begun.uncounted) {
                    self.take_moves(&state, &begun, regions, out);
                }
                regions.give_back(state);
            }
        }
    }

    /// Takes every move of a thread from `from`; inside a region, the one there is, in a step that has begun.
    fn take_moves(&self, from: &[u32], begun: &Begun, regions: &mut Regions, out: &mut Successors) {
        let (tables, Begun { thread, label, uncounted }) = (self.tables, begun);
        if let Some(numbered) = &tables.histories {
            return self.take_moves_by_history(numbered, from, begun, regions, out);
        }
        let (thread, label) = (*thread, *label);
        let info = tables.info(from, thread);
        let is_locked_out = tables.is_locked_out(from, thread);
        let (mut at, mut index) = (0, 0);
        while let Some(head) = info.record.head(at) {
            let is_free = !(is_locked_out && head.needs_bus());
            if is_free && (!head.stops_the_world() || tables.world_is_stopped(from, thread)) {
                let raw = head.raw(from);
                match info.record.simple(at, raw) {
                    _ if tables.keeps_trails && head.stops_the_world() => {
                        let from = tables.without_trails(from, thread);
                        self.take_move(&from, begun, info, (at, index), regions, out);
                    }
                    Some(simple) if simple.is_disabled() => {}
                    Some(simple) if simple.is_in_region() => {
                        let mut next = regions.copy(from);
                        simple.write(&mut next);
                        next[tables.layout.n_words + thread] = simple.local();
                        let label = label | head.oldest() & self.label_bits;
                        regions.push(next, Begun { thread, label, uncounted: uncounted.clone() });
                    }
                    Some(simple) => {
                        let next = out.push(from, label | head.oldest() & self.label_bits);
                        simple.write(next);
                        next[tables.layout.n_words + thread] = simple.local();
                        self.count(thread, uncounted, next);
                        (self.finish)(next);
                    }
                    None => self.take_move(from, begun, info, (at, index), regions, out),
                }
            }
            at += 1 + head.n_results();
            index += 1;
        }
    }

    /// Takes the move at `index`, whose head is at `at`, the long way; keeps its result if it is simple.
    fn take_move(
        &self,
        from: &[u32],
        begun: &Begun,
        info: Met<'_>,
        (at, index): (usize, usize),
        regions: &mut Regions,
        out: &mut Successors,
    ) {
        let (tables, thread) = (self.tables, begun.thread);
        let locals = &tables.locals[tables.table[thread]];
        let raw = info.moves[index].reads.map_or(0, |slot| slot.raw(from));
        let result = locals.step(&self.around, info, index, raw);
        let head = info.record.head(at);
        let is_kept = head.is_some_and(|head| head.n_results() > 0);
        let label = begun.label | head.map_or(0, |head| head.oldest() & self.label_bits);
        let is_counted = locals.is_counted(result);
        if let (true, true, Some(simple)) = (is_kept, is_counted, result.simple(tables.watching)) {
            info.record.keep(at, raw as usize, simple);
        }
        out.discarded |= result.discarded;
        if !is_counted {
            self.count(thread, &locals.uncounted_cut(&begun.uncounted, result), from);
        }
        for (index, way) in result.ways.iter().enumerate() {
            let uncounted = match is_counted {
                true => begun.uncounted.clone(),
                false => locals.uncounted(&begun.uncounted, result, index),
            };
            if way.in_region {
                let mut next = regions.copy(from);
                if self.change(&mut next, thread, *way, result) {
                    regions.push(next, Begun { thread, label, uncounted });
                } else {
                    regions.give_back(next);
                    out.discarded = true;
                }
            } else {
                let next = out.push(from, label);
                if self.change(next, thread, *way, result) {
                    self.count(thread, &uncounted, next);
                    (self.finish)(next);
                } else {
                    out.discard_last();
                }
            }
        }
    }

    /// Counts what a step of `thread` has reached, if the state after it exists.
    pub(crate) fn count(&self, thread: usize, reached: &Uncounted, after: &[u32]) {
        let tables = self.tables;
        if !reached.is_nothing() && !tables.is_refuted(after) {
            tables.locals[tables.table[thread]].count(reached);
        }
    }

    /// Puts the stepping thread's new state and its write, and tells the other threads of it. False
    /// if the path does not exist.
    fn change(&self, next: &mut [u32], thread: usize, way: Continuation, result: &MoveResult) -> bool {
        let tables = self.tables;
        let n_words = tables.layout.n_words;
        if let Some((_, slot, value)) = result.write {
            slot.set(next, value);
        }
        if let Some(touched) = result.touch.filter(|_| tables.watching != Watching::Nothing) {
            for other in (0..tables.table.len()).filter(|other| *other != thread) {
                let after =
                    tables.locals[tables.table[other]].after_touch(&self.around, next[n_words + other], touched);
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

impl TransitionSystem for Tabulated<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    fn state_len(&self) -> usize {
        self.memory_word() + usize::from(self.histories.is_some())
    }

    fn initial(&self, out: &mut Successors) {
        self.initial_states(|_| {}, out);
    }

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        // Where a thread has violated a property the run ends.
        if !self.has_failed(from) {
            self.stepping(OLDEST, |_| {}).steps_of(from, |_| true, &mut scratch.regions, out);
        }
    }

    fn inspect(&self, state: &[u32], scratch: &mut Scratch, reached: &mut Reached) -> Option<PropertyIndex> {
        if self.circles(state) {
            return None;
        }
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
        violated: &mut Vec<PropertyIndex>,
    ) {
        if self.circles(state) {
            return;
        }
        let mut found = Reached::default();
        let mut all: Vec<PropertyIndex> = self.every_failed(state).collect();
        if self.judges_states && all.is_empty() {
            self.every_violated(state, &mut scratch.clean, &mut found, &mut |property| all.push(property));
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|property| !violated.contains(property));
        let is_something = !all.is_empty() || !reached.has_all(&found);
        if is_something && !self.is_refuted(state) {
            reached.add_all(&found);
            violated.append(&mut all);
        }
    }

    fn stuck(&self, state: &[u32], _: &mut Scratch) -> Option<PropertyIndex> {
        self.deadlock(state)
    }

    fn write_state(&self, state: &[u32], out: &mut Vec<u8>) {
        self.write_content(state, out);
    }

    fn read_state(&self, bytes: &mut &[u8]) -> Option<Vec<u32>> {
        self.read_content(bytes)
    }

    fn write_notes(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        self.write_numbers(since, out)
    }

    fn read_notes(&self, bytes: &mut &[u8]) -> Option<()> {
        self.read_numbers(bytes)
    }

    fn reached(&self) -> Reached {
        let mut reached = Reached::default();
        self.locals.iter().for_each(|locals| reached.add_all(&locals.reached()));
        reached
    }

    fn own_bytes(&self) -> u64 {
        self.locals.iter().map(|locals| locals.bytes()).sum::<u64>()
            + self.judges.bytes()
            + self.histories.as_ref().map_or(0, Numbered::bytes)
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.options.budget)
    }
}
