//! Rules 1 and 3 of the memory machine: a thread issues in program order, and what needs no turn
//! of its own retires.
//!
//! `settle` does both until the thread stalls. It touches no shared state, so it commutes with all
//! other threads: that is why a step may end with it (the eager closure). Choices and guesses make it
//! branch; each branch is an outcome.

use crate::code::Code;
use crate::evaluate;
use crate::local::{Demand, Entry, Local, Mode, Operand};
use crate::options::Options;
use automata::{Access, Action, Automata, CellId, Expr, Op, PointId, PropertyId, RegId, Region, Value};
use base::table::Id;
use memory::{Fence, MemoryModel, Operation, Order};
use rustc_hash::FxHashSet;

/// One thread's program under one memory model: what all rules of the machine are methods of.
pub(crate) struct Rules<'a> {
    pub(crate) code: &'a Code,
    pub(crate) automata: &'a Automata,
    pub(crate) memory: &'a MemoryModel,
    pub(crate) options: &'a Options,
}

/// Something that happened within a step, for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The operation at this point was issued and waits to be performed.
    Issue(PointId),
    /// An operation was performed.
    Perform {
        /// Where it was issued.
        point: PointId,
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written.
        wrote: Option<Value>,
        /// Whether the value read came from the own queue.
        source: crate::perform::Source,
    },
    /// Control went through this point: a branch, a choice, a region's border, a safepoint.
    Pass(PointId),
    /// A branch was guessed.
    Guess(PointId, bool),
    /// The assertion or access at this point violated the property.
    Fail(PointId, PropertyId),
}

/// One way in which settling ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) local: Local,
    /// Cover properties reached on the way, a bit each.
    pub(crate) covers: u64,
    pub(crate) events: Vec<Event>,
    /// Whether the full queue made the thread wait.
    pub(crate) bound_hit: bool,
}

/// All ways in which settling ended.
#[derive(Default, Debug)]
pub(crate) struct Settled {
    pub(crate) outcomes: Vec<Outcome>,
    /// Whether a path was discarded: a wrong guess, or an assumption that is false.
    pub(crate) discarded: bool,
}

/// How far one path of settling has come.
pub(crate) enum Progress {
    /// Something was issued or retired.
    Moved,
    /// The thread waits.
    Stalled,
    /// The path goes on in several ways.
    Forked(Vec<Outcome>),
    /// The path does not exist: a wrong guess, a false assumption.
    Discarded,
    /// A region's guard is false: the step is not enabled.
    Disabled,
}

impl<'a> Rules<'a> {
    /// Issues and retires until the thread stalls (or once only, without the eager closure).
    pub(crate) fn settle(&self, local: Local, events: Vec<Event>) -> Settled {
        let mut settled = Settled::default();
        let mut paths = vec![Outcome { local, covers: 0, events, bound_hit: false }];
        let mut turned = FxHashSet::default();
        let mut spinning = Vec::new();
        while let Some(mut path) = paths.pop() {
            loop {
                let before = path.local.point;
                match self.advance(&mut path) {
                    Progress::Moved if path.local.point > before => {}
                    // Every cycle goes back at some point: only there is it worth remembering.
                    Progress::Moved => {
                        if path.local.point != before && !turned.insert(path.local.clone()) {
                            spinning.push(path);
                            break;
                        }
                    }
                    Progress::Stalled => {
                        self.reset_dead_registers(&mut path.local);
                        settled.outcomes.push(path);
                        break;
                    }
                    Progress::Forked(forks) => {
                        // The last pushed is taken first: keep the order of the program.
                        let new = |fork: &Outcome| fork.local.point > before || turned.insert(fork.local.clone());
                        let (fresh, stale): (Vec<_>, Vec<_>) = forks.into_iter().partition(new);
                        spinning.extend(stale.into_iter().rev());
                        paths.extend(fresh.into_iter().rev());
                        break;
                    }
                    Progress::Discarded => {
                        settled.discarded = true;
                        break;
                    }
                    Progress::Disabled => break,
                }
            }
        }
        if self.code.tells_spinning {
            spinning.retain(|path| path.local.mode == Mode::Running && self.goes_round(&path.local));
        } else if !settled.outcomes.is_empty() {
            return settled;
        } else if let Some(last) = spinning.pop() {
            spinning = vec![last];
        }
        let n_settled = settled.outcomes.len();
        for mut path in spinning {
            path.local.mode = Mode::Spinning;
            self.reset_dead_registers(&mut path.local);
            if settled.outcomes[n_settled..].iter().all(|other| other.local != path.local) {
                settled.outcomes.push(path);
            }
        }
        settled
    }

