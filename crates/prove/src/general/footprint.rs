//! What a step may change, whatever the scope: variables and fields as a whole, registers of its thread, where that goes; and whether a
//! row speaks of any of it.

use crate::Memory;
use crate::layout::{cells_of, is_part_of_step_before};
use crate::problem::{Problem, RowKind};
use crate::step::{StepKind, StepOf};
use automata::{
    Access, Action, Automata, BinaryOp, CasResult, CellId, Domain, Expr, Op, PointId, RegId, Register, StateExpr,
    StateLeaf, UnaryOp,
};
use base::Table;
use std::collections::BTreeSet;

type Registers = Table<RegId, Register>;

/// What a step may change.
#[derive(Debug, Default)]
pub(crate) struct Footprint {
    /// The families of the cells that it writes.
    pub(crate) families: BTreeSet<u32>,
    registers: BTreeSet<RegId>,
    ends: BTreeSet<PointId>,
    /// Whether it changes the thread's store buffer.
    pub(crate) buffer: bool,
    /// Whether something in it may be out of range or have no cell.
    may_violate: bool,
}

pub(crate) fn family(automata: &Automata, cell: CellId) -> u32 {
    automata.scalars.cells.get(cell).map_or(u32::MAX - 1, |role| role.family)
}

/// What `step` may change.
pub(crate) fn footprint(problem: &Problem<'_>, step: &StepOf) -> Footprint {
    let automata = problem.automata;
    let mut found = Footprint::default();
    let start = match &step.kind {
        StepKind::Commit { cells, .. } => {
            found.families.extend(cells.iter().map(|cell| family(automata, *cell)));
            found.buffer = true;
            return found;
        }
        StepKind::Point(point) => *point,
        StepKind::Interference { .. } => {
            unreachable!("where threads are looked at one by one, nothing is said of greater scopes")
        }
    };
    let automaton = &automata.threads[step.thread].automaton;
    let mut seen = BTreeSet::new();
    let mut rest = vec![(start, false)];
    while let Some((point, inside)) = rest.pop() {
        if !seen.insert((point, inside)) {
            continue;
        }
        let action = &automaton.points[point].action;
        found.add((automata, &automaton.registers), action, inside, problem.memory);
        let inside = match action {
            Action::Enter(_) => true,
            Action::Leave => false,
            _ => inside,
        };
        for next in automaton.successors(point) {
            let goes_on = inside || is_part_of_step_before(automaton, next);
            if !goes_on || !inside && matches!(automaton.points[next].action, Action::Assume(_)) {
                found.ends.insert(next);
            }
            if goes_on {
                rest.push((next, inside));
            }
        }
    }
    found
}

impl Footprint {
    fn add(&mut self, (automata, registers): (&Automata, &Registers), action: &Action, inside: bool, memory: Memory) {
        self.registers.extend(action.defines());
        match action {
            Action::Access(access) => {
                if access.op.is_write() {
                    self.families.extend(cells_of(access).into_iter().map(|cell| family(automata, cell)));
                }
                let is_store = matches!(access.op, Op::Store(_));
                self.buffer |= is_store && !inside && memory != Memory::Sc;
                self.may_violate |= is_partial(automata, registers, access);
            }
            Action::Compute { dst, value } => self.may_violate |= !fits(value, registers[*dst].domain),
            Action::Branch { condition, .. }
            | Action::Assume(condition)
            | Action::Discard(condition)
            | Action::Cover { condition, .. } => self.may_violate |= computes(condition),
            Action::Assert { .. } => self.may_violate = true,
            _ => {}
        }
    }

    /// Whether what the row says cannot change by the step.
    pub(crate) fn leaves_alone(&self, problem: &Problem<'_>, step: &StepOf, row: usize) -> bool {
        if problem.rows[row].kind == RowKind::Violation {
            return !self.may_violate;
        }
        let condition = self.known(problem, step, &problem.stated[row]);
        let mut is_touched = false;
        problem.automata.leaves(&condition, &mut |leaf| is_touched |= self.touches(problem, step, leaf));
        !is_touched
    }

