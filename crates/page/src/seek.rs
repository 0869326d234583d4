//! The first state where something is so: breadth-first over the interpreter's states, up to a limit.

use crate::subject::Subject;
use crate::view::Path;
use crate::why::why;
use automata::StateExpr;
use explore::{Control, SearchOptions};
use machine::{Interpreter, Local, PlainState};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use system::Limits;
use workbench::{Question, RunOptions, Verdict};

/// The result of looking for a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A shortest way to it.
    Found(Path),
    /// There is none, among so many states.
    Nowhere(u64),
    /// The search stopped after so many states.
    Stopped(u64),
}

/// A state with the way it was first reached: from which state, by which step.
struct Reached {
    state: PlainState,
    from: Option<(usize, usize)>,
}

/// What a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// It looks at so many states at most.
    pub max_states: usize,
    /// It takes so many bytes for states at most.
    pub max_bytes: u64,
    /// It stops once this is set.
    pub stop: &'a AtomicBool,
}

impl Effort<'_> {
    /// The same for the compiled machine.
    pub(crate) fn limits(self) -> Limits {
        Limits { max_states: Some(self.max_states as u64), max_bytes: Some(self.max_bytes), ..Limits::default() }
    }
}

/// About so many bytes are taken for a state, which is kept twice.
fn bytes_of(state: &PlainState) -> u64 {
    let local = |local: &Local| size_of_val(&local.registers[..]) + size_of_val(&local.queue[..]);
    let locals: usize = state.locals.iter().map(|l| size_of::<Local>() + local(l)).sum();
    (2 * (size_of_val(&state.cells[..]) + locals + size_of::<Reached>())) as u64
}

/// The first state where `condition` is true.
pub fn first_where(interpreter: &Interpreter<'_>, condition: &StateExpr, effort: Effort<'_>) -> Sought {
    let mut reached: Vec<Reached> =
        interpreter.initial().into_iter().map(|(_, state)| Reached { state, from: None }).collect();
    let mut seen: FxHashSet<PlainState> = reached.iter().map(|reached| reached.state.clone()).collect();
    let mut bytes: u64 = seen.iter().map(bytes_of).sum();
    let mut next = 0;
    while next < reached.len() {
        let state = reached[next].state.clone();
        if interpreter.judge(&state, condition) == Some(true) {
            return Sought::Found(way(&reached, next));
        }
        let is_large = reached.len() > effort.max_states || bytes > effort.max_bytes;
        if is_large || effort.stop.load(Ordering::Relaxed) {
            return Sought::Stopped(reached.len() as u64);
        }
        for (position, (_, to)) in interpreter.run_successors(&state).steps.into_iter().enumerate() {
            if seen.insert(to.clone()) {
                bytes += bytes_of(&to);
                reached.push(Reached { state: to, from: Some((next, position)) });
            }
        }
        next += 1;
    }
    Sought::Nowhere(reached.len() as u64)
}

fn way(reached: &[Reached], to: usize) -> Path {
    let mut steps = Vec::new();
    let mut at = to;
    while let Some((from, step)) = reached[at].from {
        steps.push(step);
        at = from;
    }
    steps.reverse();
    // Initial states come first, in their order.
    Path { initial: at, steps, loop_start: None }
}

/// The counterexample that `lacuna check` shows, which delays no operation needlessly; with a limit on the states.
pub fn first_violation(subject: &Subject<'_>, effort: Effort<'_>) -> Sought {
    let search = SearchOptions { workers: 1, limits: effort.limits() };
    let options = RunOptions { machine: subject.options.clone(), search };
    let control = Control { stop: effort.stop, progress: &|_| {}, ended: &|_| {} };
    let question = Question::new(subject.automata, subject.memory, &options);
    let answer = Question { control: &control, ..question }.answer();
    match answer.verdict {
        Verdict::Holds => Sought::Nowhere(answer.statistics.states),
        Verdict::Inconclusive(_) => Sought::Stopped(answer.statistics.states),
        Verdict::Violated(trace) => {
            let found = Path { initial: trace.initial, steps: trace.steps, loop_start: trace.loop_start };
            Sought::Found(why(subject, &found, effort).map_or(found, |why| why.path))
        }
    }
}
