//! How far a thread may come without writing, and the writes that it may come to.
//!
//! This depends on the thread's state and on the cells that its program touches, so workers keep what they have found: all else
//! differs far more often.

use crate::compiled::Compiled;
use crate::conjuncts::Owner;
use crate::local::Mode;
use crate::locals::{FAILED, Surroundings};
use automata::{CellId, PropertyId};
use base::table::Id;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use system::PropertyIndex;

/// Cells, a bit each.
pub(crate) type Cells = u128;

/// How many findings a worker keeps for each thread.
const KEPT: usize = 1 << 13;

/// How far a thread may come without writing.
#[derive(Default)]
pub(crate) struct Progress {
    /// The state it begins in first.
    pub(crate) all: Vec<Reached>,
    pub(crate) writes: Vec<Write>,
    /// The cells after each write, one after the other; only those that the thread's program touches count.
    cells: Vec<u32>,
    /// What is read by any last step.
    pub(crate) reads: Cells,
}

/// A state of the thread, and how it was come to.
pub(crate) struct Reached {
    pub(crate) number: u32,
    /// From where it was come to first.
    pub(crate) from: usize,
    /// How many steps that takes, and all last steps of so few: from where, and what they read.
    distance: usize,
    shortest: Vec<(usize, Cells)>,
    /// What the last steps of all ways there read.
    pub(crate) reads: Cells,
    /// Whether the thread has no step there.
    pub(crate) is_end: bool,
}

/// A step that writes, or that ends in a state of its own kind.
pub(crate) struct Write {
    pub(crate) from: usize,
    /// The thread's state after it.
    pub(crate) number: u32,
    /// What it writes.
    pub(crate) cells: Cells,
}

/// One step of a thread: the words after it, and what it reads and writes.
struct Step<'a> {
    words: &'a [u32],
    reads: Cells,
    writes: Cells,
    /// Whether it performs the oldest entry of the queue, and no more.
    performs_first: bool,
}

/// What was found, and of what.
struct Finding {
    system: u64,
    number: u32,
    cells: Vec<u32>,
    progress: Rc<Progress>,
}

thread_local! {
    static FINDINGS: RefCell<Vec<Vec<Option<Finding>>>> = const { RefCell::new(Vec::new()) };
}

fn bit(cell: CellId) -> Cells {
    1 << cell.index()
}

