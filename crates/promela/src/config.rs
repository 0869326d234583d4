//! Where a thread can be, with what is known before anything runs: its point, the operation it has issued that
//! nothing overtakes, and the registers that wait for that one's result.
//!
//! Under `sc` every access is such an operation. Under `tso` loads, read-modify-writes and full fences are; stores go
//! to the buffer. So a thread never has more than one, and the values in its buffer are always known.

use crate::{Memory, region};
use automata::{Action, Automaton, Expr, Op, PointId, RegId};
use memory::Fence;
use std::collections::{BTreeMap, BTreeSet};

/// How a thread stands at its point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mode {
    /// It continues if it can.
    Going,
    /// It loops forever.
    Spinning,
    /// It is seen at a label that it only passes.
    Paused,
}

/// Where a thread can be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Config {
    pub(crate) point: PointId,
    /// The operation or fence that was issued last and that nothing overtakes.
    pub(crate) pending: Option<PointId>,
    /// The registers whose value is its result.
    pub(crate) coming: BTreeSet<RegId>,
    pub(crate) mode: Mode,
}

impl Config {
    /// At a point, with nothing that others wait for.
    pub(crate) fn at(point: PointId) -> Config {
        Config { point, pending: None, coming: BTreeSet::new(), mode: Mode::Going }
    }

    /// The same at another point.
    pub(crate) fn moved(&self, point: PointId) -> Config {
        Config { point, mode: Mode::Going, ..self.clone() }
    }

    pub(crate) fn in_mode(&self, mode: Mode) -> Config {
        Config { mode, ..self.clone() }
    }
}

/// All configurations of one thread.
pub(crate) struct Plan {
    numbers: BTreeMap<Config, usize>,
    pub(crate) configs: Vec<Config>,
    /// Steps from one configuration to another that close a circle of points which change nothing.
    closing: BTreeSet<(Config, Config)>,
    /// Where such circles close that a choice leads out of.
    left_by_choice: BTreeSet<Config>,
    /// The registers whose first value may be still to come before the thread's first step.
    pub(crate) first_to_come: BTreeSet<RegId>,
    /// Whether the thread has a store buffer.
    pub(crate) is_buffered: bool,
}

impl Plan {
    /// All configurations that the thread may come to; it pauses at `labels`.
    pub(crate) fn new(automaton: &Automaton, memory: Memory, labels: &BTreeSet<PointId>) -> Plan {
        let is_store = |action: &Action| matches!(action, Action::Access(a) if matches!(a.op, Op::Store(_)));
        let regions = region::points_inside(automaton);
        let is_outside = |point: PointId| !regions.contains(&point);
        let is_buffered =
            memory == Memory::Tso && automaton.points.iter().any(|(p, point)| is_outside(p) && is_store(&point.action));
        let mut plan = Plan {
            numbers: BTreeMap::new(),
            configs: Vec::new(),
            closing: BTreeSet::new(),
            left_by_choice: BTreeSet::new(),
            first_to_come: BTreeSet::new(),
            is_buffered,
        };
        let walk = Walk { automaton, is_buffered };
        plan.first_to_come = walk.first_to_come();
        let mut open = vec![Config::at(automaton.entry)];
        while let Some(config) = open.pop() {
            if plan.numbers.contains_key(&config) {
                continue;
            }
            plan.configs.push(config.clone());
            // 0 is a thread that has not begun, or has violated a property.
            plan.numbers.insert(config.clone(), plan.configs.len());
            open.extend(walk.local(&config));
            open.extend(walk.steps(&config));
            if labels.contains(&config.point) && walk.is_local(&config) && config.mode == Mode::Going {
                open.push(config.in_mode(Mode::Paused));
            }
        }
        plan.closing = walk.closing(&plan.configs);
        let targets = plan.closing.iter().map(|(_, to)| to.clone());
        plan.left_by_choice = targets.filter(|to| walk.is_left_by_choice(to)).collect();
        let spinning: BTreeSet<Config> = plan.closing.iter().map(|(_, to)| to.in_mode(Mode::Spinning)).collect();
        for config in spinning {
            plan.configs.push(config.clone());
            plan.numbers.insert(config, plan.configs.len());
        }
        plan
    }

    /// The number of a configuration, the value of the thread's variable.
    pub(crate) fn number(&self, config: &Config) -> usize {
        self.numbers.get(config).copied().expect("all configurations were found")
    }

    /// Whether going from one to the other closes a circle: the thread spins.
    pub(crate) fn closes(&self, from: &Config, to: &Config) -> bool {
        self.closing.contains(&(from.clone(), to.clone()))
    }

    /// Whether a choice leads out of the circle that closes here. To loop then matters to temporal properties only.
    pub(crate) fn is_left_by_choice(&self, to: &Config) -> bool {
        self.left_by_choice.contains(to)
    }

    /// The numbers of all configurations of which `is_meant` is true.
    pub(crate) fn numbers(&self, is_meant: impl Fn(&Config) -> bool) -> Vec<usize> {
        let meant = self.configs.iter().enumerate().filter(|(_, config)| is_meant(config));
        meant.map(|(index, _)| index + 1).collect()
    }
}

/// What is needed to go from one configuration to the next.
pub(crate) struct Walk<'a> {
    pub(crate) automaton: &'a Automaton,
    pub(crate) is_buffered: bool,
}

