//! Traces: a list of step positions, executed by the plain interpreter.

use crate::lasso;
use crate::options::RunOptions;
use automata::{Moment, PropertyId, PropertyKind, StateProperty, ThreadId};
use base::table::Id;
use machine::{Compiled, Interpreter, Late, Mode, OverTables, PlainState, PlainStep, Snapshot};
use system::{Limit, TransitionSystem};

/// A run of the interpreter from an initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Which initial state.
    pub initial: usize,
    /// Which of the enabled steps, each time.
    pub steps: Vec<usize>,
    /// What each thread did before its first step.
    pub begun: Vec<PlainStep>,
    /// The steps taken: what happened in each.
    pub taken: Vec<PlainStep>,
    /// The states: the initial one, then one per step.
    pub states: Vec<PlainState>,
    /// The property that the last state violates, or the run that repeats forever.
    pub property: PropertyId,
    /// For a run that repeats forever: which state the last one is again. If it is the last itself, there are no more
    /// steps and the run stays there.
    pub loop_start: Option<usize>,
    /// Threads that violate the property in the last state at a location that they have passed by then, unseen.
    pub stops: Vec<(ThreadId, Snapshot)>,
}

impl Trace {
    /// The state after `n` steps; in the last one, threads that stop at a location passed are there.
    pub fn shown(&self, n: usize) -> PlainState {
        let mut state = self.states[n].clone();
        for (thread, snapshot) in self.stops.iter().filter(|_| n + 1 == self.states.len()) {
            let local = &mut state.locals[thread.index()];
            (local.mode, local.point) = (Mode::Running, snapshot.point);
            local.queue.truncate(usize::from(snapshot.issued));
        }
        state
    }

    /// How often the thread that steps changes.
    pub fn switches(&self) -> usize {
        self.taken.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }
}

/// Why a trace cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// There is no such initial state.
    NoInitial(usize),
    /// The step (counted from 1) is not enabled.
    NotEnabled(usize),
    /// The last state does not violate the property, nor does the run that repeats.
    NotViolated,
    /// The run does not come back to the state where it should repeat.
    NoLoop,
    /// What was assumed in the state after so many steps cannot turn out right: no run goes through it.
    Refuted(usize),
    /// What repeats is not fair to a thread or to its memory: it could step at any time and never does.
    Unfair(String),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::NoInitial(n) => write!(f, "there is no initial state number {n}"),
            ReplayError::NotEnabled(n) => write!(f, "step {n} of the trace is not enabled"),
            ReplayError::NotViolated => write!(f, "the last state of the trace does not violate the property"),
            ReplayError::NoLoop => write!(f, "the trace does not come back to the state where it should repeat"),
            ReplayError::Refuted(n) => {
                write!(f, "no run goes through the state after step {n} of the trace: what was assumed there is wrong")
            }
            ReplayError::Unfair(who) => write!(f, "the loop of the trace is not fair to {who}"),
        }
    }
}

/// Executes `steps` from the initial state `initial`; the last state must violate `property`.
pub fn replay(
    interpreter: &Interpreter<'_>,
    initial: usize,
    steps: &[usize],
    property: PropertyId,
) -> Result<Trace, ReplayError> {
    replay_run(interpreter, initial, steps, None, property)
}

/// Executes `steps` from the initial state `initial`; the last state must violate `property`, or the run that repeats for
/// ever from the state `loop_start` on.
pub fn replay_run(
    interpreter: &Interpreter<'_>,
    initial: usize,
    steps: &[usize],
    loop_start: Option<usize>,
    property: PropertyId,
) -> Result<Trace, ReplayError> {
    let mut trace = execute(interpreter, initial, steps, property)?;
    trace.loop_start = loop_start;
    match (&interpreter.automata().properties[property].kind, loop_start) {
        (PropertyKind::Ltl(ltl), Some(start)) => lasso::confirm(interpreter, &trace, ltl, start)?,
        (PropertyKind::Ltl(_), None) | (_, Some(_)) => return Err(ReplayError::NotViolated),
        (_, None) => {
            let last = trace.states.last().expect("there is an initial state");
            if !violates(interpreter, last, property) {
                return Err(ReplayError::NotViolated);
            }
            trace.stops = stops(interpreter, last, property);
        }
    }
    Ok(trace)
}

/// Executes `steps` from the initial state `initial`.
fn execute(
    interpreter: &Interpreter<'_>,
    initial: usize,
    steps: &[usize],
    property: PropertyId,
) -> Result<Trace, ReplayError> {
    let mut initials = interpreter.initial();
    if initial >= initials.len() {
        return Err(ReplayError::NoInitial(initial));
    }
    let (begun, state) = initials.swap_remove(initial);
    let mut trace = Trace {
        initial,
        steps: steps.to_vec(),
        begun,
        taken: Vec::new(),
        states: vec![state],
        property,
        loop_start: None,
        stops: Vec::new(),
    };
    for (n, step) in steps.iter().enumerate() {
        let mut enabled = interpreter.run_successors(&trace.states[n]).steps;
        if *step >= enabled.len() {
            return Err(ReplayError::NotEnabled(n + 1));
        }
        let (taken, state) = enabled.swap_remove(*step);
        trace.taken.push(taken);
        trace.states.push(state);
    }
    Ok(trace)
}

