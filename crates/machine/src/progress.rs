//! How far a thread may come without writing what others see, and the writes that it may come to.
//!
//! Cells that only one thread's program touches are its *private* ones; only properties see others. Taking the bus counts as no write
//! either: while a thread holds it, others may do only what they could have done before, with the same outcome, so it may as well
//! be taken later.

use crate::canonical::MAX_WORDS;
use crate::compiled::Compiled;
use crate::inside::Inside;
use crate::kernel::Kernel;
use crate::local::Mode;
use crate::locals::{FAILED, Surroundings};
use automata::{CellId, Value};
use base::table::Id;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

/// Cells, a bit each.
pub(crate) type Cells = u128;

/// A thread that could come to more states puts nothing off: progress is found as a whole, and must not take long.
const MAX_REACHED: usize = 1 << 12;

/// How far a thread may come without writing what others see.
#[derive(Default)]
pub(crate) struct Progress {
    /// The number of the first variant, which no other has; the others follow.
    pub(crate) number: u64,
    /// The state it begins in first.
    pub(crate) all: Vec<Reached>,
    pub(crate) writes: Vec<Write>,
    /// What has become of the cells, nothing first.
    pub(crate) variants: Vec<Variant>,
    changes: Vec<Change>,
    /// What is read by any last step.
    pub(crate) reads: Cells,
    pub(crate) has_end: bool,
}

/// What a thread's steps on the way have done to cells.
pub(crate) struct Variant {
    /// Whether it has taken the bus.
    pub(crate) has_bus: bool,
    /// All cells that may differ, the bus among them.
    cells: Cells,
    changes: Range<usize>,
    /// What properties ask of the thread's states with these cells.
    pub(crate) asked: Vec<Arc<Kernel>>,
}

/// A state of the thread, and how it was come to.
pub(crate) struct Reached {
    pub(crate) number: u32,
    /// From where it was come to first.
    pub(crate) from: usize,
    /// What the last steps of all ways there read.
    pub(crate) reads: Cells,
    /// What has become of the cells: the position among `variants`.
    pub(crate) variant: usize,
    /// Whether the thread has no step there.
    pub(crate) is_end: bool,
}

/// A step that writes, or that ends in a state of its own kind.
pub(crate) struct Write {
    pub(crate) from: usize,
    /// The thread's state after it.
    pub(crate) number: u32,
    /// The cells that may differ after it.
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

/// One step of a thread: its state and the cells after it, and what it reads and writes.
struct Step<'a> {
    number: u32,
    words: &'a [u32],
    reads: Cells,
    writes: Cells,
    needs_bus: bool,
    /// What the oldest entry of the queue writes, if the step begins by performing it.
    performed: Cells,
}

/// What is only needed while progress is being found.
struct Search<'a> {
    compiled: &'a Compiled<'a>,
    thread: usize,
    /// Where it begins.
    state: &'a [u32],
    puts_off: bool,
    progress: Progress,
    /// Where each state is among all.
    places: FxHashMap<(u32, usize), usize>,
    /// The private cells of each variant, and whether it has the bus.
    known: Vec<(Vec<u32>, bool)>,
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

/// A way through a region, as far as it was gone.
struct Open {
    words: Vec<u32>,
    reads: Cells,
    writes: Cells,
    needs_bus: bool,
    performed: Cells,
}

thread_local! {
    /// By the number of code, when it was last gathered, and the time.
    static GATHERED: RefCell<(Vec<u32>, u32)> = const { RefCell::new((Vec::new(), 0)) };
}

fn bit(cell: CellId) -> Cells {
    1 << cell.index()
}