impl Walk<'_> {
    /// The registers that are to come in some configuration which local actions lead to from the beginning.
    fn first_to_come(&self) -> BTreeSet<RegId> {
        let mut seen = BTreeSet::new();
        let mut open = vec![Config::at(self.automaton.entry)];
        while let Some(config) = open.pop() {
            if seen.insert(config.clone()) {
                open.extend(self.local(&config));
            }
        }
        seen.iter().flat_map(|config| config.coming.iter().copied()).collect()
    }

    fn action(&self, point: PointId) -> &Action {
        &self.automaton.points[point].action
    }

    /// Whether the action waits for a register.
    pub(crate) fn waits(&self, config: &Config) -> bool {
        let mut waits = false;
        self.action(config.point).uses(&mut |register| waits |= config.coming.contains(&register));
        waits
    }

    /// Whether the thread may do the action at its point without a step.
    pub(crate) fn is_local(&self, config: &Config) -> bool {
        !self.local(config).is_empty()
    }

    /// Where local actions may lead.
    pub(crate) fn local(&self, config: &Config) -> Vec<Config> {
        if config.mode != Mode::Going {
            return Vec::new();
        }
        let point = config.point;
        let next = self.automaton.points[point].next;
        match self.action(point) {
            Action::Access(_) if config.pending.is_some() || region::is_issued(self.action(next)) => Vec::new(),
            Action::Access(_) => vec![self.issued(config)],
            Action::Fence(fence) if self.is_buffered && *fence == Fence::Full => {
                let pending = Config { pending: Some(point), ..config.moved(next) };
                let passed = config.moved(next);
                if config.pending.is_some() { vec![passed] } else { vec![passed, pending] }
            }
            Action::Compute { dst, value: Expr::Leaf(source) } if config.coming.contains(source) => {
                let mut to = config.moved(next);
                to.coming.insert(*dst);
                vec![to]
            }
            Action::Safepoint | Action::Enter(_) | Action::Halt | Action::Leave => Vec::new(),
            Action::Begin(_) | Action::Commit | Action::Abort(_) => Vec::new(),
            Action::Perform if config.pending.is_some() => Vec::new(),
            _ if self.waits(config) => Vec::new(),
            action => {
                let mut to = config.clone();
                if let Some(dst) = action.defines() {
                    to.coming.remove(&dst);
                }
                self.automaton.successors(point).into_iter().map(|next| to.moved(next)).collect()
            }
        }
    }

    /// Where the access at the point leads when it is issued.
    pub(crate) fn issued(&self, config: &Config) -> Config {
        let next = self.automaton.points[config.point].next;
        match self.action(config.point) {
            Action::Access(access) if self.is_buffered && matches!(access.op, Op::Store(_)) => config.moved(next),
            action => {
                let coming = action.defines().into_iter().collect();
                Config { pending: Some(config.point), coming, ..config.moved(next) }
            }
        }
    }

    /// Where steps may lead.
    fn steps(&self, config: &Config) -> Vec<Config> {
        let mut to = Vec::new();
        let next = self.automaton.points[config.point].next;
        if config.pending.is_some() {
            to.push(Config::at(config.point));
        }
        if config.mode != Mode::Going {
            return to;
        }
        let action = self.action(config.point);
        match action {
            Action::Safepoint => to.push(config.moved(next)),
            Action::Enter(_) => to.extend(region::ends(self.automaton, config.point).into_iter().map(Config::at)),
            Action::Access(_) if region::is_issued(self.action(next)) && config.pending.is_none() => {
                let issued = self.issued(config);
                to.extend(region::ends(self.automaton, next).into_iter().map(|end| issued.moved(end)));
                to.push(issued);
            }
            _ => {}
        }
        to
    }

    /// Whether the local action changes nothing but the point.
    fn is_still(&self, config: &Config) -> bool {
        let changes_nothing = !matches!(self.action(config.point), Action::Access(_) | Action::Compute { .. });
        changes_nothing && self.is_local(config)
    }

    /// All that local actions which change nothing lead to.
    fn still_from(&self, config: &Config) -> BTreeSet<Config> {
        let mut found = BTreeSet::new();
        let mut open = vec![config.clone()];
        while let Some(config) = open.pop() {
            for next in self.local(&config) {
                if self.is_still(&next) && found.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// Whether a choice on the circle through a configuration leads out of it.
    fn is_left_by_choice(&self, config: &Config) -> bool {
        let reached = self.still_from(config);
        let circle: BTreeSet<&Config> =
            reached.iter().filter(|other| self.still_from(other).contains(config)).collect();
        let is_choice = |config: &&&Config| matches!(self.action(config.point), Action::Choose(_));
        circle.iter().filter(is_choice).any(|choice| self.local(choice).iter().any(|next| !circle.contains(next)))
    }

    /// The edges that close circles of points which change nothing.
    fn closing(&self, configs: &[Config]) -> BTreeSet<(Config, Config)> {
        let mut closing = BTreeSet::new();
        let mut done: BTreeSet<Config> = BTreeSet::new();
        for root in configs.iter().filter(|config| self.is_still(config)) {
            let mut path: Vec<(Config, Vec<Config>)> = Vec::new();
            let mut enter = vec![root.clone()];
            loop {
                if let Some(config) = enter.pop()
                    && done.insert(config.clone())
                {
                    let next = self.local(&config);
                    path.push((config, next));
                }
                let Some((config, rest)) = path.last_mut() else { break };
                match rest.pop() {
                    None => drop(path.pop()),
                    Some(next) if !self.is_still(&next) => {}
                    Some(next) => {
                        let from = config.clone();
                        if path.iter().any(|(on_path, _)| *on_path == next) {
                            closing.insert((from, next));
                        } else {
                            enter.push(next);
                        }
                    }
                }
            }
        }
        closing
    }
}
