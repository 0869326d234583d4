//! Regions: all of their instructions in one step, on shared state itself (rules 2.4, 3.2, 3.5 to 3.10).

use crate::code::{Access, AccessKind, Instr, Region, RegionKind, Touches};
use crate::local::{Local, chosen, elements, passes};
use crate::state::{Entry, State, Thread};
use crate::term::Content;
use crate::values::Fault;
use crate::world::{End, Path, World, within};

/// Instructions in one region that are looked at.
const MAX_INSTRUCTIONS: usize = 100_000;

/// What an instruction of a region does.
enum Act {
    Goes,
    /// This way cannot be taken now.
    Waits,
    Ways(Vec<Path>),
}

impl World<'_> {
    /// Whether a region may be entered now.
    pub(crate) fn may_enter(&self, state: &State, t: usize, region: &Region) -> bool {
        let thread = &state.threads[t];
        match region.kind {
            RegionKind::StopTheWorld => {
                let is_stopped = |(i, other): (usize, &std::rc::Rc<Thread>)| {
                    let at = &self.code[i].instrs[other.pc];
                    let is_there = matches!(at, Instr::Safepoint | Instr::End) && other.resumes.is_none();
                    i == t || is_there && other.queue.is_empty()
                };
                thread.queue.is_empty() && state.threads.iter().enumerate().all(is_stopped)
            }
            RegionKind::Issued => match &self.code[t].instrs[thread.pc + 1] {
                Instr::Access(store) => {
                    self.may_enter_unordered(thread, &region.reads) && self.may_issue(thread, store)
                }
                _ => false,
            },
            RegionKind::Step | RegionKind::Then if region.is_ordered => is_drained(thread),
            RegionKind::Step | RegionKind::Then => self.may_enter_unordered(thread, &region.reads),
        }
    }

    /// Rule 3.6.
    pub(crate) fn may_enter_unordered(&self, thread: &Thread, reads: &[usize]) -> bool {
        let is_known = |register: &usize| matches!(thread.registers[*register], Content::Known(_));
        reads.iter().all(is_known) && thread.n_guesses() == 0 && !self.has_wall(thread)
    }

    /// A `then` that control has come to (rule 3.9).
    pub(crate) fn then(&self, path: &mut Path, t: usize, region: &Region) -> Local {
        let thread = &path.state.threads[t];
        if thread.accesses().any(|queued| queued.then) {
            return Local::Rests;
        }
        let is_known = |register: &usize| matches!(thread.registers[*register], Content::Known(_));
        if thread.n_guesses() > 0 || !region.reads.iter().all(is_known) {
            return Local::Rests;
        }
        path.state.thread(t).then_due = false;
        Local::Ways(self.execute(path.clone(), t, region))
    }

    /// Every way through the region at which the thread is.
    pub(crate) fn execute(&self, mut start: Path, t: usize, region: &Region) -> Vec<Path> {
        let first = start.state.threads[t].pc;
        start.state.thread(t).pc += 1;
        if region.kind == RegionKind::Issued
            && let Instr::Access(store) = &self.code[t].instrs[first + 1]
        {
            self.issue(&mut start, t, store);
        }
        let (mut done, mut work) = (Vec::new(), vec![start]);
        let mut seen = rustc_hash::FxHashSet::default();
        let mut n_instructions = 0;
        while let Some(mut path) = work.pop() {
            loop {
                n_instructions += 1;
                if n_instructions > MAX_INSTRUCTIONS {
                    self.hit.locals.set(true);
                    return done;
                }
                let before = path.state.threads[t].pc;
                if before == region.end {
                    path.state.thread(t).pc += 1;
                }
                let is_over = path.end != End::State || path.state.threads[t].failed.is_some();
                if before >= region.end || before <= first || is_over || self.has_ended(t, before) {
                    done.push(path);
                    break;
                }
                match self.act(&mut path, t) {
                    Act::Goes => {}
                    Act::Waits => break,
                    Act::Ways(ways) => {
                        work.extend(ways.into_iter().rev());
                        break;
                    }
                }
                let is_back = path.state.threads[t].pc <= before;
                if is_back && !seen.insert((path.state.clone(), path.covers.clone(), path.asserts.clone())) {
                    break;
                }
            }
        }
        done
    }

    /// One instruction of a region.
    fn act(&self, path: &mut Path, t: usize) -> Act {
        let thread = &path.state.threads[t];
        let next = thread.pc + 1;
        match &self.code[t].instrs[thread.pc] {
            Instr::Clear(from, to) => {
                path.state.thread(t).registers[*from..*to].fill(Content::Known(0));
                go(path, t, next)
            }
            Instr::Goto(target) => go(path, t, *target),
            Instr::Set { to, term, limits, .. } => {
                match self.eval(term, thread).and_then(|v| v.map(|v| within(v, *limits)).transpose()) {
                    Ok(Some(value)) => {
                        path.state.thread(t).registers[*to] = Content::Known(value);
                        go(path, t, next)
                    }
                    Ok(None) => Act::Waits,
                    Err(fault) => violate(path, t, fault),
                }
            }
            Instr::Access(access) => match self.direct(path, t, access) {
                Ok(true) => go(path, t, next),
                Ok(false) => Act::Waits,
                Err(fault) => violate(path, t, fault),
            },
            Instr::Branch(condition, otherwise) => match self.eval(condition, thread) {
                Ok(Some(value)) => go(path, t, if value != 0 { next } else { *otherwise }),
                Ok(None) => Act::Waits,
                Err(fault) => violate(path, t, fault),
            },
            Instr::Choose(targets) => {
                let way = |target: &usize| {
                    let mut way = path.clone();
                    way.state.thread(t).pc = *target;
                    way
                };
                Act::Ways(targets.iter().map(way).collect())
            }
            Instr::ChooseValue(to, limits) => Act::Ways(chosen(path, t, *to, limits.low..=limits.high)),
            Instr::ChooseIn(to, set, element) => match self.eval(set, thread) {
                Ok(Some(set)) => Act::Ways(chosen(path, t, *to, elements(set, *element))),
                Ok(None) => Act::Waits,
                Err(fault) => violate(path, t, fault),
            },
            Instr::Assert(property, condition) => {
                let entry = Entry::Assert(*property, condition.clone());
                self.passed(path, t, condition, &entry)
            }
            Instr::Cover(cover, condition) => {
                let entry = Entry::Cover(*cover, condition.clone());
                self.passed(path, t, condition, &entry)
            }
            Instr::Assume(condition) => match self.eval(condition, thread) {
                Ok(None | Some(0)) => Act::Waits,
                Ok(Some(_)) => go(path, t, next),
                Err(fault) => violate(path, t, fault),
            },
            Instr::Discard(condition) => match self.eval(condition, thread) {
                Ok(None) => Act::Waits,
                Ok(Some(0)) if thread.assumes() => Act::Waits,
                Ok(Some(0)) => {
                    path.end = End::Cut;
                    Act::Goes
                }
                Ok(Some(_)) => go(path, t, next),
                Err(fault) => violate(path, t, fault),
            },
            _ => go(path, t, next),
        }
    }

    fn passed(&self, path: &mut Path, t: usize, condition: &crate::term::Term, entry: &Entry) -> Act {
        let thread = &path.state.threads[t];
        if thread.assumes() {
            return Act::Waits;
        }
        let next = thread.pc + 1;
        match self.eval(condition, thread) {
            Ok(Some(value)) => {
                passes(path, t, entry, value);
                go(path, t, next)
            }
            Ok(None) => Act::Waits,
            Err(fault) => violate(path, t, fault),
        }
    }

    /// An access to shared state itself, past every queue. False if an operand has no value yet.
    fn direct(&self, path: &mut Path, t: usize, access: &Access) -> Result<bool, Fault> {
        let thread = &path.state.threads[t];
        let Some(cell) = self.locate(&access.address, &thread.registers)? else { return Ok(false) };
        let mut operands = Vec::new();
        for operand in &access.operands {
            let Some(value) = self.eval(operand, thread)? else { return Ok(false) };
            operands.push(value);
        }
        let found = path.state.memory[cell];
        let (result, writes) = outcome(access.kind, &operands, found);
        if let Some(value) = writes {
            within(value, access.cell)?;
        }
        if access.touches == Touches::Memory {
            if access.kind != AccessKind::Store {
                self.read_by(path, t, cell);
            }
            if let Some(value) = writes {
                self.write_by(path, t, cell, value);
            }
        } else if let Some(value) = writes {
            path.state.memory[cell] = value;
        }
        if let Some((to, limits)) = access.to {
            path.state.thread(t).registers[to] = Content::Known(within(result, limits)?);
        }
        Ok(true)
    }
}

