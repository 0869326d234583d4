//! A whole state as circuits: what every cell, register and store buffer holds, and where every thread is.

use crate::layout::Layout;
use crate::values::{has_value, value};
use automata::{Automata, RegId};
use base::table::Id;
use sat::{Bits, Graph, Lit, Substitution};

/// A whole state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// What shared memory, and abstract state, hold; by `CellId`.
    pub(crate) cells: Vec<Bits>,
    /// By `ThreadId`.
    pub(crate) threads: Vec<ThreadState>,
}

/// One thread's part.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ThreadState {
    /// Where it is: the number of a resting point, see [`Layout`].
    pub(crate) place: Bits,
    /// By `RegId`.
    pub(crate) registers: Vec<Bits>,
    /// Stores that are not committed, oldest first. Empty slots come last.
    pub(crate) buffer: Vec<Slot>,
}

/// One place of a store buffer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Slot {
    pub(crate) is_used: Lit,
    /// Which of the cells that the thread stores to, see [`Layout`].
    pub(crate) cell: Bits,
    pub(crate) value: Bits,
}

impl State {
    /// A state of free variables.
    pub(crate) fn free(graph: &mut Graph, automata: &Automata, layout: &Layout) -> Self {
        let cells = automata.cells.values().map(|cell| Bits::input(graph, cell.domain.low, cell.domain.high)).collect();
        let threads = layout.threads.iter().map(|thread| {
            let registers = thread.registers.iter().map(|domain| Bits::input(graph, domain.low, domain.high)).collect();
            let slot = |graph: &mut Graph| Slot {
                is_used: graph.input(),
                cell: Bits::input(graph, 0, thread.stored.len().saturating_sub(1) as i32),
                value: Bits::input(graph, thread.stored_values.low, thread.stored_values.high),
            };
            let buffer = (0..thread.n_slots).map(|_| slot(graph)).collect();
            ThreadState { place: Bits::input(graph, 0, thread.resting.len() as i32 - 1), registers, buffer }
        });
        State { cells, threads: threads.collect() }
    }

    /// Every variable is in its domain, every thread at a point, a thread that waits forever has reason to, and no slot is used behind one
    /// that is not.
    pub(crate) fn typing(&self, graph: &mut Graph, automata: &Automata, layout: &Layout) -> Lit {
        let mut all = Lit::TRUE;
        for (bits, cell) in self.cells.iter().zip(automata.cells.values()) {
            let is_typed = graph.is_within(bits, cell.domain.low, cell.domain.high);
            all = graph.and(all, is_typed);
        }
        for (thread, of) in self.threads.iter().zip(&layout.threads) {
            let is_somewhere = graph.is_within(&thread.place, 0, of.resting.len() as i32 - 1);
            all = graph.and(all, is_somewhere);
            for (bits, domain) in thread.registers.iter().zip(&of.registers) {
                let is_typed = graph.is_within(bits, domain.low, domain.high);
                all = graph.and(all, is_typed);
            }
            for (place, condition) in &of.stuck {
                let mut leaf = |_: &mut Graph, register: &RegId| thread.registers[register.index()].clone();
                let (value, has_value) = (value(graph, condition, &mut leaf), has_value(graph, condition, &mut leaf));
                let is_false = !graph.is_true(&value);
                let is_there = graph.is(&thread.place, *place as i32);
                let is_false = graph.and(has_value, is_false);
                let is_stuck = graph.implies(is_there, is_false);
                all = graph.and(all, is_stuck);
            }
            let mut is_before_used = Lit::TRUE;
            for slot in &thread.buffer {
                let is_filled_in_order = graph.implies(slot.is_used, is_before_used);
                is_before_used = slot.is_used;
                let is_typed = slot.typing(graph, automata, &of.stored);
                let is_typed = graph.implies(slot.is_used, is_typed);
                all = graph.all([all, is_filled_in_order, is_typed]);
            }
        }
        all
    }

    /// What puts `by` in the place of this state, which must be one of free variables.
    pub(crate) fn replaced_by(&self, by: &State) -> Substitution {
        let mut substitution = Substitution::new();
        let mut replace = |of: &[Bits], by: &[Bits]| {
            of.iter().zip(by).for_each(|(of, by)| substitution.replace_bits(of, by));
        };
        replace(&self.cells, &by.cells);
        for (of, by) in self.threads.iter().zip(&by.threads) {
            replace(std::slice::from_ref(&of.place), std::slice::from_ref(&by.place));
            replace(&of.registers, &by.registers);
            for (of, by) in of.buffer.iter().zip(&by.buffer) {
                replace(&[of.cell.clone(), of.value.clone()], &[by.cell.clone(), by.value.clone()]);
                replace(&[Bits::of_bool(of.is_used)], &[Bits::of_bool(by.is_used)]);
            }
        }
        substitution
    }

    /// Whether the thread is at one of these resting places.
    pub(crate) fn is_at(&self, graph: &mut Graph, thread: usize, places: impl IntoIterator<Item = usize>) -> Lit {
        let here =
            places.into_iter().map(|place| graph.is(&self.threads[thread].place, place as i32)).collect::<Vec<_>>();
        graph.any(here)
    }

    /// Whether the thread has committed all its stores.
    pub(crate) fn is_committed(&self, thread: usize) -> Lit {
        self.threads[thread].buffer.first().map_or(Lit::TRUE, |slot| !slot.is_used)
    }
}

impl Slot {
    /// One that holds nothing.
    pub(crate) fn empty() -> Self {
        Slot { is_used: Lit::FALSE, cell: Bits::constant(0), value: Bits::constant(0) }
    }

    fn typing(&self, graph: &mut Graph, automata: &Automata, stored: &[automata::CellId]) -> Lit {
        let mut any = Lit::FALSE;
        for (index, cell) in stored.iter().enumerate() {
            let domain = automata.cells[*cell].domain;
            let (is_it, is_typed) =
                (graph.is(&self.cell, index as i32), graph.is_within(&self.value, domain.low, domain.high));
            let both = graph.and(is_it, is_typed);
            any = graph.or(any, both);
        }
        any
    }

    /// Whether it holds a store to `cell`.
    pub(crate) fn is_to(&self, graph: &mut Graph, stored: &[automata::CellId], cell: automata::CellId) -> Lit {
        match stored.iter().position(|c| c.index() == cell.index()) {
            None => Lit::FALSE,
            Some(index) => {
                let is_it = graph.is(&self.cell, index as i32);
                graph.and(self.is_used, is_it)
            }
        }
    }
}
