//! Reads put off: a step that writes nothing is not stored where it could as well be taken later.
//!
//! A thread's *progress* from a state is all that it comes to by steps that write no cell. Such a step may wait until its thread
//! writes, or until another thread writes what it reads. So from a stored state only writes lead on: each from any progress of
//! its own thread, while every other thread stays, or has come as far as a read of what is written. Every state that is left out is a
//! stored one with some threads further on; as cells are the same, it is judged thread by thread.

use crate::compiled::Compiled;
use crate::progress::{Cells, Progress};
use crate::touch::Watching;
use automata::{Action, Automata, PropertyId, Region};
use memory::MemoryModel;
use std::rc::Rc;
use system::{PropertyIndex, Successors, TransitionSystem};

/// Whether reads can be put off: not where one thread's step asks for the state of others or changes it, nor where branches are
/// guessed, nor where a property speaks of several threads.
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

/// For each thread, the bits of the cells that its program touches or its steps wait for, word by word.
pub(crate) fn touched(compiled: &Compiled<'_>) -> Vec<Vec<u32>> {
    let of_thread = |table: &usize| {
        let code = &compiled.locals[*table].code;
        let mut touched = vec![0; compiled.layout.n_words];
        for cell in compiled.automata.cells.ids() {
            if code.futures[code.automaton.entry].has(cell) || compiled.automata.bus == Some(cell) {
                let (word, bits) = compiled.layout.slot(cell).place();
                touched[word] |= bits;
            }
        }
        touched
    };
    compiled.table.iter().map(of_thread).collect()
}

/// The progress of each thread.
type Threads = Vec<Rc<Progress>>;