/// The result of an operation that is done at once, and what it writes.
pub(crate) fn outcome(kind: AccessKind, operands: &[i64], found: i64) -> (i64, Option<i64>) {
    let operand = |i: usize| operands.get(i).copied().unwrap_or_default();
    let succeeds = found == operand(0);
    match kind {
        AccessKind::Load | AccessKind::LoadLinked => (found, None),
        AccessKind::Store => (0, Some(operand(0))),
        AccessKind::StoreConditional => (1, Some(operand(0))),
        AccessKind::Cas => (succeeds.into(), succeeds.then(|| operand(1))),
        AccessKind::CasOld => (found, succeeds.then(|| operand(1))),
        AccessKind::Swap => (found, Some(operand(0))),
        AccessKind::FetchAdd => (found, Some(found.saturating_add(operand(0)))),
        AccessKind::FetchAnd => (found, Some(found & operand(0))),
        AccessKind::FetchOr => (found, Some(found | operand(0))),
    }
}

/// Whether every memory operation of the thread has been performed (rule 3.5).
pub(crate) fn is_drained(thread: &Thread) -> bool {
    thread.accesses().next().is_none()
}

fn go(path: &mut Path, t: usize, target: usize) -> Act {
    path.state.thread(t).pc = target;
    Act::Goes
}

/// What would be violated waits for assumptions (rule 5.5).
fn violate(path: &mut Path, t: usize, fault: Fault) -> Act {
    if path.state.threads[t].assumes() {
        return Act::Waits;
    }
    path.fail(t, fault.into());
    Act::Goes
}
