//! What keeps a thread from stepping in a state: a region's guard that is false, a condition on registers, the bus, or a world that is not stopped.

use automata::{
    Access, Action, Address, Automata, Automaton, CellId, Expr, Op, PointId, RegId, Region, ThreadId, Value, Wide,
};
use base::table::Id;
use machine::PlainState;
use std::collections::BTreeSet;

/// A walk through a region looks at so many points at most.
const MAX_POINTS: usize = 2_000;

/// Why a thread does not step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// Conditions that are false, one for each way on.
    Guards(Vec<Guard>),
    /// It stops the world, and these are not at a safepoint with all performed.
    World(Vec<ThreadId>),
    /// Another thread holds the bus.
    Bus(ThreadId),
    /// It loops and touches nothing shared.
    Spins,
    /// Nothing of the kind.
    Unknown,
}

/// A condition that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    /// Where it stands.
    pub(crate) point: PointId,
    /// The cells that it reads, each with its value.
    pub(crate) cells: Vec<(CellId, Value)>,
    /// The registers that it reads and that no cell of the same step gave a value, each with its value.
    pub(crate) registers: Vec<(RegId, Value)>,
}

/// What keeps `thread`, which has not ended, from stepping in `state`.
pub(crate) fn blocked(automata: &Automata, state: &PlainState, thread: ThreadId) -> Blocked {
    let local = &state.locals[thread.index()];
    let automaton = &automata.threads[thread].automaton;
    if let Some(holder) = holder(automata, state).filter(|holder| *holder != thread) {
        return Blocked::Bus(holder);
    }
    match &automaton.points[local.point].action {
        _ if local.mode.is_looping() => Blocked::Spins,
        Action::Enter(Region::StopTheWorld) => {
            let is_parked = |other: ThreadId| {
                let local = &state.locals[other.index()];
                local.is_parked_at(&automata.threads[other].automaton.points[local.point].action)
            };
            let others = automata.threads.ids().filter(|other| *other != thread);
            Blocked::World(others.filter(|other| !is_parked(*other)).collect())
        }
        Action::Enter(_) | Action::Assume(_) => match guards(automaton, state, thread) {
            guards if guards.is_empty() => Blocked::Unknown,
            guards => Blocked::Guards(guards),
        },
        _ => Blocked::Unknown,
    }
}

/// Who holds the bus.
fn holder(automata: &Automata, state: &PlainState) -> Option<ThreadId> {
    let holder = state.cells[automata.bus?.index()];
    usize::try_from(holder).ok().map(ThreadId::new)
}

/// A register on a way through a region: its value if that is known, and what of the state it was read from.
#[derive(Clone, Default)]
struct Known {
    value: Option<Wide>,
    cells: BTreeSet<CellId>,
    registers: BTreeSet<RegId>,
}

/// One way through a region.
#[derive(Clone)]
struct Way {
    point: PointId,
    registers: Vec<Known>,
    cells: Vec<Value>,
}

impl Way {
    fn new(state: &PlainState, thread: ThreadId) -> Self {
        let local = &state.locals[thread.index()];
        let known = |(register, operand): (usize, &machine::Operand)| Known {
            value: operand.value().map(Wide::from),
            cells: BTreeSet::new(),
            registers: BTreeSet::from([RegId::new(register)]),
        };
        let registers = local.registers.iter().enumerate().map(known).collect();
        Way { point: local.point, registers, cells: state.cells.clone() }
    }

    fn value(&self, expr: &Expr) -> Option<Wide> {
        expr.eval(&mut |register: &RegId| self.registers[register.index()].value)
    }

    /// The value of an expression with all that it is made of.
    fn known(&self, expr: &Expr) -> Known {
        let mut known = Known { value: self.value(expr), ..Known::default() };
        expr.leaves(&mut |register| {
            let part = &self.registers[register.index()];
            known.cells.extend(&part.cells);
            known.registers.extend(&part.registers);
        });
        known
    }

    fn cell(&self, address: &Address) -> Option<CellId> {
        let mut cell = address.base.index();
        for term in &address.terms {
            let index = usize::try_from(self.value(&term.index)?).ok().filter(|index| *index < term.count as usize)?;
            cell += index * term.stride as usize;
        }
        Some(CellId::new(cell))
    }

    /// Does an access; false if the result is not known here.
    fn access(&mut self, access: &Access) -> bool {
        let Some(cell) = self.cell(&access.address) else { return false };
        match (&access.op, access.dst) {
            (Op::Load, Some(dst)) => {
                let value = Some(Wide::from(self.cells[cell.index()]));
                let mut cells = BTreeSet::from([cell]);
                access.exprs(&mut |index| cells.extend(self.known(index).cells));
                self.registers[dst.index()] = Known { value, cells, registers: BTreeSet::new() };
                true
            }
            (Op::Store(value), None) => match self.value(value).and_then(|value| Value::try_from(value).ok()) {
                Some(value) => {
                    self.cells[cell.index()] = value;
                    true
                }
                None => false,
            },
            _ => false,
        }
    }
}

/// The conditions that are false on the ways on from where `thread` is.
fn guards(automaton: &Automaton, state: &PlainState, thread: ThreadId) -> Vec<Guard> {
    let mut open = vec![Way::new(state, thread)];
    let mut guards: Vec<Guard> = Vec::new();
    for _ in 0..MAX_POINTS {
        let Some(mut way) = open.pop() else { break };
        let point = &automaton.points[way.point];
        let at = std::mem::replace(&mut way.point, point.next);
        match &point.action {
            Action::Assume(condition) if way.value(condition) == Some(0) => {
                let guard = guard(state, thread, at, &way.known(condition));
                if !guards.contains(&guard) {
                    guards.push(guard);
                }
            }
            Action::Compute { dst, value } => {
                way.registers[dst.index()] = way.known(value);
                open.push(way);
            }
            Action::Branch { condition, then, otherwise } => match way.value(condition) {
                Some(value) => open.push(Way { point: if value != 0 { *then } else { *otherwise }, ..way }),
                None => open.extend([*otherwise, *then].map(|point| Way { point, ..way.clone() })),
            },
            Action::Choose(options) => {
                open.extend(options.iter().rev().map(|point| Way { point: *point, ..way.clone() }))
            }
            Action::Access(access) => open.extend(way.access(access).then_some(way)),
            Action::Assume(_) | Action::Enter(_) | Action::Cover { .. } | Action::Assert { .. } => open.push(way),
            _ => {}
        }
    }
    guards
}

fn guard(state: &PlainState, thread: ThreadId, point: PointId, known: &Known) -> Guard {
    let registers = &state.locals[thread.index()].registers;
    let register = |register: &RegId| Some((*register, registers[register.index()].value()?));
    Guard {
        point,
        cells: known.cells.iter().map(|cell| (*cell, state.cells[cell.index()])).collect(),
        registers: known.registers.iter().filter_map(register).collect(),
    }
}
