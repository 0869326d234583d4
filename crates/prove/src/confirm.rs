//! A counterexample to induction, executed by the plain interpreter: the circuits and the interpreter share no code.

use crate::layout::is_part_of_step_before;
use crate::memory_model::Memory;
use crate::problem::Problem;
use crate::snapshot::{Snapshot, ThreadSnapshot};
use crate::step::StepOf;
use automata::{Access, Action, Address, Automata, CellId, Expr, Op, Point, PointId, PropertyKind, Value};
use base::table::Id;
use machine::{Code, Entry, Interpreter, Local, Mode, Operand, Options, Part, PlainState, Reductions};
use memory::MemoryModel;
use rustc_hash::FxHashSet;
use std::time::Duration;
use system::Budget;

/// What the plain interpreter says of a counterexample to induction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// From that state it takes that step to that end.
    Confirmed,
    /// It does not: a bug of ours.
    Refuted,
}

/// Executes a step from `before`; it must lead to `after`, or, if there is none, violate a property by itself.
pub(crate) fn confirm(
    problem: &Problem<'_>,
    step: &StepOf,
    before: &Snapshot,
    after: Option<&Snapshot>,
) -> Confirmation {
    let mut automata = without_conditions(problem.automata);
    let start = plain(&mut automata, before);
    let model = model(problem.memory);
    let options =
        Options { reductions: Reductions::NONE, check_deadlock: false, queue_bound: 64, ..Options::default() };
    let interpreter = Interpreter::new(&automata, &model, &options);
    let codes = Code::of_threads(&automata);
    let thread = step.thread.index();
    let is_it = |state: &PlainState| match after {
        Some(after) => Snapshot::of(&codes, state).as_ref() == Some(after),
        // A step that issues a store may violate several properties: the circuits look at each, the interpreter ends with the first.
        None => matches!(state.locals[thread].mode, Mode::Failed(_)),
    };
    // What the circuits do at once, the interpreter issues, performs and retires; then come local steps, one by one.
    let automaton = &problem.automata.threads[step.thread].automaton;
    let continues = |state: &PlainState| is_part_of_step_before(automaton, state.locals[thread].point);
    // Whether a store fits, the circuits ask when it is issued, and the interpreter when it is performed: behind all that is buffered.
    let at_once = 3 + if after.is_none() { before.threads[thread].buffer.len() } else { 0 };
    let mut states = vec![start];
    for round in 0..at_once + automaton.points.len() {
        let next = states.iter().filter(|state| round < at_once || continues(state));
        let next = next.flat_map(|state| interpreter.successors(state).steps);
        let own = next.filter(|(label, _)| label.thread == step.thread).map(|(_, state)| state);
        states = own.collect::<FxHashSet<_>>().into_iter().collect();
        if states.iter().any(is_it) {
            return Confirmation::Confirmed;
        }
    }
    Confirmation::Refuted
}

/// The automata without conditions on states: they take the same steps, and are prepared quickly.
pub(crate) fn without_conditions(automata: &Automata) -> Automata {
    let mut automata = Automata { definedness: Vec::new(), ..automata.clone() };
    for property in automata.properties.values_mut().filter(|property| property.kind.is_stated()) {
        property.kind = PropertyKind::Unchecked;
    }
    automata
}

/// Whether the plain interpreter has an initial state that is as these rows say it must not be.
pub(crate) fn begins_with(problem: &Problem<'_>, rows: &[usize], timeout: Option<Duration>) -> bool {
    if rows.is_empty() {
        return false;
    }
    let model = model(problem.memory);
    let options = Options { budget: Budget::default().part(timeout), ..Options::default() };
    let interpreter = Interpreter::new(problem.automata, &model, &options);
    let violates = |state: &PlainState, row: usize| match problem.stated.get(row) {
        Some(condition) => interpreter.places(state, condition, false).is_some(),
        None => state.locals.iter().any(|local| local.mode == Mode::Failed(problem.rows[row].property)),
    };
    // Where a thread has violated a property, nothing else is judged (semantics 8.5).
    let has_failed = |state: &PlainState| state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_)));
    let judged = |state: &PlainState, row: usize| row >= problem.stated.len() || !has_failed(state);
    interpreter.initial().iter().any(|(_, state)| rows.iter().any(|row| judged(state, *row) && violates(state, *row)))
}

/// The built-in model that a memory is of.
pub(crate) fn model(memory: Memory) -> MemoryModel {
    let name = match memory {
        Memory::Sc => "sc",
        Memory::Tso { .. } => "tso",
    };
    memory::builtin::find(name).expect("built in")
}

/// The interpreter's form of a state. For each store that is buffered, its thread gets a point that issues just that.
pub(crate) fn plain(automata: &mut Automata, snapshot: &Snapshot) -> PlainState {
    let mut locals = Vec::new();
    for (thread, of) in automata.threads.values_mut().zip(&snapshot.threads) {
        let points = &mut thread.automaton.points;
        let has_ended = matches!(points[of.point].action, Action::Halt);
        let mode = if has_ended { Mode::Halted } else { Mode::Running };
        let queue = of.buffer.iter().map(|(cell, value)| {
            let access = Access::new(Op::Store(Expr::constant(*value)), Address::cell(*cell));
            let action = Action::Access(access);
            let (next, span) = (PointId::new(points.len()), base::Span::none());
            let point = points.push(Point { action, next, span, labels: Vec::new(), procs: Vec::new() });
            Entry::new(point, Part::Whole, [])
        });
        let queue = queue.collect();
        let registers = of.registers.iter().map(|value| Operand::Value(*value)).collect();
        locals.push(Local { mode, queue, ..Local::start(of.point, registers) });
    }
    PlainState { cells: snapshot.cells.clone(), locals, memory: None }
}

impl Snapshot {
    /// The circuits' form of the interpreter's state; none if it has none, because something else than stores is pending.
    pub fn of(codes: &[Code], state: &PlainState) -> Option<Self> {
        let thread = |(local, code): (&Local, &Code)| {
            let buffer = local.queue.iter().map(|entry| store(code, entry)).collect::<Option<Vec<_>>>()?;
            let registers = local.registers.iter().map(|operand| operand.value()).collect::<Option<Vec<_>>>()?;
            let is_going_on = matches!(local.mode, Mode::Running | Mode::Halted);
            is_going_on.then_some(ThreadSnapshot { point: local.point, registers, buffer })
        };
        let threads = state.locals.iter().zip(codes).map(thread).collect::<Option<Vec<_>>>()?;
        Some(Snapshot { cells: state.cells.clone(), threads })
    }
}

/// The cell and value of a queued plain store.
fn store(code: &Code, entry: &Entry) -> Option<(CellId, Value)> {
    let Action::Access(Access { op: Op::Store(value), address, .. }) = code.action(entry.point) else { return None };
    let mut operand = |register: &automata::RegId| {
        let position = code.uses[entry.point].iter().position(|r| r == register)?;
        entry.operands[position].value()
    };
    let mut cell = address.base.index();
    for term in &address.terms {
        let index = usize::try_from(term.index.eval(&mut operand)?).ok()?;
        cell += index * term.stride as usize;
    }
    Some((CellId::new(cell), Value::try_from(value.eval(&mut operand)?).ok()?))
}