    /// Whether a thread that goes on from `local` can come back there without touching shared state.
    fn goes_round(&self, local: &Local) -> bool {
        let start = Outcome { local: local.clone(), covers: 0, events: Vec::new(), bound_hit: false };
        let mut paths = vec![start];
        let mut seen = FxHashSet::default();
        while let Some(mut path) = paths.pop() {
            loop {
                let before = path.local.point;
                match self.advance(&mut path) {
                    Progress::Moved if path.local == *local => return true,
                    Progress::Moved if path.local.point >= before => {}
                    Progress::Moved if seen.insert(path.local.clone()) => {}
                    Progress::Forked(forks) => {
                        if forks.iter().any(|fork| fork.local == *local) {
                            return true;
                        }
                        paths.extend(forks.into_iter().filter(|fork| seen.insert(fork.local.clone())));
                        break;
                    }
                    _ => break,
                }
            }
        }
        false
    }

    /// Retires what can be retired; if nothing, issues what is next.
    pub(crate) fn advance(&self, path: &mut Outcome) -> Progress {
        match path.local.mode {
            Mode::Failed(_) => return Progress::Stalled,
            Mode::Spinning => path.local.mode = Mode::Running,
            _ => {}
        }
        for index in 0..path.local.queue.len() {
            if let Some(progress) = self.retire(path, index) {
                return progress;
            }
        }
        match path.local.mode {
            Mode::Running => self.issue(path),
            Mode::Region => self.issue_in_region(path),
            _ => Progress::Stalled,
        }
    }

    /// Rule 3: retires the entry at `index` if its time has come.
    fn retire(&self, path: &mut Outcome, index: usize) -> Option<Progress> {
        let local = &path.local;
        let entry = &local.queue[index];
        let older = &local.queue[..index];
        match self.code.action(entry.point) {
            Action::Compute { dst, value } => {
                let (dst, value) = (*dst, self.eval(entry, value)?);
                if !self.code.automaton.registers[dst].domain.contains(value) {
                    if local.is_uncertain_at(index) {
                        return None;
                    }
                    return Some(self.fail(path, entry.point, Automata::IN_RANGE));
                }
                path.local.remove(index, value);
            }
            Action::Assert { condition, property } => {
                let (holds, point) = (self.eval(entry, condition)? != 0, entry.point);
                if local.is_uncertain_at(index) {
                    return None;
                }
                if !holds {
                    return Some(self.fail(path, point, *property));
                }
                path.local.remove(index, 0);
            }
            Action::Cover { condition, cover } => {
                let reached = self.eval(entry, condition)? != 0;
                if local.is_uncertain_at(index) {
                    return None;
                }
                path.covers |= u64::from(reached) << cover.index().min(63);
                path.local.remove(index, 0);
            }
            Action::Branch { condition, .. } => {
                let is_right = Some(self.eval(entry, condition)? != 0) == entry.guess;
                if !is_right {
                    return Some(Progress::Discarded);
                }
                path.local.remove(index, 0);
            }
            Action::Fence(fence) => {
                let waits_for = |e: &Entry| self.operation(e.point).is_some_and(|op| fence_waits(*fence, op));
                if older.iter().any(waits_for) {
                    return None;
                }
                path.local.remove(index, 0);
            }
            Action::Access(_) => return self.check_address(path, index),
            _ => unreachable!("only these actions are queued"),
        }
        Some(Progress::Moved)
    }

    /// Judges a queued access whose cell has become known: a cell that does not exist violates
    /// `valid_reference`; one that a younger operation has already accessed discards the path.
    fn check_address(&self, path: &mut Outcome, index: usize) -> Option<Progress> {
        let entry = &path.local.queue[index];
        match self.cell(entry) {
            evaluate::Resolved::Unknown => None,
            evaluate::Resolved::Invalid => {
                let speculative = path.local.is_uncertain_at(index);
                if speculative { None } else { Some(self.fail(path, entry.point, Automata::VALID_REFERENCE)) }
            }
            evaluate::Resolved::Cell(_) if entry.overtaken.is_empty() => None,
            evaluate::Resolved::Cell(cell) if entry.overtaken.contains(&cell) => Some(Progress::Discarded),
            evaluate::Resolved::Cell(_) => {
                path.local.queue[index].overtaken.clear();
                Some(Progress::Moved)
            }
        }
    }

    fn fail(&self, path: &mut Outcome, point: PointId, property: PropertyId) -> Progress {
        path.events.push(Event::Fail(point, property));
        path.local = path.local.failed(property);
        Progress::Stalled
    }

