//! How far a thread may come without writing, and the writes that it may come to.
//!
//! Taking the bus counts as no write: while a thread holds it, others may do only what they could have done before, with the
//! same outcome, so it may as well be taken later.

use crate::compiled::Compiled;
use crate::kernel::Kernel;
use crate::local::Mode;
use crate::locals::{FAILED, Surroundings};
use automata::{CellId, Value};
use base::table::Id;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Cells, a bit each.
pub(crate) type Cells = u128;

/// How far a thread may come without writing.
#[derive(Default)]
pub(crate) struct Progress {
    /// The state it begins in first.
    pub(crate) all: Vec<Reached>,
    pub(crate) writes: Vec<Write>,
    changes: Vec<Change>,
    /// What is read by any last step.
    pub(crate) reads: Cells,
    pub(crate) has_end: bool,
    /// What properties ask of the states it comes to without and with the bus.
    pub(crate) asked: [Vec<Arc<Kernel>>; 2],
}

/// A state of the thread, and how it was come to.
pub(crate) struct Reached {
    pub(crate) number: u32,
    /// From where it was come to first.
    pub(crate) from: usize,
    /// What the last steps of all ways there read.
    pub(crate) reads: Cells,
    /// Whether the thread has taken the bus on the way.
    pub(crate) has_bus: bool,
    /// Whether the thread has no step there.
    pub(crate) is_end: bool,
}

/// A step that writes, or that ends in a state of its own kind.
pub(crate) struct Write {
    pub(crate) from: usize,
    /// The thread's state after it.
    pub(crate) number: u32,
    /// The cells that differ after it, the bus among them if it was taken on the way.
    pub(crate) cells: Cells,
    pub(crate) needs_bus: bool,
    changes: Range<usize>,
}

/// Bits of a word.
struct Change {
    word: usize,
    mask: u32,
    bits: u32,
}

/// One step of a thread: the words after it, and what it reads and writes.
pub(crate) struct Step<'a> {
    words: &'a [u32],
    reads: Cells,
    writes: Cells,
    needs_bus: bool,
    /// Whether it performs the oldest entry of the queue, and no more.
    performs_first: bool,
}

/// What is only needed while progress is being found.
struct Search<'a> {
    compiled: &'a Compiled<'a>,
    thread: usize,
    progress: Progress,
    /// Where each state is among all.
    places: FxHashMap<(u32, bool), usize>,
    /// For each state, how many steps it takes to come there, and all last steps of so few: from where, and what they read.
    ways: Vec<(usize, Vec<(usize, Cells)>)>,
    /// All that was looked at.
    looked_at: Cells,
}

fn bit(cell: CellId) -> Cells {
    1 << cell.index()
}

impl Compiled<'_> {
    /// How far `thread` may come from `state` without writing, and the cells that this depends on.
    pub(crate) fn find_progress(&self, state: &[u32], thread: usize) -> (Progress, Cells) {
        let around = self.around();
        let mut search = Search {
            compiled: self,
            thread,
            progress: Progress::default(),
            places: FxHashMap::default(),
            ways: Vec::new(),
            looked_at: self.automata.bus.map_or(0, bit),
        };
        let at = self.layout.n_words + thread;
        search.reach(state[at], false, 0, 0);
        let mut words = state.to_vec();
        let mut next = 0;
        while next < search.progress.all.len() {
            let Reached { number, has_bus, .. } = search.progress.all[next];
            words[at] = number;
            if has_bus {
                self.give_bus(&mut words, thread);
            }
            let n_steps = self.each_step(&around, &words, thread, &mut |step| search.add(next, step));
            search.progress.all[next].is_end = n_steps.0 == 0;
            search.looked_at |= n_steps.1;
            words.copy_from_slice(state);
            next += 1;
        }
        search.finish()
    }

    /// Lets `thread` hold the bus.
    pub(crate) fn give_bus(&self, words: &mut [u32], thread: usize) {
        let bus = self.bus.expect("where it is taken, it is there");
        bus.set(words, thread as Value);
    }

    /// Calls `visit` with every step of `thread`; the way through a region is one. How many there are, and all that was looked at.
    fn each_step(
        &self,
        around: &Surroundings<'_>,
        from: &[u32],
        thread: usize,
        visit: &mut dyn FnMut(Step<'_>),
    ) -> (usize, Cells) {
        let mut open = vec![(from.to_vec(), 0, 0, false, true)];
        let mut next = from.to_vec();
        let (mut n_steps, mut looked_at) = (0, 0);
        while let Some((words, reads, writes, needs_bus, is_first)) = open.pop() {
            let locals = &self.locals[self.table[thread]];
            let info = self.info(&words, thread);
            let is_locked_out = self.is_locked_out(&words, thread);
            for (index, a_move) in info.moves.iter().enumerate() {
                if is_locked_out && a_move.needs_bus() {
                    continue;
                }
                let bus = self.automata.bus.filter(|_| a_move.needs_bus()).map_or(0, bit);
                let reads = reads | bus | a_move.reads_cell().map_or(0, bit);
                let needs_bus = needs_bus | a_move.needs_bus();
                looked_at |= reads;
                let raw = a_move.reads.map_or(0, |slot| slot.raw(&words));
                let result = locals.step(around, info, index, raw);
                let writes = writes | result.write.map_or(0, |(cell, ..)| bit(cell));
                for way in &result.ways {
                    next.copy_from_slice(&words);
                    if !self.change(around, &mut next, thread, *way, result) {
                        continue;
                    }
                    if way.in_region {
                        open.push((next.clone(), reads, writes, needs_bus, false));
                    } else {
                        let performs_first = is_first && a_move.performs_first();
                        n_steps += 1;
                        visit(Step { words: &next, reads, writes, needs_bus, performs_first });
                    }
                }
            }
        }
        (n_steps, looked_at)
    }
}