/// Whether `state` violates `property`, judged by the interpreter.
fn violates(interpreter: &Interpreter<'_>, state: &PlainState, property: PropertyId) -> bool {
    interpreter.violates(state, property) || {
        let successors = interpreter.successors(state);
        let is_stuck = successors.steps.is_empty() && !successors.discarded;
        is_stuck && interpreter.stuck(state) == Some(property)
    }
}

/// The threads that violate an invariant at a location passed.
fn stops(interpreter: &Interpreter<'_>, state: &PlainState, property: PropertyId) -> Vec<(ThreadId, Snapshot)> {
    let Some(StateProperty { condition, moment: Moment::Always, violating }) =
        interpreter.automata().properties[property].kind.state_property()
    else {
        return Vec::new();
    };
    let places = interpreter.places(state, condition, violating).unwrap_or_default();
    let stop = |(thread, place): (usize, Option<&Snapshot>)| Some((ThreadId::new(thread), place?.clone()));
    places.into_iter().enumerate().filter_map(stop).collect()
}

/// The interpreter's run along a path of packed states; an error if it cannot follow it, which
/// would be a bug of the search.
pub fn retrace(compiled: &Compiled<'_>, path: &[Vec<u32>], property: PropertyId) -> Result<Trace, ReplayError> {
    let interpreter = compiled.interpreter();
    let mut initials = interpreter.initial();
    let initial = initials
        .iter()
        .position(|(_, state)| Some(&compiled.pack(state)) == path.first())
        .ok_or(ReplayError::NoInitial(0))?;
    let mut state = initials.swap_remove(initial).1;
    let mut steps = Vec::new();
    for (n, next) in path.iter().enumerate().skip(1) {
        let mut enabled = interpreter.successors(&state).steps;
        let step = enabled.iter().position(|(_, to)| compiled.pack(to) == *next).ok_or(ReplayError::NotEnabled(n))?;
        state = enabled.swap_remove(step).1;
        steps.push(step);
    }
    replay(interpreter, initial, &steps, property)
}

/// The trace, which the interpreter has executed, or the limit that has kept it from that.
///
/// # Panics
/// If it cannot: a bug of ours, never to be shown as a verdict.
pub(crate) fn confirmed(trace: Result<Trace, ReplayError>, options: &RunOptions) -> Result<Trace, Limit> {
    match (trace, options.cut()) {
        (Ok(trace), _) => Ok(trace),
        (Err(_), Some(limit)) => Err(limit),
        (Err(error), None) => panic!("the interpreter does not confirm the counterexample: {error}"),
    }
}

/// As `retrace`, along a path of states between which steps were put off; the state that violates `property` may be one that
/// the last of them stands for.
pub fn retrace_late(late: &Late<'_>, path: &[Vec<u32>], property: PropertyId) -> Result<Trace, ReplayError> {
    let (tables, interpreter) = (late.tables(), late.tables().interpreter());
    let initials = interpreter.initial();
    let is_first = |(_, state): &(_, PlainState)| Some(&late.system().pack(state)) == path.first();
    let initial = initials.iter().position(is_first).ok_or(ReplayError::NoInitial(0))?;
    let mut scratch = late.scratch();
    let mut all = vec![tables.pack(&initials[initial].1)];
    for (n, next) in path.iter().enumerate().skip(1) {
        let way = late.steps(&all[all.len() - 1], next, &mut scratch).ok_or(ReplayError::NotEnabled(n))?;
        all.extend(way);
    }
    all.extend(late.violation(&all[all.len() - 1], property, &mut scratch));
    let states: Vec<PlainState> = all.iter().map(|words| tables.unpack(words)).collect();
    let mut steps = Vec::new();
    for (n, pair) in states.windows(2).enumerate() {
        let enabled = interpreter.successors(&pair[0]).steps;
        steps.push(enabled.iter().position(|(_, to)| *to == pair[1]).ok_or(ReplayError::NotEnabled(n + 1))?);
    }
    replay(interpreter, initial, &steps, property)
}

/// The same run under `interpreter`, whose rules allow at least what those that `run` was found under allow.
pub fn follow(interpreter: &Interpreter<'_>, run: &Trace) -> Result<Trace, ReplayError> {
    let initials = interpreter.initial();
    let initial = initials.iter().position(|(_, state)| *state == run.states[0]).ok_or(ReplayError::NoInitial(0))?;
    let mut steps = Vec::with_capacity(run.steps.len());
    for (n, taken) in run.taken.iter().enumerate() {
        let enabled = interpreter.run_successors(&run.states[n]).steps;
        let is_it = |(step, to): &(PlainStep, PlainState)| step == taken && *to == run.states[n + 1];
        steps.push(enabled.iter().position(is_it).ok_or(ReplayError::NotEnabled(n + 1))?);
    }
    replay_run(interpreter, initial, &steps, run.loop_start, run.property)
}
