//! Reads put off: a step that writes nothing is not stored where it could as well be taken later.
//!
//! A thread's *progress* from a state is all that it comes to by steps that write no cell. Such a step may wait until its thread
//! writes, or until another thread writes what it reads. So from a stored state only writes lead on: each from any progress of
//! its own thread, while every other thread stays, or has come as far as a read of what is written. Every state that is left out is a
//! stored one with some threads further on; as cells are the same, it is judged thread by thread.

use crate::compiled::Compiled;
use crate::conjuncts::Owner;
use crate::local::Mode;
use crate::locals::{FAILED, Surroundings};
use crate::touch::Watching;
use automata::{Action, Automata, CellId, PropertyId, Region};
use base::table::Id;
use memory::MemoryModel;
use system::{PropertyIndex, Successors, TransitionSystem};

/// Cells, a bit each.
type Cells = u128;

/// How far a thread may come without writing.
struct Progress {
    all: Vec<Reached>,
    writes: Vec<Write>,
}

/// A state of the thread, and how it was come to.
struct Reached {
    number: u32,
    from: usize,
    /// What the step there, which was found first, reads.
    step: Cells,
    /// What the last steps of all ways there read.
    reads: Cells,
    /// Whether the thread has no step there.
    is_end: bool,
}

/// A step that writes, or that ends in a state of its own kind: the words after it.
struct Write {
    from: usize,
    words: Vec<u32>,
    cells: Cells,
}

/// One step of a thread: the words after it, and what it reads and writes.
struct Step<'a> {
    words: &'a [u32],
    reads: Cells,
    writes: Cells,
    /// Whether it performs the oldest entry of the queue, and no more.
    performs_first: bool,
}

/// Whether reads can be put off: not where one thread's step asks for the state of others or changes it, nor where branches are
/// guessed, nor where ends are asked for.
pub(crate) fn is_suitable(compiled: &Compiled<'_>, memory: &MemoryModel) -> bool {
    let automata = compiled.automata;
    let stops = |action: &Action| matches!(action, Action::Enter(Region::StopTheWorld));
    let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    automata.cells.len() <= Cells::BITS as usize
        && memory.speculate == 0
        && compiled.watching == Watching::Nothing
        && compiled.forbids.is_empty()
        && compiled.judges.speaks_of_threads_apart()
        && !points.any(|point| stops(&point.action))
}

fn bit(cell: CellId) -> Cells {
    1 << cell.index()
}

