//! The steps of one thread, each with what it reads and writes; the way through a region is one step.
//!
//! A step also reads what its thread *watches* before or after it: a write of another thread to such a cell changes the thread's state, or
//! discards the path. So a step commutes with all writes to cells that it does not read.

use crate::late::progress::{Cells, bit};
use crate::late::system::Late;
use crate::rules::touch::Watching;
use crate::symmetry::canonical::MAX_WORDS;
use crate::tabulated::locals::{Locals, Surroundings};
use crate::tabulated::region_states::RegionStates;
use crate::tabulated::tables::OverTables;
use crate::tabulated::uncounted::Uncounted;

/// One step of a thread: its state and the cells after it, and what it reads and writes.
pub(crate) struct Step<'a> {
    pub(crate) number: u32,
    pub(crate) words: &'a [u32],
    pub(crate) reads: Cells,
    pub(crate) writes: Cells,
    pub(crate) needs_bus: bool,
    /// What it has reached, where it is not certain that the state exists.
    pub(crate) uncounted: Uncounted,
    /// What the oldest entry of the queue writes, if the step begins by performing it.
    pub(crate) performed: Cells,
}

/// A way through a region, as far as it was gone.
struct Open {
    words: Vec<u32>,
    reads: Cells,
    writes: Cells,
    needs_bus: bool,
    performed: Cells,
    uncounted: Uncounted,
}

impl Late<'_> {
    /// Calls `visit` with every step of `thread`; the way through a region is one. How many there are, and all that was looked at.
    pub(crate) fn each_step(
        &self,
        around: &Surroundings<'_>,
        from: &[u32],
        thread: usize,
        visit: &mut dyn FnMut(Step<'_>),
    ) -> (usize, Cells) {
        let mut open = Vec::new();
        let mut counted = (0, 0);
        let first = Open {
            words: Vec::new(),
            reads: 0,
            writes: 0,
            needs_bus: false,
            performed: 0,
            uncounted: Uncounted::default(),
        };
        self.take_steps(around, thread, from, &first, &mut open, &mut counted, visit);
        let mut inside = RegionStates::default();
        let mut pace = around.options.budget.pace();
        while let Some(so_far) = open.pop() {
            if pace.is_over() {
                break;
            }
            let Open { reads, writes, .. } = so_far;
            if inside.is_new(|| (so_far.words.clone(), reads, writes), &so_far.uncounted) {
                self.take_steps(around, thread, &so_far.words, &so_far, &mut open, &mut counted, visit);
            }
        }
        counted
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
        let locals = &self.tables().locals[self.tables().table[thread]];
        let info = self.tables().info(words, thread);
        let watches = |number: u32| self.watches(around, thread, number);
        let watched = watches(words[self.tables().layout.n_words + thread]);
        let is_locked_out = self.tables().is_locked_out(words, thread);
        for (index, a_move) in info.moves.iter().enumerate() {
            if is_locked_out && a_move.needs_bus() {
                continue;
            }
            let bus = self.tables().automata.bus.filter(|_| a_move.needs_bus()).map_or(0, bit);
            let reads = so_far.reads | bus | a_move.reads_cell().map_or(0, bit);
            let needs_bus = so_far.needs_bus | a_move.needs_bus();
            *looked_at |= reads;
            let reads = reads | watched;
            let raw = a_move.reads.map_or(0, |slot| slot.raw(words));
            let result = locals.step(around, info, index, raw);
            locals.count(&locals.uncounted_cut(&so_far.uncounted, result));
            // Where a step is discarded, the thread is not at its end.
            *n_steps += usize::from(result.discarded);
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
            for (index, way) in result.ways.iter().enumerate() {
                let uncounted = locals.uncounted(&so_far.uncounted, result, index);
                if way.in_region {
                    let mut words = words.to_vec();
                    words[self.tables().layout.n_words + thread] = way.local;
                    open.push(Open { words, reads, writes, needs_bus, performed, uncounted });
                } else {
                    let uncounted = self.counted_if_certain(locals, uncounted);
                    *n_steps += 1;
                    let reads = reads | watches(way.local);
                    visit(Step { number: way.local, words, reads, writes, needs_bus, uncounted, performed });
                }
            }
        }
    }

    /// The cells that `thread` watches in the state `number`.
    fn watches(&self, around: &Surroundings<'_>, thread: usize, number: u32) -> Cells {
        let tables = self.tables();
        match tables.watching {
            Watching::Nothing => 0,
            _ => tables.locals[tables.table[thread]].watches(around, number).fold(0, |cells, cell| cells | bit(cell)),
        }
    }

    /// Counts what a step has reached if the state after it exists for certain; else gives it back.
    fn counted_if_certain(&self, locals: &Locals, reached: Uncounted) -> Uncounted {
        if self.may_be_refuted {
            return reached;
        }
        locals.count(&reached);
        Uncounted::default()
    }
}