    fn touches(&self, problem: &Problem<'_>, step: &StepOf, leaf: &StateLeaf) -> bool {
        let automata = problem.automata;
        let is_written = automata.cells_of(leaf).iter().any(|cell| self.families.contains(&family(automata, *cell)));
        is_written
            || match leaf {
                StateLeaf::Register(thread, register) => *thread == step.thread && self.registers.contains(register),
                StateLeaf::At(thread, _) | StateLeaf::Ended(thread) => {
                    let moves = matches!(step.kind, StepKind::Point(_)) && self.place(problem, step, leaf).is_none();
                    *thread == step.thread && moves
                }
                StateLeaf::Performed(thread) | StateLeaf::Pending { thread, .. } | StateLeaf::Oldest { thread, .. } => {
                    *thread == step.thread && self.buffer
                }
                StateLeaf::Cell(_) | StateLeaf::CellAt { .. } | StateLeaf::Reached { .. } | StateLeaf::Old(_) => false,
            }
    }

    /// Whether the thread is there, if that is the same before the step and after it.
    fn place(&self, problem: &Problem<'_>, step: &StepOf, leaf: &StateLeaf) -> Option<bool> {
        let StepKind::Point(from) = step.kind else { return None };
        let points = &problem.automata.threads[step.thread].automaton.points;
        let is_there = |point: PointId| match leaf {
            StateLeaf::At(_, named) => named.contains(&point),
            _ => matches!(points[point].action, Action::Halt),
        };
        let before = is_there(from);
        self.ends.iter().all(|end| is_there(*end) == before).then_some(before)
    }

    /// The condition with what is known of the thread's place put in.
    fn known(&self, problem: &Problem<'_>, step: &StepOf, expr: &StateExpr) -> StateExpr {
        match expr {
            Expr::Leaf(leaf @ (StateLeaf::At(thread, _) | StateLeaf::Ended(thread))) if *thread == step.thread => {
                self.place(problem, step, leaf).map_or(expr.clone(), |is_there| Expr::Const(is_there.into()))
            }
            Expr::Unary(op, operand) => Expr::unary(*op, self.known(problem, step, operand)),
            Expr::Binary(op, left, right) => {
                joined(*op, self.known(problem, step, left), self.known(problem, step, right))
            }
            Expr::Const(_) | Expr::Leaf(_) => expr.clone(),
        }
    }
}

/// `left op right`, without what one side alone decides.
fn joined(op: BinaryOp, left: StateExpr, right: StateExpr) -> StateExpr {
    let truth = |expr: &StateExpr| match expr {
        Expr::Const(value) => Some(*value != 0),
        _ => None,
    };
    match (op, truth(&left), truth(&right)) {
        (BinaryOp::And, Some(false), _) | (BinaryOp::And, _, Some(false)) => Expr::Const(0),
        (BinaryOp::Or, Some(true), _) | (BinaryOp::Or, _, Some(true)) => Expr::Const(1),
        (BinaryOp::Implies, Some(false), _) | (BinaryOp::Implies, _, Some(true)) => Expr::Const(1),
        _ => Expr::binary(op, left, right),
    }
}

/// Whether there may be no cell, or a value may not fit where it goes.
fn is_partial(automata: &Automata, registers: &Registers, access: &Access) -> bool {
    let cell = automata.cells[access.address.base].domain;
    let writes_what_fits = match &access.op {
        Op::Load => true,
        Op::Store(value) | Op::Swap(value) => fits(value, cell),
        Op::Cas { expected, new, .. } => matches!(expected, Expr::Const(_)) && fits(new, cell),
        // What is added to, or combined with, what is there.
        Op::Fetch(..) | Op::LoadLinked | Op::StoreConditional(_) => false,
    };
    let is_truth = matches!(access.op, Op::Cas { result: CasResult::Success, .. });
    let gives = if is_truth { Domain::new(0, 1) } else { cell };
    let result_fits = access.dst.is_none_or(|dst| registers[dst].domain.includes(gives));
    !(access.address.terms.is_empty() && writes_what_fits && result_fits)
}

/// Whether it is a constant of the domain.
fn fits(expr: &Expr, domain: Domain) -> bool {
    matches!(expr, Expr::Const(value) if domain.contains(*value))
}

/// Whether a condition computes anything that may have no value.
fn computes(condition: &Expr) -> bool {
    match condition {
        Expr::Const(_) | Expr::Leaf(_) => false,
        Expr::Unary(UnaryOp::Not, operand) => computes(operand),
        Expr::Unary(..) => true,
        Expr::Binary(op, left, right) => {
            use BinaryOp::{And, Equal, Greater, GreaterEqual, Implies, Less, LessEqual, NotEqual, Or};
            let is_safe =
                matches!(op, And | Or | Implies | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual);
            !is_safe || computes(left) || computes(right)
        }
    }
}