impl Progress {
    /// Puts the cells that differ after a write into `words`.
    pub(crate) fn apply(&self, write: &Write, words: &mut [u32]) {
        for Change { word, mask, bits } in &self.changes[write.changes.clone()] {
            words[*word] = words[*word] & !mask | bits;
        }
    }

    /// Whether the thread may come to hold the bus.
    pub(crate) fn takes_bus(&self) -> bool {
        !self.asked[1].is_empty() || self.all.iter().any(|reached| reached.has_bus)
    }
}

impl Search<'_> {
    /// Adds a step of the thread from its state at `from`.
    fn add(&mut self, from: usize, step: Step<'_>) {
        let number = step.words[self.compiled.layout.n_words + self.thread];
        let had_bus = self.progress.all[from].has_bus;
        let bus = self.compiled.automata.bus.map_or(0, bit);
        let takes_bus = !had_bus && step.writes != 0 && step.writes == bus && self.holds_bus(step.words);
        let is_late = (step.writes == 0 || takes_bus) && number & FAILED == 0 && {
            self.compiled.locals[self.compiled.table[self.thread]].info(number).local.mode != Mode::Spinning
        };
        if is_late {
            self.reach(number, had_bus | takes_bus, from, step.reads);
        } else if !self.is_taken_before(from, &step) {
            let cells = step.writes | if had_bus { bus } else { 0 };
            self.write(from, number, cells, &step);
        }
    }

    fn holds_bus(&self, words: &[u32]) -> bool {
        self.compiled.bus.is_some_and(|bus| bus.get(words) == self.thread as Value)
    }

    fn reach(&mut self, number: u32, has_bus: bool, from: usize, reads: Cells) {
        let all = &mut self.progress.all;
        let distance = self.ways.get(from).map_or(0, |(distance, _)| distance + 1);
        match self.places.get(&(number, has_bus)) {
            Some(at) => {
                all[*at].reads |= reads;
                if self.ways[*at].0 == distance {
                    self.ways[*at].1.push((from, reads));
                }
            }
            None => {
                self.places.insert((number, has_bus), all.len());
                all.push(Reached { number, from, reads, has_bus, is_end: true });
                self.ways.push((distance, vec![(from, reads)]));
            }
        }
    }

    fn write(&mut self, from: usize, number: u32, cells: Cells, step: &Step<'_>) {
        let first = self.progress.changes.len();
        let mut rest = cells;
        while rest != 0 {
            let cell = CellId::new(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            let (word, mask) = self.compiled.layout.slot(cell).place();
            self.progress.changes.push(Change { word, mask, bits: step.words[word] & mask });
        }
        let changes = first..self.progress.changes.len();
        self.progress.writes.push(Write { from, number, cells, needs_bus: step.needs_bus, changes });
    }

    /// Whether the step performs the oldest store, which could have been performed before the thread came here. Only shortest
    /// ways count, so that it is not put off for ever.
    fn is_taken_before(&self, from: usize, step: &Step<'_>) -> bool {
        let table = &self.compiled.locals[self.compiled.table[self.thread]];
        let all = &self.progress.all;
        let oldest = |at: usize| table.info(all[at].number).local.queue.first();
        let may_be_before =
            |(before, reads): &(usize, Cells)| step.writes & reads == 0 && oldest(*before) == oldest(from);
        step.performs_first && from != 0 && self.ways[from].1.iter().any(may_be_before)
    }

    fn finish(mut self) -> (Progress, Cells) {
        self.store_ends();
        let Search { compiled, thread, mut progress, .. } = self;
        progress.reads = progress.all[1..].iter().fold(0, |all, reached| all | reached.reads);
        progress.has_end = progress.all.iter().any(|reached| reached.is_end);
        let mut asked: [FxHashMap<u32, Arc<Kernel>>; 2] = Default::default();
        for reached in &progress.all {
            let own = &compiled.ready(thread, reached.number).judged[compiled.member[thread]].own;
            let asked = &mut asked[usize::from(reached.has_bus)];
            for kernel in &own.kernels {
                asked.entry(kernel.number).or_insert_with(|| kernel.clone());
            }
        }
        progress.asked = asked.map(|kernels| kernels.into_values().collect());
        (progress, self.looked_at)
    }

    /// A thread that holds the bus and has no step may keep all others from stepping: such states are stored.
    fn store_ends(&mut self) {
        let compiled = self.compiled;
        for at in 0..self.progress.all.len() {
            let Reached { number, from, has_bus, is_end, .. } = self.progress.all[at];
            if let (true, true, Some(bus), Some(cell)) = (has_bus, is_end, compiled.bus, compiled.automata.bus) {
                let mut words = vec![0; compiled.layout.n_words];
                bus.set(&mut words, self.thread as Value);
                let step = Step { words: &words, reads: 0, writes: 0, needs_bus: true, performs_first: false };
                self.write(from, number, bit(cell), &step);
            }
        }
    }
}
