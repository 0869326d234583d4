//! What a thread does by itself: one action, local or within a region; all until it rests; all of a region (rules 2.2 to 2.6,
//! 3.1, 3.2, 3.5 to 3.10, 4.1, 5.1, 5.2, 8.2, 8.6).

use crate::code::{Instr, Region};
use crate::state::{Cell, Entry, Guess, Queued, State, Thread, Transaction};
use crate::values::{Term, Violation, close, within};
use crate::world::{End, Path, World};
use program::typed;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Actions in one step that are looked at.
const MAX_ACTIONS: usize = 100_000;

impl World<'_> {
    /// The ways to do the next action; none if it waits or is no local one. A violation waits for guesses and assumptions.
    pub(crate) fn act(&self, path: &Path, t: usize, in_region: bool) -> Vec<Path> {
        let is_certain = path.state.threads[t].is_certain_at(usize::MAX);
        let failed = |violation| path.with(t, |thread| thread.failed = Some(violation));
        self.ways(path, t, in_region).unwrap_or_else(|violation| vec![failed(violation); usize::from(is_certain)])
    }

    fn ways(&self, path: &Path, t: usize, in_region: bool) -> Result<Vec<Path>, Violation> {
        let (thread, code) = (&path.state.threads[t], &self.code[t]);
        let in_transaction = thread.transaction.is_some();
        let next = || path.with(t, |thread| thread.pc += 1);
        let take = |bus| Path { state: State { bus, ..next().state }, ..path.clone() };
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
                let has = |set: Option<i64>, value: &i32| set.is_some_and(|set| set >> (value - range.low) & 1 == 1);
                let is_element = |value: &i32| elements.is_none_or(|set| has(set, value));
                range.values().filter(is_element).map(|value| set(*register, Term::Const(value.into()))).collect()
            }
            Instr::Check(check, condition) => {
                let value = if thread.is_certain_at(usize::MAX) { self.eval(condition, thread)? } else { None };
                match value {
                    Some(value) => vec![next().passing(t, *check, value)],
                    None if in_region => Vec::new(),
                    None => self.queue(path, t, Entry::Check(*check, condition.close(&thread.registers)), None),
                }
            }
            Instr::Assume(condition) => match self.eval(condition, thread)? {
                None | Some(0) => Vec::new(),
                Some(_) => vec![next()],
            },
            Instr::Discard(condition) => match self.eval(condition, thread)? {
                Some(0) if thread.is_certain_at(usize::MAX) => vec![Path { end: End::Cut, ..next() }],
                None | Some(0) => Vec::new(),
                Some(_) => vec![next()],
            },
            Instr::Lock if in_region && path.state.bus.is_none() => vec![take(Some(t))],
            Instr::Unlock if in_region && path.state.bus == Some(t) => vec![take(None)],
            Instr::Region(region) if region.kind == typed::Region::Then => {
                let is_awaited = thread.accesses().any(|queued| self.access(thread, queued).then);
                let may_enter = !is_awaited && thread.guesses().next().is_none() && are_known(thread, &region.reads);
                let due = path.with(t, |thread| thread.then_due = false);
                if may_enter { self.execute(due, t, region) } else { Vec::new() }
            }
            Instr::Begin(_, handler, _) if thread.queue.is_empty() => vec![path.with(t, |thread| {
                let mut registers = thread.registers.clone();
                registers.retain(|register, _| code.points[*handler].kept.contains(register));
                let (reads, writes) = Default::default();
                thread.transaction = Some(Transaction { begin: thread.pc, registers, reads, writes });
                thread.pc += 1;
            })],
            Instr::Perform if thread.queue.is_empty() => vec![next()],
            _ => Vec::new(),
        })
    }

    /// An entry goes to the queue, if there is a place; a register gets the result.
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
        let queued = Queued { access: number, cell, operands, reserves: false, assumed: Default::default() };
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
                let (condition, mut registers) = (condition.close(&thread.registers), thread.registers.clone());
                registers.retain(|register, _| self.code[t].named.contains(register));
                thread.queue.push(Entry::Guess(Box::new(Guess { condition, value, pc: thread.pc, registers })));
                thread.pc = if value { thread.pc + 1 } else { otherwise };
            })
        };
        vec![guess(true), guess(false)]
    }

    /// Every path from a start on which a thread does what is next until nothing is; one that turns back spins, or circles.
    fn follow(&self, start: Path, t: usize, spins: bool, next: &dyn Fn(&mut Path) -> Option<Vec<Path>>) -> Vec<Path> {
        let (mut done, mut seen, mut n_actions) = (Vec::new(), FxHashSet::default(), 0);
        // Each path with the states of the thread at which it turned back.
        let mut work: Vec<(Path, Vec<Rc<Thread>>)> = vec![(start, Vec::new())];
        while let Some((mut path, trail)) = work.pop() {
            n_actions += 1;
            if n_actions > MAX_ACTIONS {
                self.has_given_up.set(true);
                break;
            }
            let Some(ways) = next(&mut path) else {
                done.push(path);
                continue;
            };
            for mut way in ways.into_iter().rev() {
                let thread = way.state.threads[t].clone();
                if thread.pc > path.state.threads[t].pc || way.is_over(t) {
                    work.push((way, trail.clone()));
                } else if trail.contains(&thread) {
                    let circles = spins && !self.follow(way.clone(), t, false, next).is_empty();
                    (way.state.thread(t).spins, way.state.thread(t).circles) = (true, circles);
                    done.extend(spins.then_some(way));
                } else if seen.insert(way.clone()) {
                    work.push((way, [&trail[..], &[thread]].concat()));
                }
            }
        }
        done
    }

    /// Every local action of a thread until it rests or pauses, in every way. One that pauses first continues.
    fn walk(&self, start: Path, t: usize, sees_passing: bool) -> Vec<Path> {
        self.follow(start, t, true, &|path| {
            let has_paused = std::mem::take(&mut path.state.thread(t).pauses);
            self.retire(path, t);
            let ways = if path.is_over(t) { Vec::new() } else { self.act(path, t, false) };
            let thread = &path.state.threads[t];
            let pauses = !has_paused && !ways.is_empty() && !thread.then_due && self.is_seen(path, t, sees_passing);
            path.state.thread(t).pauses = pauses;
            (!pauses && !ways.is_empty()).then_some(ways)
        })
    }

    /// Whether a thread pauses here, or passes a point that is asked for on the way to a state (rules 8.2, 8.6).
    pub(crate) fn is_seen(&self, path: &Path, t: usize, sees_passing: bool) -> bool {
        let point = &self.code[t].points[path.state.threads[t].pc];
        let comes_on = || self.walk(path.clone(), t, false).iter().any(|path| !path.is_over(t));
        point.rests || sees_passing && point.is_seen && comes_on()
    }

    /// The same, with what is no part of a state left out. A `then` that is due must have been executed.
    pub(crate) fn settle(&self, start: Path, t: usize) -> Vec<Path> {
        let mut paths = self.walk(start.clone(), t, self.sees_passing);
        // One that spins rests too, wherever it is seen on its way round.
        let round = if self.sees_passing { self.walk(start, t, false) } else { Vec::new() };
        paths.extend(round.into_iter().filter(|path| path.state.threads[t].spins));
        paths.retain(|path| path.is_over(t) || !path.state.threads[t].then_due);
        for thread in paths.iter_mut().map(|path| path.state.thread(t)) {
            let kept = &self.code[t].points[thread.pc].kept;
            thread.registers.retain(|register, _| kept.contains(register));
        }
        paths
    }

    /// Whether a region may be entered now.
    pub(crate) fn may_enter(&self, state: &State, thread: &Thread, region: &Region) -> bool {
        match region.kind {
            typed::Region::StopTheWorld => {
                let is_stopped = |other: &Rc<Thread>| {
                    let is_there = matches!(self.instr(other), Instr::Safepoint | Instr::End);
                    other.id == thread.id || is_there && other.aborted.is_none() && other.queue.is_empty()
                };
                thread.queue.is_empty() && state.threads.iter().all(is_stopped)
            }
            _ if region.is_ordered => thread.accesses().next().is_none(),
            _ => are_known(thread, &region.reads) && thread.guesses().next().is_none() && !self.has_wall(thread),
        }
    }

    /// Every way through the region at which the thread is.
    pub(crate) fn execute(&self, start: Path, t: usize, region: &Region) -> Vec<Path> {
        let first = start.state.threads[t].pc;
        let mut starts = vec![start.with(t, |thread| thread.pc += 1)];
        if let (typed::Region::Issued, Instr::Access(store)) = (region.kind, &self.code[t].points[first + 1].instr) {
            starts = self.issue(&starts[0], t, *store);
        }
        let follow = |start| {
            self.follow(start, t, false, &|path| {
                let pc = path.state.threads[t].pc;
                let is_inside = pc > first && pc <= region.end && !self.has_ended(t, pc);
                (is_inside && !path.is_over(t)).then(|| self.act(path, t, true))
            })
        };
        starts.into_iter().flat_map(follow).collect()
    }
}

/// Whether all these registers have values.
fn are_known(thread: &Thread, registers: &BTreeSet<usize>) -> bool {
    let is_known = |content: Option<&Term>| matches!(content, None | Some(Term::Const(_)));
    registers.iter().all(|register| is_known(thread.registers.get(register)))
}