impl Compiled<'_> {
    /// How far `thread` may come from `state` without writing, and its writes on the way.
    pub(crate) fn progress(&self, state: &[u32], thread: usize) -> Rc<Progress> {
        let touched = &self.touched[thread];
        let cells = || state.iter().zip(touched).map(|(word, touched)| word & touched);
        let number = state[self.layout.n_words + thread];
        let mut hash = u64::from(number);
        for word in cells() {
            hash = (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        let at = (hash ^ hash >> 32) as usize % KEPT;
        FINDINGS.with_borrow_mut(|findings| {
            while findings.len() <= thread {
                findings.push((0..KEPT).map(|_| None).collect());
            }
            let place = &mut findings[thread][at];
            if let Some(known) = place
                && (known.system, known.number) == (self.identity, number)
                && known.cells.iter().copied().eq(cells())
            {
                return known.progress.clone();
            }
            let progress = Rc::new(self.find_progress(state, thread));
            let cells = cells().collect();
            *place = Some(Finding { system: self.identity, number, cells, progress: progress.clone() });
            progress
        })
    }

    fn find_progress(&self, state: &[u32], thread: usize) -> Progress {
        let around = self.around();
        let at = self.layout.n_words + thread;
        let first = Reached { number: state[at], from: 0, distance: 0, shortest: Vec::new(), reads: 0, is_end: true };
        let mut progress = Progress { all: vec![first], ..Progress::default() };
        let mut words = state.to_vec();
        let mut next = 0;
        while next < progress.all.len() {
            words[at] = progress.all[next].number;
            let mut is_end = true;
            self.each_step(&around, &words, thread, &mut |step| {
                is_end = false;
                progress.add(self, thread, next, step);
            });
            progress.all[next].is_end = is_end;
            next += 1;
        }
        progress.reads = progress.all[1..].iter().fold(0, |all, reached| all | reached.reads);
        progress
    }

    /// Calls `visit` with every step of `thread`; the way through a region is one.
    fn each_step(
        &self,
        around: &Surroundings<'_>,
        from: &[u32],
        thread: usize,
        visit: &mut dyn FnMut(Step<'_>),
    ) {
        let mut open = vec![(from.to_vec(), 0, 0, true)];
        let mut next = from.to_vec();
        while let Some((words, reads, writes, is_first)) = open.pop() {
            let locals = &self.locals[self.table[thread]];
            let info = self.info(&words, thread);
            let is_locked_out = self.is_locked_out(&words, thread);
            for (index, a_move) in info.moves.iter().enumerate() {
                if is_locked_out && a_move.needs_bus() {
                    continue;
                }
                let bus = self.automata.bus.filter(|_| a_move.needs_bus()).map_or(0, bit);
                let reads = reads | bus | a_move.reads_cell().map_or(0, bit);
                let raw = a_move.reads.map_or(0, |slot| slot.raw(&words));
                let result = locals.step(around, info, index, raw);
                let writes = writes | result.write.map_or(0, |(cell, ..)| bit(cell));
                for way in &result.ways {
                    next.copy_from_slice(&words);
                    if !self.change(around, &mut next, thread, *way, result) {
                        continue;
                    }
                    if way.in_region {
                        open.push((next.clone(), reads, writes, false));
                    } else {
                        let performs_first = is_first && a_move.performs_first();
                        visit(Step { words: &next, reads, writes, performs_first });
                    }
                }
            }
        }
    }

    /// The first property that a state on the way violates, because of this thread.
    pub(crate) fn judge_progress(&self, state: &[u32], thread: usize, progress: &Progress) -> Option<PropertyIndex> {
        let mut first: Option<PropertyIndex> = None;
        let mut covers = 0;
        for reached in &progress.all[1..] {
            self.judge_reached(state, thread, reached.number, &mut |owner| match owner {
                Owner::Property(id) => first = Some(first.map_or(id.0, |first| first.min(id.0))),
                Owner::Cover(id) => covers |= 1 << id.index().min(63),
            });
        }
        self.late_covers.fetch_or(covers, Ordering::Relaxed);
        first
    }

    /// Calls `found` with the owner of each conjunct that is false because of `thread` in the state `number`.
    pub(crate) fn judge_reached(&self, state: &[u32], thread: usize, number: u32, found: &mut dyn FnMut(Owner)) {
        let info = self.ready(thread, number);
        self.judges.judge_thread(state, &info.judged[self.member[thread]], found);
    }

    /// Whether a thread violates a property in the state `number`.
    pub(crate) fn is_violated_by(&self, state: &[u32], thread: usize, number: u32, property: PropertyId) -> bool {
        let mut is_it = false;
        self.judge_reached(state, thread, number, &mut |owner| {
            is_it |= matches!(owner, Owner::Property(id) if id == property);
        });
        is_it
    }
}

impl Progress {
    /// Puts the cells after the write at `index` into `words`; `touched` are those of the thread's program.
    pub(crate) fn write(&self, index: usize, touched: &[u32], words: &mut [u32]) {
        let after = &self.cells[index * touched.len()..];
        for ((word, after), touched) in words.iter_mut().zip(after).zip(touched) {
            *word = *word & !touched | after & touched;
        }
    }

    /// Adds a step of `thread` from its state at `from`.
    fn add(&mut self, compiled: &Compiled<'_>, thread: usize, from: usize, step: Step<'_>) {
        let n_words = compiled.layout.n_words;
        let number = step.words[n_words + thread];
        let is_late = step.writes == 0 && number & FAILED == 0 && {
            compiled.locals[compiled.table[thread]].info(number).local.mode != Mode::Spinning
        };
        if !is_late {
            if !self.is_taken_before(compiled, thread, from, &step) {
                self.writes.push(Write { from, number, cells: step.writes });
                self.cells.extend_from_slice(&step.words[..n_words]);
            }
            return;
        }
        let distance = self.all[from].distance + 1;
        match self.all.iter_mut().find(|reached| reached.number == number) {
            Some(reached) => {
                reached.reads |= step.reads;
                if reached.distance == distance {
                    reached.shortest.push((from, step.reads));
                }
            }
            None => {
                let shortest = vec![(from, step.reads)];
                self.all.push(Reached { number, from, distance, shortest, reads: step.reads, is_end: true });
            }
        }
    }

    /// Whether the step performs the oldest store, which could have been performed before the thread came here. Only shortest
    /// ways count, so that it is not put off for ever.
    fn is_taken_before(&self, compiled: &Compiled<'_>, thread: usize, from: usize, step: &Step<'_>) -> bool {
        let here = &self.all[from];
        let oldest = |number: u32| compiled.locals[compiled.table[thread]].info(number).local.queue.first();
        let may_be_before = |(before, reads): &(usize, Cells)| {
            step.writes & reads == 0 && oldest(self.all[*before].number) == oldest(here.number)
        };
        step.performs_first && here.shortest.iter().any(may_be_before)
    }
}
