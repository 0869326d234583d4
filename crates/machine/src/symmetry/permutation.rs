//! A permutation of elements, threads and cells, with what it does to a thread's state.

use crate::properties::trail::Snapshot;
use crate::rules::code::Code;
use crate::rules::local::{Entry, Local, Mode, Operand};
use automata::scalars::{Permutes, Shape, SortId};
use automata::{Action, Automata, CellId, PointId, RegId, ThreadId, Value};
use base::Table;
use base::table::Id;

/// A permutation; `isomorphism` verifies that it carries steps to steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Permutation {
    /// The image of each element of each sort.
    pub(crate) elements: Table<SortId, Vec<Value>>,
    /// The image of each thread.
    pub(crate) threads: Vec<usize>,
    /// The image of each cell.
    pub(crate) cells: Table<CellId, CellId>,
    /// For each thread, which point of its image each of its points is, and which register each register.
    pub(crate) points: Vec<Table<PointId, PointId>>,
    pub(crate) registers: Vec<Table<RegId, RegId>>,
}

impl Permutes for Permutation {
    fn element(&self, sort: SortId, value: Value) -> Value {
        let image = usize::try_from(value).ok().and_then(|v| self.elements[sort].get(v));
        image.copied().unwrap_or(value)
    }

    fn thread(&self, thread: Value) -> Value {
        let image = usize::try_from(thread).ok().and_then(|t| self.threads.get(t));
        image.map_or(thread, |t| *t as Value)
    }
}

impl Permutation {
    /// The one that changes nothing.
    pub(crate) fn identity(automata: &Automata) -> Self {
        let threads = automata.threads.values();
        Permutation {
            elements: automata.scalars.sorts.values().map(|sort| (0..sort.size as Value).collect()).collect(),
            threads: (0..automata.threads.len()).collect(),
            cells: automata.cells.ids().collect(),
            points: threads.clone().map(|t| t.automaton.points.ids().collect()).collect(),
            registers: threads.map(|t| t.automaton.registers.ids().collect()).collect(),
        }
    }

    /// First `self`, then `other`.
    pub(crate) fn then(&self, other: &Permutation) -> Self {
        let threads = self.threads.iter();
        let element = |(sort, images): (SortId, &Vec<Value>)| images.iter().map(|v| other.element(sort, *v)).collect();
        Permutation {
            elements: self.elements.iter().map(element).collect(),
            threads: threads.clone().map(|t| other.threads[*t]).collect(),
            cells: self.cells.values().map(|cell| other.cells[*cell]).collect(),
            points: threads.clone().zip(&self.points).map(|(t, points)| compose(points, &other.points[*t])).collect(),
            registers: threads.zip(&self.registers).map(|(t, own)| compose(own, &other.registers[*t])).collect(),
        }
    }

    /// Whether it leaves every value of this shape as it is.
    pub(crate) fn fixes(&self, shape: &Shape) -> bool {
        let mut is_fixed = true;
        shape.sorts(&mut |sort| {
            is_fixed &= match sort {
                Some(sort) => is_identity(self.elements[sort].iter().map(|v| *v as usize)),
                None => is_identity(self.threads.iter().copied()),
            };
        });
        is_fixed
    }

    /// The image of a state of `thread`, which is a state of that thread's image. `codes` are those of all threads.
    pub(crate) fn image(&self, automata: &Automata, codes: &[&Code], thread: usize, local: &Local) -> Local {
        let (code, target) = (codes[thread], codes[self.threads[thread]]);
        let (points, renamed) = (&self.points[thread], &self.registers[thread]);
        let operand = |register: RegId, operand: Operand| match operand {
            Operand::Value(value) => {
                let shape = automata.scalars.register(ThreadId::new(thread), register);
                Operand::Value(shape.map(value, self))
            }
            Operand::Entry(_) => operand,
        };
        let cells = |cells: &[CellId]| {
            let mut images: Vec<CellId> = cells.iter().map(|cell| self.cells[*cell]).collect();
            images.sort();
            images
        };
        let live = &code.live[local.point];
        let mut registers = local.registers.clone();
        for register in code.automaton.registers.ids() {
            let value = local.register(register);
            // A register that does not matter has been reset to 0, which then is no element.
            let is_element = live[register.index()] && !matches!(local.mode, Mode::Failed(_));
            registers[renamed[register].index()] = if is_element { operand(register, value) } else { value };
        }
        let seen = |entry: &Entry| {
            let own = code.observed[entry.point].iter().zip(&entry.seen);
            let seen: Vec<(RegId, Operand)> = own.map(|(r, o)| (renamed[*r], operand(*r, *o))).collect();
            let of = |register: &RegId| seen.iter().find(|(r, _)| r == register).map(|(_, o)| *o);
            target.observed[points[entry.point]].iter().filter_map(of).collect()
        };
        let entry = |entry: &Entry| {
            let point = points[entry.point];
            let used: Vec<(RegId, Operand)> = code.uses[entry.point]
                .iter()
                .zip(&entry.operands)
                .map(|(r, o)| (renamed[*r], operand(*r, *o)))
                .collect();
            let of = |register: &RegId| used.iter().find(|(r, _)| r == register).map_or(Operand::Value(0), |(_, o)| *o);
            // What a second half has read is of its cell's kind.
            let read = |operand: &Operand| match (operand, code.action(entry.point)) {
                (Operand::Value(value), Action::Access(access)) => {
                    Operand::Value(automata.scalars.cell(access.address.base).map(*value, self))
                }
                _ => *operand,
            };
            let taken = entry.operands.get(code.uses[entry.point].len()).map(read);
            Entry {
                point,
                operands: target.uses[point].iter().map(of).chain(taken).collect(),
                guess: entry.guess,
                overtaken: cells(&entry.overtaken),
                read_ahead: cells(&entry.read_ahead),
                demand: entry.demand,
                is_relied_on: entry.is_relied_on,
                is_linked: entry.is_linked,
                part: entry.part,
                seen: seen(entry),
                is_in_doubt: entry.is_in_doubt,
            }
        };
        let snapshot = |snapshot: &Snapshot| {
            let point = points[snapshot.point];
            let own = code.observed_registers(snapshot.point).iter().zip(&snapshot.registers);
            let seen: Vec<(RegId, Operand)> = own.map(|(r, o)| (renamed[*r], operand(*r, *o))).collect();
            let of = |register: &RegId| seen.iter().find(|(r, _)| r == register).map_or(Operand::Value(0), |(_, o)| *o);
            let registers = target.observed_registers(point).iter().map(of).collect();
            Snapshot { point, registers, issued: snapshot.issued }
        };
        let mut trail: Vec<Snapshot> = local.trail.iter().map(snapshot).collect();
        trail.sort();
        let mut unconfirmed: Vec<PointId> = local.unconfirmed.iter().map(|point| points[*point]).collect();
        unconfirmed.sort();
        Local {
            mode: local.mode,
            point: points[local.point],
            trail,
            unconfirmed,
            registers,
            queue: local.queue.iter().map(entry).collect(),
            reserved: cells(&local.reserved),
            reserved_ahead: cells(&local.reserved_ahead),
            // Where there are transactions, nothing is permuted.
            transaction: local.transaction.clone(),
        }
    }
}

fn compose<I: Id>(first: &Table<I, I>, second: &Table<I, I>) -> Table<I, I> {
    first.values().map(|id| second[*id]).collect()
}

fn is_identity(images: impl Iterator<Item = usize>) -> bool {
    images.enumerate().all(|(i, image)| i == image)
}
