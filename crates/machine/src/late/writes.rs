//! Reads put off: a step that writes nothing is not stored where it could as well be taken later.
//!
//! A thread's *progress* from a state is all that it comes to by steps that write no cell. Such a step may wait until its thread
//! writes, or until another thread writes what it reads. So from a stored state only writes lead on: each from any progress of
//! its own thread, while every other thread stays, or has come as far as a read of what is written, and is then as the write leaves it. Every state that is left out is a
//! stored one with some threads further on, each with its own *variant* of its private cells and of the bus. So it is judged thread by thread
//! for each choice of variants.

use crate::late::choices::{KeptChoices, Other};
use crate::late::findings::Findings;
use crate::late::progress::{By, InvisibleProgress, Reached, Reaching};
use crate::late::system::Late;
use crate::properties::clean::Clean;
use crate::properties::conjuncts::Owner;
use crate::symmetry::canonical::MAX_WORDS;
use crate::tabulated::locals::DISCARDED;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::OverTables;
use automata::Automata;
use base::table::Id;
use std::rc::Rc;
use system::{Pace, PropertyIndex, Successors};

/// The progress of each thread.
pub(crate) type Threads = Vec<Rc<InvisibleProgress>>;

/// The progress of each thread, and the choices that are kept.
pub(crate) type Known<'a> = (&'a Threads, &'a KeptChoices);