impl Compiled<'_> {
    fn all_progress(&self, from: &[u32]) -> Threads {
        (0..self.table.len()).map(|thread| self.progress(from, thread)).collect()
    }

    /// Appends the stored states that follow `from`, and judges those that are left out.
    pub(crate) fn late_successors(&self, from: &[u32], out: &mut Successors) {
        let threads = self.all_progress(from);
        self.each_write(from, &threads, &mut |words, thread, _| {
            let next = out.push(words, thread as u8);
            self.make_canonical(next);
        });
        // Whether something is stuck is known here, not by there being no successor.
        out.discarded = true;
        let judge = |(thread, progress): (usize, &Rc<Progress>)| self.judge_progress(from, thread, progress);
        let violated = threads.iter().enumerate().filter_map(judge).min();
        out.violated = violated.or_else(|| self.stuck_on_the_way(from, &threads));
    }

    /// Calls `visit` with the words after each write, the thread that writes and its progress before, for each choice of how far
    /// the other threads have come.
    fn each_write(&self, from: &[u32], threads: &Threads, visit: &mut dyn FnMut(&[u32], usize, usize)) {
        let n_words = self.layout.n_words;
        let mut words = from.to_vec();
        for (thread, progress) in threads.iter().enumerate() {
            for (index, write) in progress.writes.iter().enumerate() {
                words.copy_from_slice(from);
                progress.write(index, &self.touched[thread], &mut words);
                words[n_words + thread] = write.number;
                let mut visit = |words: &[u32]| visit(words, thread, write.from);
                self.with_others(threads, (thread, 0), write.cells, &mut words, &mut visit);
            }
        }
    }

    fn with_others(
        &self,
        threads: &Threads,
        (writer, thread): (usize, usize),
        cells: Cells,
        words: &mut [u32],
        visit: &mut dyn FnMut(&[u32]),
    ) {
        let Some(progress) = threads.get(thread) else { return visit(words) };
        self.with_others(threads, (writer, thread + 1), cells, words, visit);
        if thread == writer || progress.reads & cells == 0 {
            return;
        }
        let at = self.layout.n_words + thread;
        let stays = words[at];
        for reached in progress.all[1..].iter().filter(|reached| reached.reads & cells != 0) {
            words[at] = reached.number;
            self.with_others(threads, (writer, thread + 1), cells, words, visit);
        }
        words[at] = stays;
    }

    /// The property that a state violates by having no step, if every thread may come to where it has none.
    fn stuck_on_the_way(&self, from: &[u32], threads: &Threads) -> Option<PropertyIndex> {
        if threads.iter().any(|progress| !progress.all.iter().any(|reached| reached.is_end)) {
            return None;
        }
        let mut stuck = None;
        self.each_end(threads, 0, &mut from.to_vec(), &mut |words| {
            stuck = stuck.or_else(|| TransitionSystem::stuck(self, words));
        });
        stuck
    }

    /// Calls `visit` with every state in which all threads have come to where they have no step.
    fn each_end(&self, threads: &Threads, thread: usize, words: &mut [u32], visit: &mut dyn FnMut(&[u32])) {
        let Some(progress) = threads.get(thread) else { return visit(words) };
        for reached in progress.all.iter().filter(|reached| reached.is_end) {
            words[self.layout.n_words + thread] = reached.number;
            self.each_end(threads, thread + 1, words, visit);
        }
    }

    /// The states that lead from `from`, as it stands, to one whose canonical words are `to`: those on the way and the last.
    pub fn late_steps(&self, from: &[u32], to: &[u32]) -> Option<Vec<Vec<u32>>> {
        let threads = self.all_progress(from);
        let mut found = None;
        self.each_write(from, &threads, &mut |words, thread, before| {
            let mut canonical = words.to_vec();
            self.make_canonical(&mut canonical);
            if found.is_none() && canonical == to {
                found = Some((words.to_vec(), thread, before));
            }
        });
        let (last, writer, before) = found?;
        let mut ends = self.positions(&threads, &last);
        ends[writer] = before;
        let mut path = self.ways(from, &threads, &ends);
        path.push(last);
        Some(path)
    }

    /// The states that lead from `from`, as it stands, to one that violates `property`; none on the way if `from` does.
    pub fn late_violation(&self, from: &[u32], property: PropertyId) -> Vec<Vec<u32>> {
        let threads = self.all_progress(from);
        let mut ends = vec![0; threads.len()];
        for (thread, progress) in threads.iter().enumerate() {
            let violates = |i: &usize| self.is_violated_by(from, thread, progress.all[*i].number, property);
            if let Some(end) = (0..progress.all.len()).find(violates) {
                ends[thread] = end;
                return self.ways(from, &threads, &ends);
            }
        }
        if property == Automata::DEADLOCK {
            self.each_end(&threads, 0, &mut from.to_vec(), &mut |words| {
                if TransitionSystem::stuck(self, words).is_some() {
                    ends = self.positions(&threads, words);
                }
            });
        }
        self.ways(from, &threads, &ends)
    }

    /// For each thread, which of its progress it is at; the first if it is at none.
    fn positions(&self, threads: &Threads, words: &[u32]) -> Vec<usize> {
        let position = |(thread, progress): (usize, &Rc<Progress>)| {
            let number = words[self.layout.n_words + thread];
            progress.all.iter().position(|reached| reached.number == number).unwrap_or(0)
        };
        threads.iter().enumerate().map(position).collect()
    }

    /// The states on the way if each thread, one after the other, comes to the end given for it.
    fn ways(&self, from: &[u32], threads: &Threads, ends: &[usize]) -> Vec<Vec<u32>> {
        let mut words = from.to_vec();
        let mut path = Vec::new();
        for (thread, end) in ends.iter().enumerate() {
            let all = &threads[thread].all;
            let mut way: Vec<usize> = Vec::new();
            let mut at = *end;
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

    /// All states that a stored one stands for, itself included.
    pub fn late_states(&self, from: &[u32]) -> Vec<Vec<u32>> {
        let mut all = vec![from.to_vec()];
        for (thread, progress) in self.all_progress(from).iter().enumerate() {
            let further = |words: &Vec<u32>| {
                let with = |reached: &crate::progress::Reached| {
                    let mut words = words.clone();
                    words[self.layout.n_words + thread] = reached.number;
                    words
                };
                progress.all.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(further).collect();
        }
        all
    }
}