    /// Rule 1: issues the action at the thread's point.
    fn issue(&self, path: &mut Outcome) -> Progress {
        let point = path.local.point;
        if self.options.reductions.walls && path.local.queue.iter().any(|entry| self.is_wall(entry)) {
            return Progress::Stalled;
        }
        match self.code.action(point) {
            Action::Access(_) => self.enqueue(path, None),
            Action::Fence(fence) => {
                if self.is_redundant(&path.local, *fence) {
                    self.pass(path, point)
                } else {
                    self.enqueue(path, None)
                }
            }
            Action::Compute { dst, value: Expr::Leaf(source) } => {
                let operand = path.local.register(*source);
                self.define(path, *dst, operand)
            }
            Action::Compute { dst, value } => match self.value(&path.local, value) {
                Some(value) => self.define(path, *dst, Operand::Value(value)),
                None => self.enqueue(path, None),
            },
            Action::Branch { condition, then, otherwise } => match self.value(&path.local, condition) {
                Some(value) => {
                    path.events.push(Event::Pass(point));
                    path.local.point = if value != 0 { *then } else { *otherwise };
                    Progress::Moved
                }
                None => self.guess(path, [(true, *then), (false, *otherwise)]),
            },
            Action::Choose(options) => self.fork(path, options),
            Action::Assert { condition, property } => match self.value(&path.local, condition) {
                Some(value) if !path.local.is_speculative() => {
                    if value == 0 {
                        self.fail(path, point, *property)
                    } else {
                        self.pass(path, point)
                    }
                }
                _ => self.enqueue(path, None),
            },
            Action::Cover { condition, cover } => match self.value(&path.local, condition) {
                Some(value) if !path.local.is_speculative() => {
                    path.covers |= u64::from(value != 0) << cover.index().min(63);
                    self.pass(path, point)
                }
                _ => self.enqueue(path, None),
            },
            Action::Assume(condition) => match self.value(&path.local, condition) {
                Some(0) => Progress::Discarded,
                Some(_) => self.pass(path, point),
                None => Progress::Stalled,
            },
            Action::Halt => {
                path.local.mode = Mode::Halted;
                Progress::Stalled
            }
            Action::Safepoint | Action::Enter(_) => Progress::Stalled,
            Action::Leave => unreachable!("validated: a region is left inside it"),
        }
    }

    /// Inside a region all is done at once; only accesses need the shared state, and stall.
    fn issue_in_region(&self, path: &mut Outcome) -> Progress {
        let point = path.local.point;
        let value = |expr: &Expr| self.value(&path.local, expr).unwrap_or(0);
        match self.code.action(point) {
            Action::Access(_) => Progress::Stalled,
            Action::Assume(condition) if value(condition) == 0 => Progress::Disabled,
            Action::Assert { condition, property } if value(condition) == 0 => self.fail(path, point, *property),
            Action::Cover { condition, cover } => {
                path.covers |= u64::from(value(condition) != 0) << cover.index().min(63);
                self.pass(path, point)
            }
            Action::Compute { dst, value: expr } => {
                let value = value(expr);
                self.define(path, *dst, Operand::Value(value))
            }
            Action::Branch { condition, then, otherwise } => {
                path.local.point = if value(condition) != 0 { *then } else { *otherwise };
                Progress::Moved
            }
            Action::Choose(options) => self.fork(path, options),
            Action::Halt => {
                path.local.mode = Mode::Halted;
                Progress::Stalled
            }
            Action::Leave => {
                path.local.mode = Mode::Running;
                self.pass(path, point)
            }
            _ => self.pass(path, point),
        }
    }

    /// Goes on at the next point.
    pub(crate) fn pass(&self, path: &mut Outcome, point: PointId) -> Progress {
        path.events.push(Event::Pass(point));
        path.local.point = self.code.automaton.points[point].next;
        Progress::Moved
    }

    /// Sets a register and goes on, unless the value is outside the register's domain.
    fn define(&self, path: &mut Outcome, dst: RegId, operand: Operand) -> Progress {
        let point = path.local.point;
        let domain = self.code.automaton.registers[dst].domain;
        if operand.value().is_some_and(|value| !domain.contains(value)) {
            if path.local.is_speculative() {
                return Progress::Stalled;
            }
            return self.fail(path, point, Automata::IN_RANGE);
        }
        path.local.registers[dst.index()] = operand;
        path.local.point = self.code.automaton.points[point].next;
        Progress::Moved
    }