impl Late<'_> {
    pub(crate) fn all_progress(&self, from: &[u32], findings: &mut Findings) -> Threads {
        (0..self.tables().table.len()).map(|thread| self.progress(from, thread, findings)).collect()
    }

    /// Appends the stored states that follow `from`, and judges those that are left out. States come to not long ago are left out if
    /// they `may_repeat`.
    pub(crate) fn writes(&self, from: &[u32], may_repeat: bool, scratch: &mut Scratch, out: &mut Successors) {
        // Where a thread has violated a property the run ends.
        if self.tables().has_failed(from) {
            return;
        }
        let threads = self.all_progress(from, &mut scratch.findings);
        if may_repeat {
            self.new_writes(from, &threads, scratch, out);
        } else {
            self.each_write(from, &threads, &mut scratch.findings, &mut |words, thread, _| {
                self.system.make_canonical(out.push(words, thread as u8));
            });
        }
        threads.iter().enumerate().for_each(|(thread, progress)| self.count_certain(from, (thread, progress)));
        // Whether something is stuck is known here, not by there being no successor.
        out.discarded = true;
        let clean = &mut scratch.clean;
        out.violated = self.judge_late(from, &threads, clean).or_else(|| self.stuck_on_the_way(from, &threads));
    }

    /// Calls `visit` with the words after each write, the thread that writes and the position of the write, for each choice of how far
    /// the other threads have come.
    pub(crate) fn each_write(
        &self,
        from: &[u32],
        threads: &Threads,
        findings: &mut Findings,
        visit: &mut dyn FnMut(&[u32], usize, usize),
    ) {
        let budget = &self.tables().options.budget;
        let (mut pace, mut others) = (budget.pace(), Vec::new());
        for (thread, progress) in threads.iter().enumerate() {
            self.each_write_of(from, (thread, progress), &mut |words, at| {
                let mut visit = |words: &[u32]| {
                    if !pace.is_over() {
                        visit(words, thread, at);
                    }
                };
                if self.others(threads, (thread, at), findings, words, &mut others) {
                    let needs_bus = progress.writes[at].needs_bus;
                    self.with_others((threads, &findings.choices), &others, needs_bus, words, &mut visit);
                }
            });
        }
    }

    /// Calls `visit` with the words after each write of a thread, the others staying where they are, and with its position. `DISCARDED` is in
    /// place of the number of a thread that cannot stay.
    pub(crate) fn each_write_of(
        &self,
        from: &[u32],
        (thread, progress): (usize, &InvisibleProgress),
        visit: &mut dyn FnMut(&mut [u32], usize),
    ) {
        let mut pace = self.tables().options.budget.pace();
        let mut words = [0; MAX_WORDS];
        let words = &mut words[..from.len()];
        for at in 0..progress.writes.len() {
            if pace.is_over() {
                return;
            }
            words.copy_from_slice(from);
            self.apply(progress, (thread, at), words);
            visit(words, at);
        }
    }

    /// Puts into `words` what the write of a thread at position `at` does, the others staying where they are.
    pub(crate) fn apply(&self, progress: &InvisibleProgress, (thread, at): (usize, usize), words: &mut [u32]) {
        let (write, n_words) = (&progress.writes[at], self.tables().layout.n_words);
        progress.apply(write, words);
        words[n_words + thread] = write.number;
        for other in (0..self.tables().table.len()).filter(|other| *other != thread) {
            words[n_words + other] = self.touched(other, words[n_words + other], write.cells);
        }
    }

    /// Calls `visit` with the words after a write, for each choice of how far the other threads have come before it.
    pub(crate) fn with_others(
        &self,
        known: Known<'_>,
        others: &[Other],
        needs_bus: bool,
        words: &mut [u32],
        visit: &mut dyn FnMut(&[u32]),
    ) {
        self.choose(known, others, None, words, visit);
        if needs_bus {
            return;
        }
        // While a thread holds the bus, only what does not need it is written.
        for (holder, other) in others.iter().enumerate() {
            let progress = &known.0[other.thread];
            for at in known.1.of(other).reads_it.iter().filter(|at| progress.has_bus(**at)) {
                self.with_reached((other.thread, progress, *at), progress.all[*at].number, words, &mut |words| {
                    self.choose(known, others, Some(holder), words, visit);
                });
            }
        }
    }

    /// Calls `visit` with the words for each choice of how far `others` have come; the one at `holder` is there already, and holds the bus.
    fn choose(
        &self,
        known: Known<'_>,
        others: &[Other],
        holder: Option<usize>,
        words: &mut [u32],
        visit: &mut dyn FnMut(&[u32]),
    ) {
        let Some((other, rest)) = others.split_last() else { return visit(words) };
        if self.tables().options.budget.hit().is_some() {
            return;
        }
        let (progress, choices) = (&known.0[other.thread], known.1.of(other));
        if choices.stays || holder.is_some() {
            self.choose(known, rest, holder, words, visit);
        }
        if holder == Some(rest.len()) {
            return;
        }
        let chosen = if holder.is_some() { &choices.reads_it } else { &choices.kept };
        let number = |index: usize| match holder {
            // Where there is a bus, no write changes another thread's state.
            Some(_) => progress.all[chosen[index]].number,
            None => choices.numbers[index + usize::from(choices.stays)],
        };
        for (index, at) in chosen.iter().enumerate().filter(|(_, at)| !progress.has_bus(**at)) {
            self.with_reached((other.thread, progress, *at), number(index), words, &mut |words| {
                self.choose(known, rest, holder, words, visit);
            });
        }
    }

    /// Calls `visit` with the words in which a thread has come as far as `at`, where it has this number.
    fn with_reached(
        &self,
        (thread, progress, at): (usize, &InvisibleProgress, usize),
        number: u32,
        words: &mut [u32],
        visit: &mut dyn FnMut(&mut [u32]),
    ) {
        let Reached { variant, .. } = progress.all[at];
        let place = self.tables().layout.n_words + thread;
        let before = std::mem::replace(&mut words[place], number);
        self.with_variant(progress, variant, words, visit);
        words[place] = before;
    }

    /// Calls `visit` with the words in which a thread has so changed cells, if it may: it does not hold the bus if another does.
    pub(crate) fn with_variant(
        &self,
        progress: &InvisibleProgress,
        variant: usize,
        words: &mut [u32],
        visit: &mut dyn FnMut(&mut [u32]),
    ) {
        let is_taken = || self.tables().bus.is_some_and(|bus| bus.get(words) != Automata::FREE);
        if variant == 0 {
            visit(words);
        } else if !(progress.variants[variant].has_bus && is_taken()) {
            let mut varied = [0; MAX_WORDS];
            let varied = &mut varied[..words.len()];
            varied.copy_from_slice(words);
            progress.vary(variant, varied);
            visit(varied);
        }
    }

    /// Counts what the steps of a thread have reached that is not counted yet, where the state after it exists.
    fn count_certain(&self, from: &[u32], (thread, progress): (usize, &InvisibleProgress)) {
        let locals = &self.tables().locals[self.tables().table[thread]];
        let is_new =
            |reaching: &&Reaching| reaching.reached.get().is_some_and(|reached| !locals.counted.has_all(reached));
        for Reaching { number, by, reached } in progress.uncounted.iter().filter(is_new) {
            let mut words = from.to_vec();
            match by {
                By::Variant(variant) => progress.vary(*variant, &mut words),
                By::Write(at) => self.apply(progress, (thread, *at), &mut words),
            }
            words[self.tables().layout.n_words + thread] = *number;
            if !words.contains(&DISCARDED) && !self.tables().is_refuted(&words) {
                locals.count(reached);
            }
        }
    }

    /// The first property that a state violates which `from` stands for.
    fn judge_late(&self, from: &[u32], threads: &Threads, clean: &mut Clean) -> Option<PropertyIndex> {
        let mut first: Option<PropertyIndex> = None;
        let mut reached = system::Reached::default();
        self.each_judged(from, threads, clean, &mut |owner| match owner {
            Owner::Property(id) => first = Some(first.map_or(id.0, |first| first.min(id.0))),
            Owner::Cover(id) => reached.add_cover(id.index()),
            Owner::Undefined(i) => {
                let id = self.tables().automata.definedness[i as usize].property;
                first = Some(first.map_or(id.0, |first| first.min(id.0)));
            }
        });
        self.reached.add_all(&reached);
        first
    }

    /// Calls `found` with the owner of each conjunct that is false, for each choice of variants.
    fn each_judged(&self, from: &[u32], threads: &Threads, clean: &mut Clean, found: &mut dyn FnMut(Owner)) {
        let mut variants = [0; MAX_WORDS];
        let mut words = [0; MAX_WORDS];
        words[..from.len()].copy_from_slice(from);
        self.with_variants(
            threads,
            0,
            &mut variants[..threads.len()],
            &mut words[..from.len()],
            &mut self.tables().options.budget.pace(),
            &mut |variants: &[usize], words: &[u32]| {
                if variants.iter().any(|variant| *variant != 0) {
                    self.tables().judges.judge_shared(words, clean, found);
                }
                for (progress, variant) in threads.iter().zip(variants) {
                    let kernels = &progress.variants[*variant].kernels;
                    // Numbers of code have no such bit.
                    let code = 1 << 63 | (progress.number + *variant as u64);
                    if !kernels.is_empty() {
                        self.tables().judges.judge_all(code, kernels, words, clean, found);
                    }
                }
            },
        );
    }

    /// Calls `visit` with each choice of variants, for `thread` and those after it, and the words then.
    fn with_variants(
        &self,
        threads: &Threads,
        thread: usize,
        variants: &mut [usize],
        words: &mut [u32],
        pace: &mut Pace<'_>,
        visit: &mut dyn FnMut(&[usize], &[u32]),
    ) {
        let Some(progress) = threads.get(thread) else { return visit(variants, words) };
        for variant in 0..progress.variants.len() {
            // There may be very many choices: then the search is cut.
            if pace.is_over() {
                return;
            }
            variants[thread] = variant;
            self.with_variant(progress, variant, words, &mut |words| {
                self.with_variants(threads, thread + 1, variants, words, pace, visit);
            });
        }
    }

    /// The property that a state violates by having no step, if every thread may come to where it has none.
    fn stuck_on_the_way(&self, from: &[u32], threads: &Threads) -> Option<PropertyIndex> {
        if threads.iter().any(|progress| !progress.has_end) {
            return None;
        }
        let mut stuck = None;
        self.each_end(threads, 0, &mut from.to_vec(), &mut self.tables().options.budget.pace(), &mut |words| {
            stuck = stuck.or_else(|| self.tables().deadlock(words));
        });
        stuck
    }

    /// Calls `visit` with every state in which all threads have come to where they have no step.
    pub(crate) fn each_end(
        &self,
        threads: &Threads,
        thread: usize,
        words: &mut [u32],
        pace: &mut Pace<'_>,
        visit: &mut dyn FnMut(&[u32]),
    ) {
        let Some(progress) = threads.get(thread) else { return visit(words) };
        for reached in progress.all.iter().filter(|reached| reached.is_end) {
            if pace.is_over() {
                return;
            }
            words[self.tables().layout.n_words + thread] = reached.number;
            self.with_variant(progress, reached.variant, words, &mut |words| {
                self.each_end(threads, thread + 1, words, pace, visit);
            });
        }
    }
}
