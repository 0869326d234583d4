//! One action of a thread that is local, or within a region (rules 2.2, 2.4, 3.1, 3.2, 4.1, 5.1, 5.2).

use crate::code::{Access, Begin, Check, Instr, Region, Target};
use crate::state::{Cell, Entry, Guess, Queued, Thread, Transaction};
use crate::term::{Term, close};
use crate::values::{Violation, within};
use crate::world::{End, Path, World};
use program::typed;
use std::collections::BTreeSet;

/// What became of an action.
pub(crate) enum Act {
    /// It has to wait, or is neither local nor in a region.
    Waits,
    /// It was done.
    Goes,
    /// It can be done in several ways.
    Ways(Vec<Path>),
}

type Acts = Result<Act, Violation>;

impl World<'_> {
    /// The next action. What would violate something waits for guesses and assumptions.
    pub(crate) fn act(&self, path: &mut Path, t: usize, in_region: bool) -> Act {
        match self.try_act(path, t, in_region) {
            Ok(act) => act,
            Err(_) if !path.state.threads[t].is_certain() => Act::Waits,
            Err(violation) => {
                path.fail(t, violation);
                Act::Goes
            }
        }
    }

    fn try_act(&self, path: &mut Path, t: usize, in_region: bool) -> Acts {
        let thread = &path.state.threads[t];
        let in_transaction = thread.transaction.is_some();
        let mut target = thread.pc + 1;
        match self.instr(thread) {
            _ if thread.aborted.is_some() => return Ok(Act::Waits),
            Instr::Nop => {}
            Instr::Goto(to) => target = *to,
            Instr::Set(to, term, is_copy) => return self.compute(path, t, *to, term, *is_copy, in_region),
            Instr::Access(access) if in_region => return self.direct(path, t, &self.code[t].accesses[*access]),
            Instr::Access(_) if in_transaction => return Ok(Act::Waits),
            Instr::Access(access) => return Ok(self.issue(path, t, *access)),
            Instr::Fence(fence) if !in_transaction && self.orders_anything(*fence, thread) => {
                return Ok(self.queue(path, t, Entry::Fence(*fence)));
            }
            Instr::Fence(_) => {}
            Instr::Branch(condition, otherwise) => match self.eval(condition, thread)? {
                Some(0) => target = *otherwise,
                Some(_) => {}
                None if in_region => return Ok(Act::Waits),
                None => return Ok(self.guess(path, t, condition, *otherwise)),
            },
            Instr::Choose(targets) => {
                let way = |target: &usize| ahead(path, t, |thread| thread.pc = *target);
                return Ok(Act::Ways(targets.iter().map(way).collect()));
            }
            Instr::Pick((to, range), set) => {
                let set = set.as_ref().map(|set| self.eval(set, thread)).transpose()?;
                if let Some(None | Some(0)) = set {
                    return Ok(Act::Waits);
                }
                let is_element = |value: &i32| set.flatten().is_none_or(|set| set >> (value - range.low) & 1 == 1);
                let way = |value: i32| {
                    ahead(path, t, |thread| {
                        thread.registers[*to] = Term::Const(value.into());
                        thread.pc += 1;
                    })
                };
                return Ok(Act::Ways(range.values().filter(is_element).map(way).collect()));
            }
            Instr::Check(check, condition) => return self.check(path, t, *check, condition, in_region),
            Instr::Assume(condition) => match self.eval(condition, thread)? {
                None | Some(0) => return Ok(Act::Waits),
                Some(_) => {}
            },
            Instr::Discard(condition) => match self.eval(condition, thread)? {
                None => return Ok(Act::Waits),
                Some(0) if !thread.is_certain() => return Ok(Act::Waits),
                Some(0) => path.end = End::Cut,
                Some(_) => {}
            },
            Instr::Lock if in_region && path.state.bus.is_none() => path.state.bus = Some(t),
            Instr::Unlock if in_region && path.state.bus == Some(t) => path.state.bus = None,
            Instr::Region(region) if region.kind == typed::Region::Then => return Ok(self.then(path, t, region)),
            Instr::Begin(begin) if thread.queue.is_empty() => self.begin(path, t, begin),
            Instr::Perform if thread.queue.is_empty() => {}
            _ => return Ok(Act::Waits),
        }
        path.state.thread(t).pc = target;
        Ok(Act::Goes)
    }

    /// An entry goes to the queue, if there is a place.
    fn queue(&self, path: &mut Path, t: usize, entry: Entry) -> Act {
        if !self.has_place(&path.state.threads[t]) {
            return Act::Waits;
        }
        let thread = path.state.thread(t);
        thread.queue.push(entry);
        thread.pc += 1;
        Act::Goes
    }

    fn compute(&self, path: &mut Path, t: usize, to: Target, term: &Term, is_copy: bool, in_region: bool) -> Acts {
        let thread = &path.state.threads[t];
        let content = match self.eval(term, thread)? {
            Some(value) => Term::Const(within(value, to.1)?),
            None if in_region => return Ok(Act::Waits),
            None if is_copy => term.close(&thread.registers),
            None => {
                let (place, closed) = (thread.queue.len(), term.close(&thread.registers));
                if let Act::Goes = self.queue(path, t, Entry::Compute(closed, to.1)) {
                    path.state.thread(t).registers[to.0] = Term::ToCome(place);
                    return Ok(Act::Goes);
                }
                return Ok(Act::Waits);
            }
        };
        let thread = path.state.thread(t);
        thread.registers[to.0] = content;
        thread.pc += 1;
        Ok(Act::Goes)
    }

    pub(crate) fn issue(&self, path: &mut Path, t: usize, number: usize) -> Act {
        let (thread, access) = (&path.state.threads[t], &self.code[t].accesses[number]);
        if !self.may_issue(thread, access) {
            return Act::Waits;
        }
        let cell = Cell::ToCome(close(&access.place, &thread.registers));
        let operands = close(&access.operands, &thread.registers);
        let queued = Queued { access: number, cell, operands, reserves: false, assumed: Vec::new() };
        let thread = path.state.thread(t);
        if let Some((to, _)) = access.to {
            thread.registers[to] = Term::ToCome(thread.queue.len());
        }
        self.queue(path, t, Entry::Access(queued))
    }

    /// A branch whose condition is to come is taken both ways (rule 5.1).
    fn guess(&self, path: &mut Path, t: usize, condition: &Term, otherwise: usize) -> Act {
        let thread = &path.state.threads[t];
        if thread.guesses().count() >= self.model.speculate || !self.has_place(thread) {
            return Act::Waits;
        }
        // Properties see the registers of then: those that they name are enough.
        let named = &self.code[t].points[self.code[t].points.len() - 1].kept;
        let guess = |value: bool| {
            ahead(path, t, |thread| {
                let condition = condition.close(&thread.registers);
                let mut registers = thread.registers.clone();
                forget(&mut registers, named);
                let guess = Guess { condition, value, pc: thread.pc, registers };
                thread.queue.push(Entry::Guess(Box::new(guess)));
                thread.pc = if value { thread.pc + 1 } else { otherwise };
            })
        };
        Act::Ways(vec![guess(true), guess(false)])
    }

    /// An `assert` or `cover`: at once, or from the queue.
    fn check(&self, path: &mut Path, t: usize, check: Check, condition: &Term, in_region: bool) -> Acts {
        let thread = &path.state.threads[t];
        let value = if thread.is_certain() { self.eval(condition, thread)? } else { None };
        let Some(value) = value else {
            let entry = Entry::Check(check, condition.close(&thread.registers));
            return Ok(if in_region { Act::Waits } else { self.queue(path, t, entry) });
        };
        path.pass(t, check, value);
        path.state.thread(t).pc += 1;
        Ok(Act::Goes)
    }

    /// A `then` that control has come to (rule 3.9).
    fn then(&self, path: &mut Path, t: usize, region: &Region) -> Act {
        let thread = &path.state.threads[t];
        let is_awaited = thread.accesses().any(|queued| self.access(thread, queued).then);
        if is_awaited || thread.guesses_before(usize::MAX) || !are_known(thread, &region.reads) {
            return Act::Waits;
        }
        path.state.thread(t).then_due = false;
        Act::Ways(self.execute(path.clone(), t, region))
    }

    fn begin(&self, path: &mut Path, t: usize, begin: &Begin) {
        let thread = path.state.thread(t);
        let mut registers = thread.registers.clone();
        forget(&mut registers, &self.code[t].points[begin.handler].kept);
        thread.transaction = Some(Transaction { begin: thread.pc, registers, reads: Vec::new(), writes: Vec::new() });
    }

    /// An access of a region to shared state itself, past every queue.
    fn direct(&self, path: &mut Path, t: usize, access: &Access) -> Acts {
        let thread = &path.state.threads[t];
        let cell = self.locate(access, &access.place, thread)?;
        let (Some(cell), Some(operands)) = (cell, self.eval_all(&access.operands, thread)?) else {
            return Ok(Act::Waits);
        };
        let cell = cell as usize;
        let (result, writes) = access.outcome(&operands, path.state.memory[cell], true)?;
        if access.is_memory && !access.is_store() {
            self.read_by(path, t, cell);
        }
        match writes {
            Some(value) if access.is_memory => self.write_by(path, t, cell, value),
            Some(value) => path.state.memory[cell] = value,
            None => {}
        }
        let thread = path.state.thread(t);
        if let Some((to, range)) = access.to {
            thread.registers[to] = Term::Const(within(result, range)?);
        }
        thread.pc += 1;
        Ok(Act::Goes)
    }
}

/// The path with a thread changed.
fn ahead(path: &Path, t: usize, change: impl FnOnce(&mut Thread)) -> Path {
    let mut path = path.clone();
    change(path.state.thread(t));
    path
}

/// Whether all these registers have values.
pub(crate) fn are_known(thread: &Thread, registers: &BTreeSet<usize>) -> bool {
    registers.iter().all(|register| thread.registers[*register].is_known())
}

/// What is in registers that nobody reads any more is no part of a state.
pub(crate) fn forget(registers: &mut [Term], kept: &BTreeSet<usize>) {
    for (_, content) in registers.iter_mut().enumerate().filter(|(register, _)| !kept.contains(register)) {
        *content = Term::Const(0);
    }
}
