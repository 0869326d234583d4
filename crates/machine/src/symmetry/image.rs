//! What a permutation does to a thread's state.

use crate::properties::trail::Snapshot;
use crate::rules::code::Code;
use crate::rules::local::{Entry, Local, Mode, Operand};
use crate::symmetry::permutation::Permutation;
use automata::{Action, Automata, CellId, PointId, RegId, ThreadId};
use base::Table;
use base::table::Id;

/// A permutation, applied to states of one thread. Their images are states of that thread's image.
pub(crate) struct Image<'a> {
    permutation: &'a Permutation,
    automata: &'a Automata,
    thread: ThreadId,
    /// The code of the thread, and of its image.
    code: &'a Code,
    target: &'a Code,
    /// The images of the thread's points and registers.
    points: &'a Table<PointId, PointId>,
    registers: &'a Table<RegId, RegId>,
}

/// Registers of the image, with their values.
type Renamed = Vec<(RegId, Operand)>;

impl<'a> Image<'a> {
    /// `codes` are those of all threads.
    pub(crate) fn new(permutation: &'a Permutation, automata: &'a Automata, codes: &[&'a Code], thread: usize) -> Self {
        Image {
            permutation,
            automata,
            thread: ThreadId::new(thread),
            code: codes[thread],
            target: codes[permutation.threads[thread]],
            points: &permutation.points[thread],
            registers: &permutation.registers[thread],
        }
    }

    /// The image of a thread state.
    pub(crate) fn of(&self, local: &Local) -> Local {
        let mut trail: Vec<Snapshot> = local.trail.iter().map(|snapshot| self.snapshot(snapshot)).collect();
        trail.sort();
        let mut unconfirmed: Vec<PointId> = local.unconfirmed.iter().map(|point| self.points[*point]).collect();
        unconfirmed.sort();
        Local {
            mode: local.mode,
            point: self.points[local.point],
            trail,
            unconfirmed,
            registers: self.values_of_registers(local),
            queue: local.queue.iter().map(|entry| self.entry(entry)).collect(),
            reserved: self.cells(&local.reserved),
            reserved_ahead: self.cells(&local.reserved_ahead),
            // Where there are transactions, nothing is permuted.
            transaction: local.transaction.clone(),
            takes_lock: local.takes_lock,
        }
    }

    fn values_of_registers(&self, local: &Local) -> Vec<Operand> {
        let live = &self.code.live[local.point];
        let mut registers = local.registers.clone();
        for register in self.code.automaton.registers.ids() {
            let value = local.register(register);
            // A register that does not matter has been reset to 0, which then is no element.
            let is_element = live[register.index()] && !matches!(local.mode, Mode::Failed(_));
            let image = if is_element { self.operand(register, value) } else { value };
            registers[self.registers[register].index()] = image;
        }
        registers
    }

    fn entry(&self, entry: &Entry) -> Entry {
        let point = self.points[entry.point];
        let used = &self.code.uses[entry.point];
        let renamed = self.renamed(used, &entry.operands);
        let read = entry.operands.get(used.len()).map(|operand| self.read(entry.point, *operand));
        let operands = self.target.uses[point].iter().map(|register| value_of(&renamed, *register));
        Entry {
            point,
            operands: operands.chain(read).collect(),
            guess: entry.guess,
            overtaken: self.cells(&entry.overtaken),
            read_ahead: self.cells(&entry.read_ahead),
            demand: entry.demand,
            is_relied_on: entry.is_relied_on,
            is_linked: entry.is_linked,
            part: entry.part,
            seen: self.seen(entry),
            is_in_doubt: entry.is_in_doubt,
        }
    }

    /// What a guessed branch has of registers that properties observe; empty where nothing is guessed.
    fn seen(&self, entry: &Entry) -> Vec<Operand> {
        let renamed = self.renamed(&self.code.observed[entry.point], &entry.seen);
        self.target.observed[self.points[entry.point]].iter().filter_map(|register| find(&renamed, *register)).collect()
    }

    /// The value that the second half of a read-modify-write has read is of its cell's kind.
    fn read(&self, point: PointId, operand: Operand) -> Operand {
        match (operand, self.code.action(point)) {
            (Operand::Value(value), Action::Access(access)) => {
                Operand::Value(self.automata.scalars.cell(access.address.base).map(value, self.permutation))
            }
            _ => operand,
        }
    }

    fn snapshot(&self, snapshot: &Snapshot) -> Snapshot {
        let point = self.points[snapshot.point];
        let renamed = self.renamed(self.code.observed_registers(snapshot.point), &snapshot.registers);
        let observed = self.target.observed_registers(point).iter();
        let registers = observed.map(|register| value_of(&renamed, *register)).collect();
        Snapshot { point, registers, issued: snapshot.issued }
    }

    fn renamed(&self, registers: &[RegId], operands: &[Operand]) -> Renamed {
        let both = registers.iter().zip(operands);
        both.map(|(register, operand)| (self.registers[*register], self.operand(*register, *operand))).collect()
    }

    fn operand(&self, register: RegId, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) => {
                let shape = self.automata.scalars.register(self.thread, register);
                Operand::Value(shape.map(value, self.permutation))
            }
            Operand::Entry(_) => operand,
        }
    }

    fn cells(&self, cells: &[CellId]) -> Vec<CellId> {
        let mut images: Vec<CellId> = cells.iter().map(|cell| self.permutation.cells[*cell]).collect();
        images.sort();
        images
    }
}

fn find(renamed: &Renamed, register: RegId) -> Option<Operand> {
    renamed.iter().find(|(other, _)| *other == register).map(|(_, operand)| *operand)
}

fn value_of(renamed: &Renamed, register: RegId) -> Operand {
    find(renamed, register).unwrap_or(Operand::Value(0))
}
