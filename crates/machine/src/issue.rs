//! Rule 1 of the memory machine: a thread issues in program order.

use crate::local::{Demand, Entry, Local, Mode, Operand};
use crate::options::Bound;
use crate::rules::{Event, Outcome, Progress, Rules};
use automata::{Access, Action, Automata, Expr, Op, PointId, RegId, Region};
use base::table::Id;
use memory::{Fence, Operation};

impl Rules<'_> {
    /// Rule 1: issues the action at the thread's point.
    pub(crate) fn issue(&self, path: &mut Outcome) -> Progress {
        let point = path.local.point;
        match self.code.action(point) {
            Action::Access(_) if path.local.transaction.is_some() => Progress::Stalled,
            Action::Access(access) if self.waits_with_then(&path.local, access) => Progress::Stalled,
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
                    path.reached.add_assertion(property.0);
                    if value == 0 { self.fail(path, point, *property) } else { self.pass(path, point) }
                }
                _ => self.enqueue(path, None),
            },
            Action::Cover { condition, cover } => match self.value(&path.local, condition) {
                Some(value) if !path.local.is_speculative() => {
                    if value != 0 {
                        path.reached.add_cover(cover.index());
                    }
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
            Action::Perform if path.local.queue.is_empty() => self.pass(path, point),
            Action::Begin(begin) => self.begin(path, begin),
            Action::Safepoint | Action::Perform | Action::Enter(_) | Action::Commit | Action::Abort(_) => {
                Progress::Stalled
            }
            Action::Leave => unreachable!("validated: a region is left inside it"),
        }
    }

    /// Inside a region all is done at once; only accesses need the shared state, and stall.
    pub(crate) fn issue_in_region(&self, path: &mut Outcome) -> Progress {
        let point = path.local.point;
        let value = |expr: &Expr| self.value(&path.local, expr).unwrap_or(0);
        match self.code.action(point) {
            Action::Access(_) => Progress::Stalled,
            Action::Assume(condition) if value(condition) == 0 => Progress::Disabled,
            Action::Assert { condition, property } => {
                let holds = value(condition) != 0;
                path.reached.add_assertion(property.0);
                if holds { self.pass(path, point) } else { self.fail(path, point, *property) }
            }
            Action::Cover { condition, cover } => {
                if value(condition) != 0 {
                    path.reached.add_cover(cover.index());
                }
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
        path.events.push(Event::Compute(point));
        path.local.registers[dst.index()] = operand;
        path.local.point = self.code.automaton.points[point].next;
        Progress::Moved
    }

    /// Appends the action at the thread's point to its queue; a full queue makes it wait.
    fn enqueue(&self, path: &mut Outcome, guess: Option<bool>) -> Progress {
        if self.is_behind_wall(&path.local) {
            return Progress::Stalled;
        }
        path.bound_hit = self.full(&path.local);
        if path.bound_hit.is_some() {
            return Progress::Stalled;
        }
        let local = &mut path.local;
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

    /// The bound that keeps the action at the thread's point from being queued, if one does.
    fn full(&self, local: &Local) -> Option<Bound> {
        let is_store =
            |point| matches!(self.code.action(point), Action::Access(access) if matches!(access.op, Op::Store(_)));
        let n_stores = || local.queue.iter().filter(|entry| is_store(entry.point)).count();
        if local.queue.len() >= self.options.queue_bound {
            return Some(Bound::Queue);
        }
        let most = self.options.buffer.filter(|_| is_store(local.point))?;
        (n_stores() >= most).then_some(Bound::Buffer)
    }

    /// A branch whose condition has no value yet: guessed both ways, if the memory model speculates.
    fn guess(&self, path: &mut Outcome, ways: [(bool, PointId); 2]) -> Progress {
        let n_guesses = path.local.queue.iter().filter(|entry| entry.guess.is_some()).count();
        if n_guesses >= self.memory.speculate || self.is_behind_wall(&path.local) {
            return Progress::Stalled;
        }
        let mut forks = Vec::with_capacity(2);
        for (guess, target) in ways {
            let mut fork = path.clone();
            if matches!(self.enqueue(&mut fork, Some(guess)), Progress::Stalled) {
                path.bound_hit = fork.bound_hit;
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

    /// Whether what is issued now could be performed only after something that is pending.
    fn is_behind_wall(&self, local: &Local) -> bool {
        (self.options.reductions.walls || self.code.tells_waiting)
            && local.queue.iter().any(|entry| self.is_wall(entry))
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
        older.all(|op| {
            [Operation::LOAD, Operation::STORE]
                .into_iter()
                .all(|younger| !fence.orders(op, younger) || !self.memory.may_overtake(op, younger))
        })
    }

    /// Whether a store is to be issued in one step with a `then` that a guess keeps back.
    fn waits_with_then(&self, local: &Local, access: &Access) -> bool {
        let next = self.code.automaton.points[local.point].next;
        let is_then = || matches!(self.code.action(next), Action::Enter(Region::Then));
        matches!(access.op, Op::Store(_)) && local.is_guessing() && is_then()
    }

    /// Whether the region at the thread's point has all the values it needs, and no guess is open: others see what it does, and
    /// nobody takes it back.
    pub(crate) fn region_is_ready(&self, local: &Local, region: Region) -> bool {
        match region {
            Region::Atomic | Region::Then | Region::Direct => {
                let uses = &self.code.region_uses[local.point];
                !local.is_guessing() && uses.iter().all(|r| local.register(*r).value().is_some())
            }
            Region::Performed | Region::StopTheWorld => local.queue.is_empty(),
        }
    }
}
