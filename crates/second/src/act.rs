//! One action of a thread that is local, or within a region (rules 2.2, 2.4, 3.1, 3.2, 3.9, 4.1, 5.1, 5.2).

use crate::code::Instr;
use crate::state::{Cell, Entry, Guess, Queued, Thread, Transaction};
use crate::values::{Term, Violation, close, within};
use crate::world::{End, Path, World};
use program::typed;
use std::collections::BTreeSet;

/// The ways to do an action; none if it has to wait, or is neither local nor in a region.
type Ways = Result<Vec<Path>, Violation>;

impl World<'_> {
    /// The ways to do the next action. What would violate something waits for guesses and assumptions.
    pub(crate) fn act(&self, path: &Path, t: usize, in_region: bool) -> Vec<Path> {
        let fails = |violation| path.with(t, |thread| thread.failed = Some(violation));
        self.ways(path, t, in_region).unwrap_or_else(|violation| match path.state.threads[t].is_certain() {
            true => vec![fails(violation)],
            false => Vec::new(),
        })
    }

    fn ways(&self, path: &Path, t: usize, in_region: bool) -> Ways {
        let (thread, code) = (&path.state.threads[t], &self.code[t]);
        let in_transaction = thread.transaction.is_some();
        let next = || path.with(t, |thread| thread.pc += 1);
        let to = |target: usize| path.with(t, |thread| thread.pc = target);
        let set = |register: usize, content: Term| {
            path.with(t, |thread| {
                thread.registers.insert(register, content);
                thread.pc += 1;
            })
        };
        Ok(match self.instr(thread) {
            _ if thread.aborted.is_some() => Vec::new(),
            Instr::Nop => vec![next()],
            Instr::Goto(target) => vec![to(*target)],
            Instr::Set((register, range), term, is_copy) => match self.eval(term, thread)? {
                Some(value) => vec![set(*register, Term::Const(within(value, *range)?))],
                None if in_region => Vec::new(),
                None if *is_copy => vec![set(*register, term.close(&thread.registers))],
                None => self.queue(path, t, Entry::Compute(term.close(&thread.registers), *range), Some(*register)),
            },
            Instr::Access(access) if in_region => self.access_now(path, t, &code.accesses[*access])?,
            Instr::Access(_) if in_transaction => Vec::new(),
            Instr::Access(access) => self.issue(path, t, *access),
            Instr::Fence(fence) if !in_transaction && self.orders_anything(*fence, thread) => {
                self.queue(path, t, Entry::Fence(*fence), None)
            }
            Instr::Fence(_) => vec![next()],
            Instr::Branch(condition, otherwise) => match self.eval(condition, thread)? {
                Some(0) => vec![to(*otherwise)],
                Some(_) => vec![next()],
                None if in_region => Vec::new(),
                None => self.guess(path, t, condition, *otherwise),
            },
            Instr::Choose(targets) => targets.iter().map(|target| to(*target)).collect(),
            Instr::Pick((register, range), set_of) => {
                let elements = set_of.as_ref().map(|set| self.eval(set, thread)).transpose()?;
                let is_element = |value: &i32| match elements {
                    None => true,
                    Some(set) => set.is_some_and(|set| set >> (value - range.low) & 1 == 1),
                };
                range.values().filter(is_element).map(|value| set(*register, Term::Const(value.into()))).collect()
            }
            Instr::Check(check, condition) => {
                let value = if thread.is_certain() { self.eval(condition, thread)? } else { None };
                let entry = || Entry::Check(*check, condition.close(&thread.registers));
                match value {
                    Some(value) => vec![next().passing(t, *check, value)],
                    None if in_region => Vec::new(),
                    None => self.queue(path, t, entry(), None),
                }
            }
            Instr::Assume(condition) => match self.eval(condition, thread)? {
                None | Some(0) => Vec::new(),
                Some(_) => vec![next()],
            },
            Instr::Discard(condition) => match self.eval(condition, thread)? {
                None => Vec::new(),
                Some(0) if !thread.is_certain() => Vec::new(),
                Some(0) => vec![Path { end: End::Cut, ..next() }],
                Some(_) => vec![next()],
            },
            Instr::Lock if in_region && path.state.bus.is_none() => vec![next().with_bus(Some(t))],
            Instr::Unlock if in_region && path.state.bus == Some(t) => vec![next().with_bus(None)],
            Instr::Region(region) if region.kind == typed::Region::Then => {
                let is_awaited = thread.accesses().any(|queued| self.access(thread, queued).then);
                let may_enter = !is_awaited && thread.guesses().next().is_none() && are_known(thread, &region.reads);
                let due = || path.with(t, |thread| thread.then_due = false);
                if may_enter { self.execute(due(), t, region) } else { Vec::new() }
            }
            Instr::Begin(begin) if thread.queue.is_empty() => vec![path.with(t, |thread| {
                let mut registers = thread.registers.clone();
                registers.retain(|register, _| code.points[begin.handler].kept.contains(register));
                let (reads, writes) = Default::default();
                thread.transaction = Some(Transaction { begin: thread.pc, registers, reads, writes });
                thread.pc += 1;
            })],
            Instr::Perform if thread.queue.is_empty() => vec![next()],
            _ => Vec::new(),
        })
    }

    /// An entry goes to the queue, if there is a place; a register gets what comes of it.
    fn queue(&self, path: &Path, t: usize, entry: Entry, to: Option<usize>) -> Vec<Path> {
        if !self.has_place(&path.state.threads[t]) {
            return Vec::new();
        }
        vec![path.with(t, |thread| {
            thread.registers.extend(to.map(|to| (to, Term::ToCome(thread.queue.len()))));
            thread.queue.push(entry);
            thread.pc += 1;
        })]
    }

    pub(crate) fn issue(&self, path: &Path, t: usize, number: usize) -> Vec<Path> {
        let (thread, access) = (&path.state.threads[t], &self.code[t].accesses[number]);
        if !self.may_issue(thread, access) {
            return Vec::new();
        }
        let cell = Cell::ToCome(close(&access.place, &thread.registers));
        let operands = close(&access.operands, &thread.registers);
        let queued = Queued { access: number, cell, operands, reserves: false, assumed: Vec::new() };
        self.queue(path, t, Entry::Access(queued), access.to.map(|(to, _)| to))
    }

    /// A branch whose condition is to come is taken both ways (rule 5.1).
    fn guess(&self, path: &Path, t: usize, condition: &Term, otherwise: usize) -> Vec<Path> {
        let thread = &path.state.threads[t];
        if thread.guesses().count() >= self.model.speculate || !self.has_place(thread) {
            return Vec::new();
        }
        let guess = |value: bool| {
            path.with(t, |thread| {
                let condition = condition.close(&thread.registers);
                let mut registers = thread.registers.clone();
                registers.retain(|register, _| self.code[t].named.contains(register));
                let guess = Guess { condition, value, pc: thread.pc, registers };
                thread.queue.push(Entry::Guess(Box::new(guess)));
                thread.pc = if value { thread.pc + 1 } else { otherwise };
            })
        };
        vec![guess(true), guess(false)]
    }
}

/// Whether all these registers have values.
pub(crate) fn are_known(thread: &Thread, registers: &BTreeSet<usize>) -> bool {
    registers
        .iter()
        .all(|register| thread.registers.get(register).is_none_or(|content| matches!(content, Term::Const(_))))
}