impl Compiled<'_> {
    /// Appends the stored states that follow `from`, and judges those that are left out.
    pub(crate) fn late_successors(&self, from: &[u32], out: &mut Successors) {
        let around = self.around();
        let threads: Vec<Progress> = (0..self.table.len()).map(|t| self.progress(&around, from, t)).collect();
        for (thread, progress) in threads.iter().enumerate() {
            for write in &progress.writes {
                self.with_others(&threads, thread, write, &mut |words| {
                    let next = out.push(words, thread as u8);
                    self.make_canonical(next);
                });
            }
        }
        // Whether something is stuck is known here, not by there being no successor.
        out.discarded = true;
        out.violated = out.violated.or(self.violated_on_the_way(from, &threads));
    }

    /// Calls `visit` with the words after a write, for each choice of how far the other threads have come before it.
    fn with_others(&self, threads: &[Progress], thread: usize, write: &Write, visit: &mut dyn FnMut(&[u32])) {
        let mut words = write.words.clone();
        self.with_rest(threads, (thread, 0), write.cells, &mut words, visit);
    }

    fn with_rest(
        &self,
        threads: &[Progress],
        (writer, thread): (usize, usize),
        cells: Cells,
        words: &mut Vec<u32>,
        visit: &mut dyn FnMut(&[u32]),
    ) {
        if thread == threads.len() {
            return visit(words);
        }
        if thread == writer {
            return self.with_rest(threads, (writer, thread + 1), cells, words, visit);
        }
        for (i, reached) in threads[thread].all.iter().enumerate() {
            if i == 0 || reached.reads & cells != 0 {
                words[self.layout.n_words + thread] = reached.number;
                self.with_rest(threads, (writer, thread + 1), cells, words, visit);
            }
        }
    }

    /// How far `thread` may come from `state` without writing, and its writes on the way.
    fn progress(&self, around: &Surroundings<'_>, state: &[u32], thread: usize) -> Progress {
        let at = self.layout.n_words + thread;
        let first = Reached { number: state[at], from: 0, step: 0, reads: 0, is_end: true };
        let mut progress = Progress { all: vec![first], writes: Vec::new() };
        let mut words = state.to_vec();
        let mut next = 0;
        while next < progress.all.len() {
            words[at] = progress.all[next].number;
            let mut is_end = true;
            self.each_step(around, &words, thread, &mut |step| {
                is_end = false;
                progress.add(self, thread, next, step);
            });
            progress.all[next].is_end = is_end;
            next += 1;
        }
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
                    let mut next = words.clone();
                    if self.change(around, &mut next, thread, *way, result) {
                        if way.in_region {
                            open.push((next, reads, writes, false));
                        } else {
                            let performs_first = is_first && a_move.performs_first();
                            visit(Step { words: &next, reads, writes, performs_first });
                        }
                    }
                }
            }
        }
    }

    /// The first property found that some state violates that is left out.
    fn violated_on_the_way(&self, from: &[u32], threads: &[Progress]) -> Option<PropertyIndex> {
        let mut first: Option<PropertyIndex> = None;
        let mut covers = 0;
        let mut found = |owner: Owner| match owner {
            Owner::Property(id) => first = Some(first.map_or(id.0, |first| first.min(id.0))),
            Owner::Cover(id) => covers |= 1 << id.index().min(63),
        };
        for (thread, progress) in threads.iter().enumerate() {
            for reached in &progress.all[1..] {
                let info = self.locals[self.table[thread]].info(reached.number);
                self.judges.judge_thread(from, &info.judged[self.member[thread]], &mut found);
            }
        }
        self.late_covers.fetch_or(covers, std::sync::atomic::Ordering::Relaxed);
        first.or_else(|| self.stuck_on_the_way(from, threads))
    }

    /// The property that a state violates by having no step, if every thread may come to where it has none.
    fn stuck_on_the_way(&self, from: &[u32], threads: &[Progress]) -> Option<PropertyIndex> {
        if threads.iter().any(|progress| !progress.all.iter().any(|reached| reached.is_end)) {
            return None;
        }
        let mut words = from.to_vec();
        let mut stuck = None;
        self.each_end(threads, 0, &mut words, &mut |words| stuck = stuck.or(TransitionSystem::stuck(self, words)));
        stuck
    }

    fn each_end(&self, threads: &[Progress], thread: usize, words: &mut Vec<u32>, visit: &mut dyn FnMut(&[u32])) {
        if thread == threads.len() {
            return visit(words);
        }
        for reached in threads[thread].all.iter().filter(|reached| reached.is_end) {
            words[self.layout.n_words + thread] = reached.number;
            self.each_end(threads, thread + 1, words, visit);
        }
    }

    /// The states that lead from `from`, as it stands, to one whose canonical words are `to`: those on the way and the last.
    pub fn late_steps(&self, from: &[u32], to: &[u32]) -> Option<Vec<Vec<u32>>> {
        let around = self.around();
        let threads: Vec<Progress> = (0..self.table.len()).map(|t| self.progress(&around, from, t)).collect();
        for (thread, progress) in threads.iter().enumerate() {
            for write in &progress.writes {
                let mut found = None;
                self.with_others(&threads, thread, write, &mut |words| {
                    let mut canonical = words.to_vec();
                    self.make_canonical(&mut canonical);
                    if canonical == to {
                        found = Some(words.to_vec());
                    }
                });
                if let Some(last) = found {
                    let ends = (0..threads.len()).map(|t| match t == thread {
                        true => write.from,
                        false => threads[t].all.iter().position(|r| r.number == last[self.layout.n_words + t]).unwrap_or(0),
                    });
                    let mut path = self.ways(from, &threads, ends.collect());
                    path.push(last);
                    return Some(path);
                }
            }
        }
        None
    }

    /// The states that lead from `from`, as it stands, to one that is left out and violates `property`.
    pub fn late_violation(&self, from: &[u32], property: PropertyId) -> Option<Vec<Vec<u32>>> {
        let around = self.around();
        let threads: Vec<Progress> = (0..self.table.len()).map(|t| self.progress(&around, from, t)).collect();
        let stay = vec![0; threads.len()];
        for (thread, progress) in threads.iter().enumerate() {
            for (i, reached) in progress.all.iter().enumerate() {
                let info = self.locals[self.table[thread]].info(reached.number);
                let mut is_it = false;
                let mut found = |owner: Owner| is_it |= matches!(owner, Owner::Property(id) if id == property);
                self.judges.judge_thread(from, &info.judged[self.member[thread]], &mut found);
                if is_it {
                    let mut ends = stay.clone();
                    ends[thread] = i;
                    return Some(self.ways(from, &threads, ends));
                }
            }
        }
        if property != Automata::DEADLOCK {
            return Some(Vec::new());
        }
        let mut words = from.to_vec();
        let mut ends = None;
        self.each_end(&threads, 0, &mut words, &mut |words| {
            if ends.is_none() && TransitionSystem::stuck(self, words).is_some() {
                let position = |t: usize| threads[t].all.iter().position(|r| r.number == words[self.layout.n_words + t]);
                ends = (0..threads.len()).map(position).collect::<Option<Vec<_>>>();
            }
        });
        Some(self.ways(from, &threads, ends?))
    }

    /// All states that a stored one stands for, itself included.
    pub fn late_states(&self, from: &[u32]) -> Vec<Vec<u32>> {
        let around = self.around();
        let mut all = vec![from.to_vec()];
        for thread in 0..self.table.len() {
            let numbers: Vec<u32> = self.progress(&around, from, thread).all.iter().map(|r| r.number).collect();
            let further = |words: &Vec<u32>| {
                let with = |number: &u32| {
                    let mut words = words.clone();
                    words[self.layout.n_words + thread] = *number;
                    words
                };
                numbers.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(further).collect();
        }
        all
    }

    /// The states on the way if each thread, one after the other, comes to the end given for it.
    fn ways(&self, from: &[u32], threads: &[Progress], ends: Vec<usize>) -> Vec<Vec<u32>> {
        let mut words = from.to_vec();
        let mut path = Vec::new();
        for (thread, end) in ends.into_iter().enumerate() {
            let all = &threads[thread].all;
            let mut way: Vec<usize> = Vec::new();
            let mut at = end;
            while at != 0 {
                way.push(at);
                at = all[at].from;
            }
            for at in way.into_iter().rev() {
                words[self.layout.n_words + thread] = all[at].number;
                path.push(words.clone());
            }
        }
        path
    }
}