    /// Appends the action at the thread's point to its queue; a full queue makes it wait.
    fn enqueue(&self, path: &mut Outcome, guess: Option<bool>) -> Progress {
        let local = &mut path.local;
        if local.queue.len() >= self.options.queue_bound {
            path.bound_hit = true;
            return Progress::Stalled;
        }
        let point = local.point;
        let operands = self.code.uses[point].iter().map(|r| local.register(*r)).collect();
        local.queue.push(Entry { point, operands, guess, overtaken: Vec::new(), demand: Demand::Nothing });
        if let Some(dst) = self.code.action(point).defines() {
            local.registers[dst.index()] = Operand::Entry(local.queue.len() as u8 - 1);
        }
        local.point = self.code.automaton.points[point].next;
        path.events.push(Event::Issue(point));
        Progress::Moved
    }

    /// A branch whose condition has no value yet: guessed both ways, if the memory model speculates.
    fn guess(&self, path: &mut Outcome, ways: [(bool, PointId); 2]) -> Progress {
        let n_guesses = path.local.queue.iter().filter(|entry| entry.guess.is_some()).count();
        if n_guesses >= self.memory.speculate {
            return Progress::Stalled;
        }
        let mut forks = Vec::with_capacity(2);
        for (guess, target) in ways {
            let mut fork = path.clone();
            if matches!(self.enqueue(&mut fork, Some(guess)), Progress::Stalled) {
                path.bound_hit = true;
                return Progress::Stalled;
            }
            fork.events.pop();
            fork.events.push(Event::Guess(path.local.point, guess));
            fork.local.point = target;
            forks.push(fork);
        }
        Progress::Forked(forks)
    }

    fn fork(&self, path: &mut Outcome, options: &[PointId]) -> Progress {
        path.events.push(Event::Pass(path.local.point));
        let fork = |target: &PointId| {
            let mut fork = path.clone();
            fork.local.point = *target;
            fork
        };
        Progress::Forked(options.iter().map(fork).collect())
    }

    /// Whether nothing younger than `entry` may be performed before it.
    fn is_wall(&self, entry: &Entry) -> bool {
        match self.code.action(entry.point) {
            Action::Fence(fence) => *fence == Fence::Full,
            _ => self.operation(entry.point).is_some_and(|op| self.memory.is_never_overtaken(op)),
        }
    }

    /// Whether a fence issued now would order nothing that is not ordered anyway. Such a fence takes
    /// no place in the queue: that is part of what K means, not a reduction.
    fn is_redundant(&self, local: &Local, fence: Fence) -> bool {
        let mut older = local.queue.iter().filter_map(|entry| self.operation(entry.point));
        let load = Operation { reads: true, writes: false, linked: false, order: Order::Relaxed };
        let store = Operation { reads: false, writes: true, linked: false, order: Order::Relaxed };
        older.all(|op| {
            [load, store]
                .into_iter()
                .all(|younger| !fence.orders(op, younger) || !self.memory.may_overtake(op, younger))
        })
    }

    /// Registers that no longer matter are reset, so that states differing only there are one.
    fn reset_dead_registers(&self, local: &mut Local) {
        if !self.options.reductions.dead_registers || matches!(local.mode, Mode::Failed(_)) {
            return;
        }
        let live = &self.code.live[local.point];
        for (register, live) in local.registers.iter_mut().zip(live) {
            if !live {
                *register = Operand::Value(0);
            }
        }
    }

    /// What the ordering rules see of the action at `point`; none if it is no memory operation.
    pub(crate) fn operation(&self, point: PointId) -> Option<Operation> {
        match self.code.action(point) {
            Action::Access(access) => Some(operation(access)),
            _ => None,
        }
    }

    /// Whether the atomic region at the thread's point has all the values it needs.
    pub(crate) fn region_is_ready(&self, local: &Local, region: Region) -> bool {
        match region {
            Region::Atomic => self.code.region_uses[local.point].iter().all(|r| local.register(*r).value().is_some()),
            Region::StopTheWorld => local.queue.is_empty(),
        }
    }
}

/// What the ordering rules see of an access.
pub(crate) fn operation(access: &Access) -> Operation {
    Operation {
        reads: access.op.is_read(),
        writes: access.op.is_write(),
        linked: matches!(access.op, Op::LoadLinked | Op::StoreConditional(_)),
        order: access.order,
    }
}

/// Whether the fence stays in the queue while this older operation is pending.
fn fence_waits(fence: Fence, older: Operation) -> bool {
    match fence {
        Fence::Full | Fence::Release => true,
        Fence::Acquire => older.reads,
        Fence::StoreStore => older.writes,
    }
}
