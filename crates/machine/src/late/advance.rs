//! Finding how far a thread may come without writing what others see.

use crate::late::findings::Gathered;
use crate::late::progress::{By, Cells, Change, InvisibleProgress, Reached, Reaching, Variant, Write, bit};
use crate::late::steps::Step;
use crate::late::system::Late;
use crate::tabulated::locals::FAILED;
use crate::tabulated::tables::OverTables;
use crate::tabulated::uncounted::Uncounted;
use automata::{CellId, Value};
use base::table::Id;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A thread that could come to more states puts nothing off: progress is found as a whole, and must not take long.
const MAX_REACHED: usize = 1 << 12;

/// What is only needed while progress is being found.
struct Search<'a> {
    late: &'a Late<'a>,
    thread: usize,
    /// Where it begins.
    state: &'a [u32],
    puts_off: bool,
    progress: InvisibleProgress,
    /// Where each state is among all.
    places: FxHashMap<(u32, usize), usize>,
    /// By the private cells of a variant, and whether it has the bus, where it is.
    known: FxHashMap<(Vec<u32>, bool), usize>,
    /// For each state, how many steps it takes to come there, and the last of all last steps of so few.
    ways: Vec<(usize, Option<usize>)>,
    lasts: Vec<Last>,
    /// All that was looked at.
    looked_at: Cells,
}

/// A last step on a way to a state: from where, what it reads, and the one before in the same list.
struct Last {
    from: usize,
    reads: Cells,
    before: Option<usize>,
}

impl Late<'_> {
    /// How far `thread` may come from `state` without writing, and the cells that this depends on.
    pub(crate) fn find_progress(
        &self,
        state: &[u32],
        thread: usize,
        gathered: &mut Gathered,
    ) -> (InvisibleProgress, Cells) {
        let found = self.find(state, thread, true, gathered).or_else(|| self.find(state, thread, false, gathered));
        found.expect("a thread that puts nothing off is in one state")
    }

    fn find(
        &self,
        state: &[u32],
        thread: usize,
        puts_off: bool,
        gathered: &mut Gathered,
    ) -> Option<(InvisibleProgress, Cells)> {
        let around = self.tables().around();
        let mut search = Search {
            late: self,
            thread,
            state,
            puts_off,
            progress: InvisibleProgress::default(),
            places: FxHashMap::default(),
            known: FxHashMap::default(),
            ways: Vec::new(),
            lasts: Vec::new(),
            looked_at: self.tables().automata.bus.map_or(0, bit),
        };
        let at = self.tables().layout.n_words + thread;
        let unchanged = search.variant(state, false, 0);
        search.reach(state[at], unchanged, 0, 0);
        let mut words = state.to_vec();
        let mut next = 0;
        let mut pace = self.tables().options.budget.pace();
        // If the budget is over, nothing relies on how far it comes.
        while next < search.progress.all.len() && !pace.is_over() {
            if search.progress.all.len() > MAX_REACHED {
                return None;
            }
            let Reached { number, variant, .. } = search.progress.all[next];
            words.copy_from_slice(state);
            words[at] = number;
            search.progress.vary(variant, &mut words);
            let (n_steps, looked_at) = self.each_step(&around, &words, thread, &mut |step| search.add(next, step));
            search.progress.all[next].is_end = n_steps == 0;
            search.looked_at |= looked_at;
            next += 1;
        }
        Some(search.finish(gathered))
    }
}

