//! Memory operations on circuits: loads, stores, read-modify-writes, and the commit of a buffered store.

use crate::path::{Execution, Path};
use crate::state::Slot;
use automata::{Access, Address, Automata, CasResult, CellId, FetchOp, Op, ThreadId};
use base::table::Id;
use sat::{Bits, Graph, Lit};

/// The cells that an address may be, each with the condition that it is. At most one is true.
pub(crate) type Target = Vec<(CellId, Lit)>;

impl Execution<'_> {
    /// The cells of an address, demanding that there is one.
    pub(crate) fn target(&mut self, path: &mut Path, address: &Address) -> Target {
        let mut target = vec![(address.base.index(), Lit::TRUE)];
        for term in &address.terms {
            let (index, has_value) = self.possible_value(path, &term.index);
            let is_valid = self.graph.is_within(&index, 0, term.count as i32 - 1);
            let is_valid = self.graph.and(is_valid, has_value);
            self.demand(path, is_valid, Automata::VALID_REFERENCE);
            let mut longer = Vec::new();
            for i in 0..term.count as usize {
                let is_it = self.graph.is(&index, i as i32);
                for (cell, condition) in &target {
                    longer.push((cell + i * term.stride as usize, self.graph.and(*condition, is_it)));
                }
            }
            target = longer;
        }
        target
            .into_iter()
            .filter(|(_, is_it)| *is_it != Lit::FALSE)
            .map(|(cell, is_it)| (CellId::new(cell), is_it))
            .collect()
    }

    /// What memory holds there.
    pub(crate) fn read(&mut self, path: &Path, target: &Target) -> Bits {
        let mut cells = target.iter().rev();
        let Some((last, _)) = cells.next() else { return Bits::constant(0) };
        let mut value = path.state.cells[last.index()].clone();
        for (cell, is_it) in cells {
            value = self.graph.choose(*is_it, &path.state.cells[cell.index()], &value);
        }
        value
    }

    /// Demands that a value, where it is stored at all, be in the domain of its cell.
    fn demand_storable(&mut self, automata: &Automata, path: &mut Path, target: &Target, value: &Bits, is_stored: Lit) {
        let mut all = Lit::TRUE;
        for (cell, is_it) in target {
            let domain = automata.cells[*cell].domain;
            let is_within = self.graph.is_within(value, domain.low, domain.high);
            let is_right = self.graph.implies(*is_it, is_within);
            all = self.graph.and(all, is_right);
        }
        let is_right = self.graph.implies(is_stored, all);
        self.demand(path, is_right, Automata::IN_RANGE);
    }

    /// An operation that is done at once, on what memory holds.
    pub(crate) fn act(&mut self, automata: &Automata, path: &mut Path, access: &Access) {
        let target = self.target(path, &access.address);
        let read = self.read(path, &target);
        let (stored, result) = self.effect(path, &access.op, &read);
        if let Some((value, is_stored)) = stored {
            self.demand_storable(automata, path, &target, &value, is_stored);
            for (cell, is_it) in target {
                let is_written = self.graph.and(is_it, is_stored);
                let cell = &mut path.state.cells[cell.index()];
                *cell = self.graph.choose(is_written, &value, cell);
            }
        }
        self.give(automata, path, access, result);
    }

    /// The result goes to its register, if that can hold it.
    fn give(&mut self, automata: &Automata, path: &mut Path, access: &Access, result: Bits) {
        let Some(dst) = access.dst else { return };
        let registers = &automata.threads[ThreadId::new(self.thread)].automaton.registers;
        self.demand_in_range(path, &result, registers[dst].domain);
        self.set_register(path, dst, result);
    }

    /// What an operation stores, and when; and its result.
    fn effect(&mut self, path: &mut Path, op: &Op, read: &Bits) -> (Option<(Bits, Lit)>, Bits) {
        match op {
            Op::Load | Op::LoadLinked => (None, read.clone()),
            Op::Store(value) => (Some((self.value(path, value), Lit::TRUE)), Bits::constant(0)),
            Op::StoreConditional(value) => (Some((self.value(path, value), Lit::TRUE)), Bits::constant(1)),
            Op::Swap(value) => (Some((self.value(path, value), Lit::TRUE)), read.clone()),
            Op::Fetch(how, value) => {
                let value = self.value(path, value);
                let new = match how {
                    FetchOp::Add => self.graph.add(read, &value),
                    FetchOp::And => self.graph.bitwise(read, &value, Graph::and),
                    FetchOp::Or => self.graph.bitwise(read, &value, Graph::or),
                    FetchOp::Next(_) => unreachable!("`Problem::new` refuses it"),
                };
                (Some((new, Lit::TRUE)), read.clone())
            }
            Op::Cas { expected, new, result } => {
                let (expected, new) = (self.value(path, expected), self.value(path, new));
                let succeeds = self.graph.equal(read, &expected);
                let result = match result {
                    CasResult::Success => Bits::of_bool(succeeds),
                    CasResult::Old => read.clone(),
                };
                (Some((new, succeeds)), result)
            }
        }
    }

    /// A load by way of the buffer: the youngest own store to the cell, else what memory holds. `may_read_memory` says when memory
    /// may be read.
    pub(crate) fn load(
        &mut self,
        automata: &Automata,
        path: &mut Path,
        access: &Access,
        stored: &[CellId],
        may_read_memory: Lit,
    ) {
        let target = self.target(path, &access.address);
        let mut value = self.read(path, &target);
        let mut is_own = Lit::FALSE;
        let buffer = path.state.threads[self.thread].buffer.clone();
        for slot in &buffer {
            let mut is_it = Lit::FALSE;
            for (cell, is_cell) in &target {
                let is_to = slot.is_to(self.graph, stored, *cell);
                let both = self.graph.and(*is_cell, is_to);
                is_it = self.graph.or(is_it, both);
            }
            value = self.graph.choose(is_it, &slot.value, &value);
            is_own = self.graph.or(is_own, is_it);
        }
        let may_load = self.graph.or(is_own, may_read_memory);
        self.assume(path, may_load);
        self.give(automata, path, access, value);
    }

    /// A store into the buffer; waits while that is full.
    pub(crate) fn buffer(&mut self, automata: &Automata, path: &mut Path, access: &Access, stored: &[CellId]) {
        let Op::Store(value) = &access.op else { unreachable!("only plain stores are buffered") };
        let target = self.target(path, &access.address);
        let value = self.value(path, value);
        self.demand_storable(automata, path, &target, &value, Lit::TRUE);
        let mut index = Bits::constant(0);
        for (cell, is_it) in &target {
            let position = stored.iter().position(|c| c == cell).expect("every cell stored to is known");
            index = self.graph.choose(*is_it, &Bits::constant(position as i32), &index);
        }
        let is_full = path.state.threads[self.thread].buffer.last().map_or(Lit::TRUE, |slot| slot.is_used);
        self.assume(path, !is_full);
        let mut is_before_used = Lit::TRUE;
        for slot in &mut path.state.threads[self.thread].buffer {
            let is_first_free = self.graph.and(is_before_used, !slot.is_used);
            is_before_used = slot.is_used;
            slot.cell = self.graph.choose(is_first_free, &index, &slot.cell);
            slot.value = self.graph.choose(is_first_free, &value, &slot.value);
            slot.is_used = self.graph.or(slot.is_used, is_first_free);
        }
    }

    /// The oldest store of the buffer, if it is to one of `group`, reaches memory.
    pub(crate) fn commit(&mut self, path: &mut Path, stored: &[CellId], group: &[CellId]) {
        let oldest = path.state.threads[self.thread].buffer[0].clone();
        let mut is_any = Lit::FALSE;
        for cell in group {
            let is_it = oldest.is_to(self.graph, stored, *cell);
            is_any = self.graph.or(is_any, is_it);
            let cell = &mut path.state.cells[cell.index()];
            *cell = self.graph.choose(is_it, &oldest.value, cell);
        }
        self.assume(path, is_any);
        let buffer = &mut path.state.threads[self.thread].buffer;
        for i in 1..buffer.len() {
            buffer[i - 1] = buffer[i].clone();
        }
        if let Some(last) = buffer.last_mut() {
            *last = Slot { is_used: Lit::FALSE, ..last.clone() };
        }
    }
}
