//! Rule 1 of the memory machine: a thread issues in program order.

use crate::options::Bound;
use crate::rules::local::{Entry, Local, Mode, Operand, Part};
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{Access, Action, Automata, Expr, NO_VALUE, Op, PointId, PropertyId, RegId, Region, Wait, Wide};
use base::table::Id;
use memory::{Fence, Operation};

impl Rules<'_> {
    /// Rule 1: issues the action at the thread's point.
    pub(crate) fn issue(&self, path: &mut SettlePath) -> SettleStep {
        let point = path.local.point;
        match self.code.action(point) {
            Action::Access(access) => self.issue_access(path, access),
            Action::Fence(_) | Action::Perform if self.memory.histories.is_some() => SettleStep::Stalled,
            Action::Fence(fence) => {
                if self.is_redundant(&path.local, self.memory.fence(*fence)) {
                    self.pass(path, point)
                } else {
                    self.enqueue(path, Part::Whole, None)
                }
            }
            Action::Compute { dst, value } => match (self.value(&path.local, value), value) {
                (Some(value), _) => self.define(path, *dst, value),
                (None, Expr::Leaf(source)) if self.is_surely_in(*source, *dst) => {
                    let operand = path.local.register(*source);
                    self.set(path, *dst, operand)
                }
                (None, _) => self.enqueue(path, Part::Whole, None),
            },
            Action::Branch { condition, then, otherwise } => match self.value(&path.local, condition) {
                Some(NO_VALUE) => self.violate(path, point, Automata::IN_RANGE),
                Some(value) => {
                    path.events.push(Event::Pass(point));
                    path.local.point = if value != 0 { *then } else { *otherwise };
                    SettleStep::Moved
                }
                None if self.puts_off() => SettleStep::Stalled,
                None => self.guess(path, [(true, *then), (false, *otherwise)]),
            },
            Action::Choose(options) => self.fork(path, options),
            Action::Assert { condition, .. } | Action::Cover { condition, .. } => {
                match self.value(&path.local, condition).filter(|_| !path.local.is_uncertain()) {
                    Some(value) => self.check(path, value),
                    None => self.enqueue(path, Part::Whole, None),
                }
            }
            Action::Assume(condition) | Action::Discard(condition) => match self.value(&path.local, condition) {
                Some(NO_VALUE) => self.violate(path, point, Automata::IN_RANGE),
                Some(0) if matches!(self.code.action(point), Action::Discard(_)) => SettleStep::Cut,
                Some(0) | None => SettleStep::Stalled,
                Some(_) => self.pass(path, point),
            },
            // An elided critical section that ends without giving the lock back is aborted.
            Action::Halt | Action::Begin(_) if path.local.transaction.is_some() => SettleStep::Stalled,
            Action::Halt => {
                path.local.mode = Mode::Halted;
                SettleStep::Stalled
            }
            Action::Perform if path.local.queue.is_empty() => self.pass(path, point),
            Action::Begin(begin) => self.begin(path, begin),
            Action::Safepoint | Action::Perform | Action::Enter(_) | Action::Commit | Action::Abort(_) => {
                SettleStep::Stalled
            }
            Action::Leave => unreachable!("validated: a region is left inside it"),
        }
    }

    /// An access enters the queue, unless the thread waits with it: in a transaction, or because a block goes with its issue.
    fn issue_access(&self, path: &mut SettlePath, access: &Access) -> SettleStep {
        if path.local.transaction.is_some() {
            return SettleStep::Stalled;
        }
        if self.code.own_region[path.local.point] == Some(Region::Issued) {
            path.bound_hit = self.full(&path.local).filter(|_| !self.has_wall(&path.local));
            return SettleStep::Stalled;
        }
        if self.elides(&path.local, access) {
            return self.begin_elision(path);
        }
        let takes_lock = std::mem::take(&mut path.local.takes_lock);
        let step = match access {
            _ if self.is_split(access) => self.issue_in_two(path, access),
            _ if self.is_settled_early(&path.local, access) => self.issue_conditional(path, access),
            _ => self.enqueue(path, Part::Whole, None),
        };
        path.local.takes_lock = takes_lock && matches!(step, SettleStep::Stalled);
        step
    }

    /// Judges the assertion or cover at the thread's point, whose condition has this value.
    fn check(&self, path: &mut SettlePath, value: Wide) -> SettleStep {
        let point = path.local.point;
        match self.code.action(point) {
            Action::Assert { property, .. } => {
                path.reached.add_judged(property.0);
                match value {
                    NO_VALUE => self.fail(path, point, Automata::IN_RANGE),
                    0 => self.fail(path, point, *property),
                    _ => self.pass(path, point),
                }
            }
            _ if value == NO_VALUE => self.fail(path, point, Automata::IN_RANGE),
            Action::Cover { cover, .. } => {
                if value != 0 {
                    path.reached.add_cover(cover.index());
                }
                self.pass(path, point)
            }
            _ => unreachable!("only assertions and covers are judged"),
        }
    }

    /// Inside a region all is done at once; only accesses need the shared state, and stall.
    pub(crate) fn issue_in_region(&self, path: &mut SettlePath) -> SettleStep {
        let point = path.local.point;
        let value = |expr: &Expr| self.value(&path.local, expr).expect("a region has all values that it reads");
        match self.code.action(point) {
            Action::Access(_) => SettleStep::Stalled,
            Action::Assume(condition) | Action::Discard(condition) => match value(condition) {
                NO_VALUE => self.violate(path, point, Automata::IN_RANGE),
                0 if matches!(self.code.action(point), Action::Discard(_)) => SettleStep::Cut,
                0 => SettleStep::Disabled,
                _ => self.pass(path, point),
            },
            Action::Assert { condition, property } => {
                let value = value(condition);
                path.reached.add_judged(property.0);
                match value {
                    NO_VALUE => self.violate(path, point, Automata::IN_RANGE),
                    0 => self.violate(path, point, *property),
                    _ => self.pass(path, point),
                }
            }
            Action::Cover { condition, cover } => match value(condition) {
                NO_VALUE => self.violate(path, point, Automata::IN_RANGE),
                0 => self.pass(path, point),
                _ if path.local.is_uncertain() => SettleStep::Disabled,
                _ => {
                    path.reached.add_cover(cover.index());
                    self.pass(path, point)
                }
            },
            Action::Compute { dst, value: expr } => {
                let value = value(expr);
                self.define(path, *dst, value)
            }
            Action::Branch { condition, then, otherwise } => match value(condition) {
                NO_VALUE => self.violate(path, point, Automata::IN_RANGE),
                value => {
                    path.local.point = if value != 0 { *then } else { *otherwise };
                    SettleStep::Moved
                }
            },
            Action::Choose(options) => self.fork(path, options),
            Action::Halt => {
                path.local.mode = Mode::Halted;
                SettleStep::Stalled
            }
            Action::Leave => {
                path.local.mode = Mode::Running;
                self.pass(path, point)
            }
            _ => self.pass(path, point),
        }
    }

    /// Goes on at the next point.
    pub(crate) fn pass(&self, path: &mut SettlePath, point: PointId) -> SettleStep {
        path.events.push(Event::Pass(point));
        path.local.point = self.code.automaton.points[point].next;
        SettleStep::Moved
    }

    /// Gives a register a computed value and continues, unless the value is outside the register's domain.
    fn define(&self, path: &mut SettlePath, dst: RegId, value: Wide) -> SettleStep {
        match self.code.automaton.registers[dst].domain.narrow(value) {
            Some(value) => self.set(path, dst, Operand::Value(value)),
            None => self.violate(path, path.local.point, Automata::IN_RANGE),
        }
    }

    /// Sets a register and continues.
    fn set(&self, path: &mut SettlePath, dst: RegId, operand: Operand) -> SettleStep {
        let point = path.local.point;
        path.events.push(Event::Compute(point));
        path.local.registers[dst.index()] = operand;
        path.local.point = self.code.automaton.points[point].next;
        SettleStep::Moved
    }

    /// Whether every value that `source` can hold is one for `dst`: then a promise may be copied.
    fn is_surely_in(&self, source: RegId, dst: RegId) -> bool {
        let domain = |register: RegId| self.code.automaton.registers[register].domain;
        domain(dst).includes(domain(source))
    }

    /// The step violates a property; while the path may be discarded yet, it waits (semantics 5.2, 5.5).
    pub(crate) fn violate(&self, path: &mut SettlePath, point: PointId, property: PropertyId) -> SettleStep {
        match path.local.mode {
            _ if !path.local.is_uncertain() => self.fail(path, point, property),
            Mode::Region => SettleStep::Disabled,
            _ => SettleStep::Stalled,
        }
    }

    /// Appends the action at the thread's point to its queue; a full queue makes it wait.
    pub(crate) fn enqueue(&self, path: &mut SettlePath, part: Part, guess: Option<bool>) -> SettleStep {
        if self.has_wall(&path.local) {
            return SettleStep::Stalled;
        }
        path.bound_hit = self.full(&path.local);
        if path.bound_hit.is_some() {
            return SettleStep::Stalled;
        }
        let local = &mut path.local;
        let point = local.point;
        let operands = self.code.uses[point].iter().map(|r| local.register(*r));
        let observed = guess.map_or(&[][..], |_| &self.code.observed[point]);
        let seen = observed.iter().map(|r| local.register(*r)).collect();
        let entry = Entry { guess, seen, ..Entry::new(point, part, operands) };
        local.queue.push(entry);
        if let Some(dst) = self.code.action(point).defines() {
            local.registers[dst.index()] = Operand::Entry(local.queue.len() as u8 - 1);
        }
        local.point = self.code.automaton.points[point].next;
        path.events.push(Event::Issue(point));
        SettleStep::Moved
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
    pub(crate) fn guess(&self, path: &mut SettlePath, ways: [(bool, PointId); 2]) -> SettleStep {
        let n_guesses = path.local.queue.iter().filter(|entry| entry.guess.is_some()).count();
        if !self.may_guess(&path.local) {
            return SettleStep::Stalled;
        }
        if n_guesses >= self.memory.speculate {
            path.bound_hit = Some(Bound::Guesses);
            return SettleStep::Stalled;
        }
        let mut forks = Vec::with_capacity(2);
        for (guess, target) in ways {
            let mut fork = path.clone();
            if matches!(self.enqueue(&mut fork, Part::Whole, Some(guess)), SettleStep::Stalled) {
                path.bound_hit = fork.bound_hit;
                return SettleStep::Stalled;
            }
            fork.events.pop();
            fork.events.push(Event::Guess(path.local.point, guess));
            fork.local.point = target;
            forks.push(fork);
        }
        SettleStep::Forked(forks)
    }

    /// Whether the memory model speculates, and nothing pending keeps the thread from it.
    pub(crate) fn may_guess(&self, local: &Local) -> bool {
        self.memory.speculate > 0 && !self.has_wall(local)
    }

    fn fork(&self, path: &mut SettlePath, options: &[PointId]) -> SettleStep {
        path.events.push(Event::Pass(path.local.point));
        let fork = |target: &PointId| {
            let mut fork = path.clone();
            fork.local.point = *target;
            fork
        };
        SettleStep::Forked(options.iter().map(fork).collect())
    }

    /// Whether nothing younger than `entry` may be performed before it.
    pub(crate) fn is_wall(&self, entry: &Entry) -> bool {
        match self.code.action(entry.point) {
            Action::Fence(fence) => self.memory.fence(*fence) == Fence::Full,
            _ => self.operation(entry).is_some_and(|op| self.memory.is_never_overtaken(op)),
        }
    }

    /// Whether a fence issued now would order nothing that is not ordered anyway. Such a fence takes
    /// no place in the queue: that is part of what K means, not a reduction.
    fn is_redundant(&self, local: &Local, fence: Fence) -> bool {
        let queued = local.queue.iter().filter_map(|entry| self.operation(entry));
        let mut older = queued.chain(self.writes_to_come(local));
        older.all(|op| {
            [Operation::LOAD, Operation::STORE]
                .into_iter()
                .all(|younger| !fence.orders(op, younger) || !self.memory.may_overtake(op, younger))
        })
    }

    /// Whether an operation or fence is pending that nothing younger may overtake.
    fn has_wall(&self, local: &Local) -> bool {
        local.queue.iter().any(|entry| self.is_wall(entry))
    }

    /// Whether the region that `enter` begins may be entered: others see what it does, and it cannot be undone.
    pub(crate) fn region_is_ready(&self, local: &Local, enter: PointId, region: Region) -> bool {
        let has_values = || self.code.region_uses[enter].iter().all(|r| local.register(*r).value().is_some());
        match region {
            Region::Atomic(Wait::Performed) | Region::Direct(Wait::Performed) | Region::StopTheWorld => {
                local.queue.is_empty()
            }
            Region::Then => !local.is_guessing() && has_values(),
            Region::Issued if self.full(local).is_some() => false,
            Region::Atomic(Wait::Walls) | Region::Direct(Wait::Walls) | Region::Issued => {
                !local.is_guessing() && !self.has_wall(local) && has_values()
            }
        }
    }

    /// The region that the thread may enter in a step of its own, and where it begins; whether it is ready is another question.
    pub(crate) fn next_region(&self, local: &Local) -> Option<(PointId, Region)> {
        let enter = match self.code.own_region[local.point] {
            Some(Region::Issued) => self.code.automaton.points[local.point].next,
            _ => local.point,
        };
        match self.code.action(enter) {
            Action::Enter(Region::Then) => None,
            Action::Enter(Region::Issued) if enter == local.point => None,
            Action::Enter(region) => Some((enter, *region)),
            _ => None,
        }
    }

    /// Enters a region, and issues the store that it goes with.
    pub(crate) fn enter_region(&self, path: &mut SettlePath) {
        if self.code.own_region[path.local.point] == Some(Region::Issued) {
            self.enqueue(path, Part::Whole, None);
        }
        let point = path.local.point;
        path.local.trail.clear();
        path.local.rely_on(path.local.queue.len());
        self.pass(path, point);
        path.local.mode = Mode::Region;
    }
}