impl Search<'_> {
    /// Adds a step of the thread from its state at `from`.
    fn add(&mut self, from: usize, step: Step<'_>) {
        let Step { number, .. } = step;
        let at = self.progress.all[from].variant;
        let before = &self.progress.variants[at];
        let (had_bus, cells) = (before.has_bus, before.cells | step.writes);
        let bus = self.late.tables().automata.bus.map_or(0, bit);
        let takes_bus = !had_bus && step.writes & bus != 0 && self.holds_bus(step.words);
        let own = self.late.private[self.thread] | if takes_bus { bus } else { 0 };
        let is_late = self.puts_off && step.writes & !own == 0 && number & FAILED == 0 && {
            !self.late.tables().locals[self.late.tables().table[self.thread]].info(number).local.mode.is_looping()
        };
        if is_late {
            self.looked_at |= step.writes;
            let variant = match step.writes {
                0 => at,
                _ => self.variant(step.words, had_bus | takes_bus, cells),
            };
            self.reach(number, variant, from, step.reads);
            self.note(number, By::Variant(variant), step.uncounted);
        } else if !self.is_taken_before(from, &step) {
            self.write(from, number, cells, &step);
            self.note(number, By::Write(self.progress.writes.len() - 1), step.uncounted);
        }
    }

    fn note(&mut self, number: u32, by: By, reached: Uncounted) {
        if !reached.is_nothing() {
            self.progress.uncounted.push(Reaching { number, by, reached });
        }
    }

    fn holds_bus(&self, words: &[u32]) -> bool {
        self.late.tables().bus.is_some_and(|bus| bus.get(words) == self.thread as Value)
    }

    /// The variant with the cells of `words`, of which at most `cells` differ.
    fn variant(&mut self, words: &[u32], has_bus: bool, cells: Cells) -> usize {
        let mask = self.late.private_mask[self.thread].iter();
        let key = (words.iter().zip(mask).map(|(word, mask)| word & mask).collect(), has_bus);
        if let Some(at) = self.known.get(&key) {
            return *at;
        }
        let changes = self.changes(cells, words);
        self.progress.variants.push(Variant { has_bus, cells, changes, kernels: Vec::new() });
        let at = self.progress.variants.len() - 1;
        self.known.insert(key, at);
        at
    }

    fn reach(&mut self, number: u32, variant: usize, from: usize, reads: Cells) {
        let all = &mut self.progress.all;
        let distance = self.ways.get(from).map_or(0, |(distance, _)| distance + 1);
        let at = *self.places.entry((number, variant)).or_insert(all.len());
        if at == all.len() {
            all.push(Reached { number, from, reads, variant, is_end: true });
            self.ways.push((distance, None));
        }
        all[at].reads |= reads;
        let (shortest, last) = &mut self.ways[at];
        if *shortest == distance {
            self.lasts.push(Last { from, reads, before: *last });
            *last = Some(self.lasts.len() - 1);
        }
    }

    fn write(&mut self, from: usize, number: u32, cells: Cells, step: &Step<'_>) {
        let changes = self.changes(cells, step.words);
        self.progress.writes.push(Write { from, number, cells, needs_bus: step.needs_bus, changes, effect: 0 });
    }

    /// What `cells` hold in `words`.
    fn changes(&mut self, cells: Cells, words: &[u32]) -> Range<usize> {
        let first = self.progress.changes.len();
        let mut rest = cells;
        while rest != 0 {
            let cell = CellId::new(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            let (word, mask) = self.late.tables().layout.slot(cell).place();
            self.progress.changes.push(Change { word, mask, bits: words[word] & mask });
        }
        first..self.progress.changes.len()
    }

    /// Whether the step begins by performing the oldest store, which could have been performed before the thread came here, and writes
    /// nothing else that others see. Only shortest ways count, so that it is not put off forever.
    fn is_taken_before(&self, from: usize, step: &Step<'_>) -> bool {
        let table = &self.late.tables().locals[self.late.tables().table[self.thread]];
        let all = &self.progress.all;
        let oldest = |at: usize| table.info(all[at].number).local.queue.first();
        let may_be_before = |last: &Last| step.performed & last.reads == 0 && oldest(last.from) == oldest(from);
        let first = self.ways[from].1.map(|last| &self.lasts[last]);
        let mut lasts = std::iter::successors(first, |last| last.before.map(|before| &self.lasts[before]));
        let is_all = step.writes & !step.performed & !self.late.private[self.thread] == 0;
        let fails = step.number & FAILED != 0;
        step.performed != 0 && !fails && is_all && from != 0 && lasts.any(may_be_before)
    }

    fn finish(mut self, gathered: &mut Gathered) -> (InvisibleProgress, Cells) {
        self.store_ends();
        let Search { late, thread, mut progress, .. } = self;
        progress.reads = progress.all[1..].iter().fold(0, |all, reached| all | reached.reads);
        progress.has_end = progress.all.iter().any(|reached| reached.is_end);
        let position = late.tables().sharing[thread].position;
        for variant in 0..progress.variants.len() {
            let here = progress.all.iter().filter(|reached| reached.variant == variant);
            let own = here.map(|reached| &late.tables().ready(thread, reached.number).known().judged[position].own);
            progress.variants[variant].kernels = gathered.each_once(own.flat_map(|own| &own.kernels));
        }
        (progress, self.looked_at)
    }

    /// A thread that holds the bus and has no step may keep all others from stepping: such states are stored.
    fn store_ends(&mut self) {
        for at in 0..self.progress.all.len() {
            let Reached { number, from, variant, is_end, .. } = self.progress.all[at];
            if is_end && self.progress.variants[variant].has_bus {
                let mut words = self.state.to_vec();
                self.progress.vary(variant, &mut words);
                let uncounted = Uncounted::default();
                let step =
                    Step { number, words: &words, reads: 0, writes: 0, needs_bus: true, uncounted, performed: 0 };
                self.write(from, number, self.progress.variants[variant].cells, &step);
            }
        }
    }
}