impl Compiled<'_> {
    /// How far `thread` may come from `state` without writing, and the cells that this depends on.
    pub(crate) fn find_progress(&self, state: &[u32], thread: usize) -> (Progress, Cells) {
        let found = self.find(state, thread, true).or_else(|| self.find(state, thread, false));
        found.expect("a thread that puts nothing off is in one state")
    }

    fn find(&self, state: &[u32], thread: usize, puts_off: bool) -> Option<(Progress, Cells)> {
        let around = self.around();
        let mut search = Search {
            compiled: self,
            thread,
            state,
            puts_off,
            progress: Progress::default(),
            places: FxHashMap::default(),
            known: Vec::new(),
            ways: Vec::new(),
            lasts: Vec::new(),
            looked_at: self.automata.bus.map_or(0, bit),
        };
        let at = self.layout.n_words + thread;
        let unchanged = search.variant(state, false, 0);
        search.reach(state[at], unchanged, 0, 0);
        let mut words = state.to_vec();
        let mut next = 0;
        while next < search.progress.all.len() {
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
        Some(search.finish())
    }

    /// Calls `visit` with every step of `thread`; the way through a region is one. How many there are, and all that was looked at.
    fn each_step(
        &self,
        around: &Surroundings<'_>,
        from: &[u32],
        thread: usize,
        visit: &mut dyn FnMut(Step<'_>),
    ) -> (usize, Cells) {
        let mut open = Vec::new();
        let mut told = (0, 0);
        let first = Open { words: Vec::new(), reads: 0, writes: 0, needs_bus: false, performed: 0 };
        self.take_steps(around, thread, from, &first, &mut open, &mut told, visit);
        let mut inside = Inside::default();
        while let Some(so_far) = open.pop() {
            let Open { reads, writes, .. } = so_far;
            if inside.is_new(|| (so_far.words.clone(), reads, writes)) {
                self.take_steps(around, thread, &so_far.words, &so_far, &mut open, &mut told, visit);
            }
        }
        told
    }

    /// Takes every move of `thread` from `words`, where `so_far` was done in the same step; adds to `open` where it leads into a region.
    #[allow(clippy::too_many_arguments, reason = "the loop of `each_step`, taken apart")]
    fn take_steps(
        &self,
        around: &Surroundings<'_>,
        thread: usize,
        words: &[u32],
        so_far: &Open,
        open: &mut Vec<Open>,
        (n_steps, looked_at): &mut (usize, Cells),
        visit: &mut dyn FnMut(Step<'_>),
    ) {
        let locals = &self.locals[self.table[thread]];
        let info = self.info(words, thread);
        let is_locked_out = self.is_locked_out(words, thread);
        for (index, a_move) in info.moves.iter().enumerate() {
            if is_locked_out && a_move.needs_bus() {
                continue;
            }
            let bus = self.automata.bus.filter(|_| a_move.needs_bus()).map_or(0, bit);
            let reads = so_far.reads | bus | a_move.reads_cell().map_or(0, bit);
            let needs_bus = so_far.needs_bus | a_move.needs_bus();
            *looked_at |= reads;
            let raw = a_move.reads.map_or(0, |slot| slot.raw(words));
            let result = locals.step(around, info, index, raw);
            let writes = so_far.writes | result.write.map_or(0, |(cell, ..)| bit(cell));
            let begins = so_far.words.is_empty() && a_move.performs_first();
            let performed = so_far.performed | if begins { writes } else { 0 };
            let mut changed = [0; MAX_WORDS];
            let words = match result.write {
                None => words,
                Some((_, slot, value)) => {
                    let changed = &mut changed[..words.len()];
                    changed.copy_from_slice(words);
                    slot.set(changed, value);
                    changed
                }
            };
            for way in &result.ways {
                if way.in_region {
                    let mut words = words.to_vec();
                    words[self.layout.n_words + thread] = way.local;
                    open.push(Open { words, reads, writes, needs_bus, performed });
                } else {
                    *n_steps += 1;
                    visit(Step { number: way.local, words, reads, writes, needs_bus, performed });
                }
            }
        }
    }
}

impl Progress {
    /// Puts the cells that differ after a write into `words`.
    pub(crate) fn apply(&self, write: &Write, words: &mut [u32]) {
        self.change(&write.changes, words);
    }

    /// Puts the cells that differ in a variant into `words`.
    pub(crate) fn vary(&self, variant: usize, words: &mut [u32]) {
        self.change(&self.variants[variant].changes, words);
    }

    /// Whether the thread has taken the bus when it has come as far as `at`.
    pub(crate) fn has_bus(&self, at: usize) -> bool {
        self.variants[self.all[at].variant].has_bus
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let asked = self.variants.iter().map(|variant| variant.asked.len()).sum::<usize>();
        let bytes = self.all.len() * size_of::<Reached>()
            + self.writes.len() * size_of::<Write>()
            + self.changes.len() * size_of::<Change>()
            + self.variants.len() * size_of::<Variant>()
            + asked * size_of::<Arc<Kernel>>();
        (size_of::<Progress>() + bytes) as u64
    }

    fn change(&self, changes: &Range<usize>, words: &mut [u32]) {
        for Change { word, mask, bits } in &self.changes[changes.clone()] {
            words[*word] = words[*word] & !mask | bits;
        }
    }
}

impl Search<'_> {
    /// Adds a step of the thread from its state at `from`.
    fn add(&mut self, from: usize, step: Step<'_>) {
        let Step { number, .. } = step;
        let at = self.progress.all[from].variant;
        let before = &self.progress.variants[at];
        let (had_bus, cells) = (before.has_bus, before.cells | step.writes);
        let bus = self.compiled.automata.bus.map_or(0, bit);
        let takes_bus = !had_bus && step.writes & bus != 0 && self.holds_bus(step.words);
        let own = self.compiled.private[self.thread] | if takes_bus { bus } else { 0 };
        let is_late = self.puts_off && step.writes & !own == 0 && number & FAILED == 0 && {
            self.compiled.locals[self.compiled.table[self.thread]].info(number).local.mode != Mode::Spinning
        };
        if is_late {
            self.looked_at |= step.writes;
            let variant = match step.writes {
                0 => at,
                _ => self.variant(step.words, had_bus | takes_bus, cells),
            };
            self.reach(number, variant, from, step.reads);
        } else if !self.is_taken_before(from, &step) {
            self.write(from, number, cells, &step);
        }
    }

    fn holds_bus(&self, words: &[u32]) -> bool {
        self.compiled.bus.is_some_and(|bus| bus.get(words) == self.thread as Value)
    }

    /// The variant with the cells of `words`, of which at most `cells` differ.
    fn variant(&mut self, words: &[u32], has_bus: bool, cells: Cells) -> usize {
        let mask = self.compiled.private_mask[self.thread].iter();
        let key = (words.iter().zip(mask).map(|(word, mask)| word & mask).collect(), has_bus);
        if let Some(at) = self.known.iter().position(|known| *known == key) {
            return at;
        }
        let changes = self.changes(cells, words);
        self.progress.variants.push(Variant { has_bus, cells, changes, asked: Vec::new() });
        self.known.push(key);
        self.known.len() - 1
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
        self.progress.writes.push(Write { from, number, cells, needs_bus: step.needs_bus, changes });
    }

    /// What `cells` hold in `words`.
    fn changes(&mut self, cells: Cells, words: &[u32]) -> Range<usize> {
        let first = self.progress.changes.len();
        let mut rest = cells;
        while rest != 0 {
            let cell = CellId::new(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            let (word, mask) = self.compiled.layout.slot(cell).place();
            self.progress.changes.push(Change { word, mask, bits: words[word] & mask });
        }
        first..self.progress.changes.len()
    }

    /// Whether the step begins by performing the oldest store, which could have been performed before the thread came here, and writes
    /// nothing else that others see. Only shortest ways count, so that it is not put off for ever.
    fn is_taken_before(&self, from: usize, step: &Step<'_>) -> bool {
        let table = &self.compiled.locals[self.compiled.table[self.thread]];
        let all = &self.progress.all;
        let oldest = |at: usize| table.info(all[at].number).local.queue.first();
        let may_be_before = |last: &Last| step.performed & last.reads == 0 && oldest(last.from) == oldest(from);
        let first = self.ways[from].1.map(|last| &self.lasts[last]);
        let mut lasts = std::iter::successors(first, |last| last.before.map(|before| &self.lasts[before]));
        let is_all = step.writes & !step.performed & !self.compiled.private[self.thread] == 0;
        step.performed != 0 && is_all && from != 0 && lasts.any(may_be_before)
    }

    fn finish(mut self) -> (Progress, Cells) {
        self.store_ends();
        let Search { compiled, thread, mut progress, .. } = self;
        progress.reads = progress.all[1..].iter().fold(0, |all, reached| all | reached.reads);
        progress.has_end = progress.all.iter().any(|reached| reached.is_end);
        for variant in 0..progress.variants.len() {
            let here = progress.all.iter().filter(|reached| reached.variant == variant);
            let own = here.map(|reached| &compiled.ready(thread, reached.number).judged[compiled.member[thread]].own);
            progress.variants[variant].asked = gather(own.flat_map(|own| &own.kernels));
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
                let step = Step { number, words: &words, reads: 0, writes: 0, needs_bus: true, performed: 0 };
                self.write(from, number, self.progress.variants[variant].cells, &step);
            }
        }
    }
}

/// Each of `kernels` once.
fn gather<'a>(kernels: impl Iterator<Item = &'a Arc<Kernel>>) -> Vec<Arc<Kernel>> {
    GATHERED.with_borrow_mut(|(gathered, now)| {
        *now += 1;
        let is_first = |kernel: &&Arc<Kernel>| {
            let number = kernel.number as usize;
            if number >= gathered.len() {
                gathered.resize(number + 1, 0);
            }
            std::mem::replace(&mut gathered[number], *now) != *now
        };
        kernels.filter(is_first).cloned().collect()
    })
}