impl Progress {
    /// Adds a step of `thread` from its state at `from`.
    fn add(&mut self, compiled: &Compiled<'_>, thread: usize, from: usize, step: Step<'_>) {
        let number = step.words[compiled.layout.n_words + thread];
        let is_late = step.writes == 0 && number & FAILED == 0 && {
            let info = compiled.locals[compiled.table[thread]].info(number);
            info.local.mode != Mode::Spinning
        };
        if !is_late {
            if !self.is_taken_before(compiled, thread, from, &step) {
                self.writes.push(Write { from, words: step.words.to_vec(), cells: step.writes });
            }
            return;
        }
        match self.all.iter_mut().find(|reached| reached.number == number) {
            Some(reached) => reached.reads |= step.reads,
            None => {
                self.all.push(Reached { number, from, step: step.reads, reads: step.reads, is_end: true });
            }
        }
    }

    /// Whether the step performs the oldest store, which could have been performed before the thread came here.
    fn is_taken_before(&self, compiled: &Compiled<'_>, thread: usize, from: usize, step: &Step<'_>) -> bool {
        let here = &self.all[from];
        let oldest = |number: u32| compiled.locals[compiled.table[thread]].info(number).local.queue.first();
        from != 0
            && step.performs_first
            && step.writes & here.step == 0
            && oldest(self.all[here.from].number) == oldest(here.number)
    }
}
