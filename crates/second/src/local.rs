//! One local action: to issue, compute, branch, choose (rules 2.2, 3.1, 3.2, 4.1, 5.1, 5.2).

use crate::code::{Access, AccessKind, Instr, RegionKind};
use crate::settle::clear;
use crate::state::{Cell, Entry, Guess, Queued, Thread, Transaction, Violation};
use crate::term::{Content, Term};
use crate::values::{Fault, Limits};
use crate::world::{End, Path, World, within};

/// What a thread's next local action is.
pub(crate) enum Local {
    /// There is none.
    Rests,
    /// One was done.
    Goes,
    /// There are several ways on.
    Ways(Vec<Path>),
}

impl World<'_> {
    /// One local action.
    pub(crate) fn local(&self, path: &mut Path, t: usize) -> Local {
        let thread = &path.state.threads[t];
        if thread.resumes.is_some() {
            return Local::Rests;
        }
        let in_transaction = thread.transaction.is_some();
        match &self.code[t].instrs[thread.pc] {
            Instr::Nop | Instr::RegionEnd => self.jump(path, t, thread.pc + 1),
            Instr::Clear(from, to) => {
                let next = thread.pc + 1;
                let thread = path.state.thread(t);
                thread.registers[*from..*to].fill(Content::Known(0));
                self.jump(path, t, next)
            }
            Instr::Goto(target) => self.jump(path, t, *target),
            Instr::Set { to, term, limits, is_copy } => self.compute(path, t, *to, term, *limits, *is_copy),
            Instr::Access(_) if in_transaction => Local::Rests,
            Instr::Access(access) => self.issue(path, t, access),
            Instr::Fence(_) if in_transaction => self.jump(path, t, thread.pc + 1),
            Instr::Fence(fence) => {
                if !self.orders_anything(*fence, thread) {
                    return self.jump(path, t, thread.pc + 1);
                }
                if self.has_wall(thread) || !self.has_place(thread) {
                    return Local::Rests;
                }
                self.queue(path, t, Entry::Fence(*fence))
            }
            Instr::Branch(condition, otherwise) => self.branch(path, t, condition, *otherwise),
            Instr::Choose(targets) => {
                let way = |target: &usize| {
                    let mut way = path.clone();
                    way.state.thread(t).pc = *target;
                    way
                };
                Local::Ways(targets.iter().map(way).collect())
            }
            Instr::ChooseValue(to, limits) => Local::Ways(chosen(path, t, *to, limits.low..=limits.high)),
            Instr::ChooseIn(to, set, element) => match self.eval(set, thread) {
                Ok(None) => Local::Rests,
                Ok(Some(set)) => match elements(set, *element) {
                    found if found.is_empty() => Local::Rests,
                    found => Local::Ways(chosen(path, t, *to, found)),
                },
                Err(fault) => self.violate(path, t, fault),
            },
            Instr::Assert(property, condition) => {
                let entry = Entry::Assert(*property, condition.close(&thread.registers));
                self.check(path, t, condition, entry)
            }
            Instr::Cover(cover, condition) => {
                let entry = Entry::Cover(*cover, condition.close(&thread.registers));
                self.check(path, t, condition, entry)
            }
            Instr::Assume(condition) => match self.eval(condition, thread) {
                Ok(None | Some(0)) => Local::Rests,
                Ok(Some(_)) => self.jump(path, t, thread.pc + 1),
                Err(fault) => self.violate(path, t, fault),
            },
            Instr::Discard(condition) => match self.eval(condition, thread) {
                Ok(None) => Local::Rests,
                Ok(Some(0)) if !thread.is_certain() => Local::Rests,
                Ok(Some(0)) => {
                    path.end = End::Cut;
                    Local::Goes
                }
                Ok(Some(_)) => self.jump(path, t, thread.pc + 1),
                Err(fault) => self.violate(path, t, fault),
            },
            Instr::Region(region) if region.kind == RegionKind::Then => self.then(path, t, region),
            Instr::Begin { capacity, handler, cause, code } => {
                if !thread.queue.is_empty() {
                    return Local::Rests;
                }
                let mut registers = thread.registers.clone();
                clear(&mut registers, &self.code[t].kept[*handler]);
                let transaction = Transaction {
                    reads: Vec::new(),
                    writes: Vec::new(),
                    capacity: *capacity,
                    handler: *handler,
                    cause: *cause,
                    code: *code,
                    registers,
                };
                let next = thread.pc + 1;
                path.state.thread(t).transaction = Some(transaction);
                self.jump(path, t, next)
            }
            Instr::Perform if thread.queue.is_empty() => self.jump(path, t, thread.pc + 1),
            Instr::Perform | Instr::Region(_) | Instr::Commit | Instr::Abort(_) | Instr::Safepoint => Local::Rests,
            Instr::Lock { .. } | Instr::Unlock | Instr::End => Local::Rests,
        }
    }

    fn jump(&self, path: &mut Path, t: usize, target: usize) -> Local {
        path.state.thread(t).pc = target;
        Local::Goes
    }

    /// A step that violates something waits for guesses and assumptions.
    fn violate(&self, path: &mut Path, t: usize, fault: Fault) -> Local {
        if !path.state.threads[t].is_certain() {
            return Local::Rests;
        }
        path.fail(t, fault.into());
        Local::Goes
    }

    /// Whether the queue has a place; that it has none is noted.
    fn has_place(&self, thread: &Thread) -> bool {
        if self.has_wall(thread) {
            return false;
        }
        let has_place = thread.queue.len() < self.options.queue_bound;
        if !has_place {
            self.hit.queue.set(true);
        }
        has_place
    }

    fn queue(&self, path: &mut Path, t: usize, entry: Entry) -> Local {
        let thread = path.state.thread(t);
        thread.queue.push(entry);
        thread.pc += 1;
        Local::Goes
    }

    fn compute(&self, path: &mut Path, t: usize, to: usize, term: &Term, limits: Limits, is_copy: bool) -> Local {
        let thread = &path.state.threads[t];
        let content = match self.eval(term, thread).and_then(|v| v.map(|v| within(v, limits)).transpose()) {
            Err(fault) => return self.violate(path, t, fault),
            Ok(Some(value)) => Content::Known(value),
            Ok(None) => match term.close(&thread.registers) {
                Term::ToCome(entry) if is_copy => Content::ToCome(entry),
                _ if !self.has_place(thread) => return Local::Rests,
                closed => {
                    let thread = path.state.thread(t);
                    thread.queue.push(Entry::Compute(closed, limits));
                    Content::ToCome(thread.queue.len() - 1)
                }
            },
        };
        let thread = path.state.thread(t);
        thread.registers[to] = content;
        thread.pc += 1;
        Local::Goes
    }

    /// Whether there is a place for an access, and nothing that it may not be issued behind.
    pub(crate) fn may_issue(&self, thread: &Thread, access: &Access) -> bool {
        if self.has_wall(thread) || !self.has_place(thread) {
            return false;
        }
        let n_stores = thread.accesses().filter(|queued| queued.kind == AccessKind::Store).count();
        let is_full = access.kind == AccessKind::Store && self.options.buffer.is_some_and(|most| n_stores >= most);
        if is_full {
            self.hit.buffer.set(true);
        }
        !is_full
    }

    pub(crate) fn issue(&self, path: &mut Path, t: usize, access: &Access) -> Local {
        let thread = &path.state.threads[t];
        if !self.may_issue(thread, access) {
            return Local::Rests;
        }
        let registers = &thread.registers;
        let mut address = access.address.clone();
        if let Some((object, ..)) = &mut address.object {
            *object = object.close(registers);
        }
        if let Some((index, _)) = &mut address.index {
            *index = index.close(registers);
        }
        let queued = Queued {
            kind: access.kind,
            cell: Cell::ToCome(address),
            limits: access.cell,
            operands: access.operands.iter().map(|operand| operand.close(registers)).collect(),
            order: access.order,
            failure_order: access.failure_order,
            result: access.to.map(|(_, limits)| limits),
            then: access.then,
            reserves: false,
            assumed: Vec::new(),
            pc: thread.pc,
        };
        let thread = path.state.thread(t);
        if let Some((to, _)) = access.to {
            thread.registers[to] = Content::ToCome(thread.queue.len());
        }
        self.queue(path, t, Entry::Access(Box::new(queued)))
    }

    fn branch(&self, path: &mut Path, t: usize, condition: &Term, otherwise: usize) -> Local {
        let thread = &path.state.threads[t];
        let (here, next) = (thread.pc, thread.pc + 1);
        match self.eval(condition, thread) {
            Err(fault) => self.violate(path, t, fault),
            Ok(Some(value)) => self.jump(path, t, if value != 0 { next } else { otherwise }),
            Ok(None) if self.model.speculate == 0 || self.has_wall(thread) => Local::Rests,
            Ok(None) if thread.n_guesses() >= self.model.speculate => {
                self.hit.guesses.set(true);
                Local::Rests
            }
            Ok(None) if !self.has_place(thread) => Local::Rests,
            Ok(None) => {
                let condition = condition.close(&thread.registers);
                let guess = |value: bool| {
                    let mut way = path.clone();
                    let thread = way.state.thread(t);
                    let mut registers = thread.registers.clone();
                    clear(&mut registers, &self.code[t].kept[self.code[t].instrs.len() - 1]);
                    let guess = Guess { condition: condition.clone(), value, pc: here, registers };
                    thread.queue.push(Entry::Guess(Box::new(guess)));
                    thread.pc = if value { next } else { otherwise };
                    way
                };
                Local::Ways(vec![guess(true), guess(false)])
            }
        }
    }

    /// An `assert` or `cover`: at once, or from the queue.
    fn check(&self, path: &mut Path, t: usize, condition: &Term, entry: Entry) -> Local {
        let thread = &path.state.threads[t];
        if thread.is_certain() {
            match self.eval(condition, thread) {
                Err(fault) => {
                    path.fail(t, fault.into());
                    return Local::Goes;
                }
                Ok(Some(value)) => {
                    let next = thread.pc + 1;
                    passes(path, t, &entry, value);
                    return self.jump(path, t, next);
                }
                Ok(None) => {}
            }
        }
        if !self.has_place(&path.state.threads[t]) {
            return Local::Rests;
        }
        self.queue(path, t, entry)
    }
}

/// An `assert` or `cover` is passed with this value.
pub(crate) fn passes(path: &mut Path, t: usize, entry: &Entry, value: i64) {
    match entry {
        Entry::Assert(property, _) => {
            if !path.asserts.contains(property) {
                path.asserts.push(*property);
            }
            if value == 0 {
                path.fail(t, Violation::Assert(*property));
            }
        }
        Entry::Cover(cover, _) if value != 0 && !path.covers.contains(cover) => path.covers.push(*cover),
        _ => {}
    }
}

/// The elements of a set.
pub(crate) fn elements(set: i64, element: Limits) -> Vec<i64> {
    (element.low..=element.high).filter(|value| set >> (value - element.low) & 1 == 1).collect()
}

/// One way for each value.
pub(crate) fn chosen(path: &Path, t: usize, to: usize, values: impl IntoIterator<Item = i64>) -> Vec<Path> {
    let way = |value| {
        let mut way = path.clone();
        let thread = way.state.thread(t);
        thread.registers[to] = Content::Known(value);
        thread.pc += 1;
        way
    };
    values.into_iter().map(way).collect()
}
