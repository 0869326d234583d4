//! Concrete states: what an assignment of the circuits' inputs says.

use crate::layout::{Layout, ThreadLayout};
use crate::state::{Slot, State, ThreadState};
use automata::{Automata, CellId, PointId, Value};
use base::table::Id;
use sat::{Bits, Graph, Lit};

/// A whole state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Snapshot {
    /// What shared memory, and abstract state, hold; by `CellId`.
    pub cells: Vec<Value>,
    /// By `ThreadId`.
    pub threads: Vec<ThreadSnapshot>,
}

/// One thread's part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadSnapshot {
    /// Where it is.
    pub point: PointId,
    /// By `RegId`.
    pub registers: Vec<Value>,
    /// The stores it has not committed, oldest first.
    pub buffer: Vec<(CellId, Value)>,
}

impl Snapshot {
    /// The state at the start.
    pub(crate) fn initial(automata: &Automata) -> Self {
        let threads = automata.threads.values().map(|thread| ThreadSnapshot {
            point: thread.automaton.entry,
            registers: thread.automaton.registers.values().map(|register| register.init).collect(),
            buffer: Vec::new(),
        });
        Snapshot { cells: automata.cells.values().map(|cell| cell.init).collect(), threads: threads.collect() }
    }

    /// The state as circuits that depend on nothing.
    pub(crate) fn constant(&self, layout: &Layout) -> State {
        let number = |value: &Value| Bits::constant(*value);
        let thread = |(of, layout): (&ThreadSnapshot, &ThreadLayout)| ThreadState {
            place: Bits::constant(layout.place(of.point).expect("a resting point") as i32),
            registers: of.registers.iter().map(number).collect(),
            buffer: vec![Slot::empty(); layout.n_slots],
        };
        let threads = self.threads.iter().zip(&layout.threads).map(thread).collect();
        State { cells: self.cells.iter().map(number).collect(), threads }
    }

    /// The state that `state` is, given the values of all inputs.
    pub(crate) fn read(graph: &Graph, state: &State, layout: &Layout, inputs: &[bool]) -> Self {
        let lits: Vec<Lit> = state.all_lits();
        let values = graph.evaluate(inputs, &lits);
        let mut known: Vec<(Lit, bool)> = lits.into_iter().zip(values).collect();
        known.sort();
        let bit = |lit: Lit| match known.binary_search_by_key(&lit, |(lit, _)| *lit) {
            Ok(at) => known[at].1,
            Err(_) => lit == Lit::TRUE,
        };
        let number = |bits: &Bits| bits.read(bit) as Value;
        let thread = |(thread, index): (&ThreadState, usize)| {
            let layout = &layout.threads[index];
            let used = thread.buffer.iter().filter(|slot| bit(slot.is_used));
            ThreadSnapshot {
                point: layout.resting[number(&thread.place) as usize],
                registers: thread.registers.iter().map(number).collect(),
                buffer: used.map(|slot| (layout.stored[number(&slot.cell) as usize], number(&slot.value))).collect(),
            }
        };
        Snapshot {
            cells: state.cells.iter().map(number).collect(),
            threads: state.threads.iter().zip(0..).map(thread).collect(),
        }
    }

    /// The values of the inputs, of which `state` is made, that make it this state; none if there are none.
    pub(crate) fn inputs(&self, graph: &Graph, state: &State, layout: &Layout) -> Option<Vec<bool>> {
        let mut inputs = Assignment { values: vec![false; graph.n_inputs()], graph };
        for (bits, value) in state.cells.iter().zip(&self.cells) {
            inputs.set(bits, *value)?;
        }
        for ((thread, of), layout) in state.threads.iter().zip(&self.threads).zip(&layout.threads) {
            inputs.set(&thread.place, layout.place(of.point)? as Value)?;
            for (bits, value) in thread.registers.iter().zip(&of.registers) {
                inputs.set(bits, *value)?;
            }
            if of.buffer.len() > thread.buffer.len() {
                return None;
            }
            for (slot, (cell, value)) in thread.buffer.iter().zip(&of.buffer) {
                inputs.set(&Bits::of_bool(slot.is_used), 1)?;
                inputs.set(&slot.cell, layout.stored.iter().position(|c| c.index() == cell.index())? as Value)?;
                inputs.set(&slot.value, *value)?;
            }
        }
        Some(inputs.values)
    }
}

struct Assignment<'g> {
    values: Vec<bool>,
    graph: &'g Graph,
}

impl Assignment<'_> {
    /// Gives a number of inputs its value; none if it cannot have it.
    fn set(&mut self, bits: &Bits, value: Value) -> Option<()> {
        for (i, lit) in bits.lits().iter().enumerate() {
            let wanted = i64::from(value) >> i & 1 == 1;
            match lit.value() {
                Some(constant) if constant != wanted => return None,
                Some(_) => {}
                None => self.values[self.graph.input_number(*lit)?] = wanted,
            }
        }
        let is_whole = bits
            .read(|lit| lit.value().unwrap_or_else(|| self.graph.input_number(lit).is_some_and(|i| self.values[i])))
            == i64::from(value);
        is_whole.then_some(())
    }
}

impl State {
    /// Every literal of the state.
    pub(crate) fn all_lits(&self) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self.cells.iter().flat_map(|bits| bits.lits().to_vec()).collect();
        for thread in &self.threads {
            lits.extend(thread.place.lits());
            thread.registers.iter().for_each(|bits| lits.extend(bits.lits()));
            for slot in &thread.buffer {
                lits.push(slot.is_used);
                lits.extend(slot.cell.lits());
                lits.extend(slot.value.lits());
            }
        }
        lits
    }
}
