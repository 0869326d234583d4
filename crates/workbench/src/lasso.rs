//! Runs that repeat forever, executed and judged by the plain interpreter: every step, the return to the first state of
//! the loop, fairness, and that the formula is false.

use crate::trace::{ReplayError, Trace, replay_run};
use automata::{Automata, Ltl, PropertyId};
use base::table::Id;
use liveness::{Lasso, Step};
use ltl::{Letter, is_violated};
use machine::{Interpreter, PlainState, PlainStep, Tabulated, fair_components, labelled};

/// Checks that `trace`, repeated forever from the state `start` on, is a fair run of which the formula is false.
pub(crate) fn confirm(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    ltl: &Ltl,
    start: usize,
) -> Result<(), ReplayError> {
    let automata = interpreter.automata();
    let end = trace.steps.len();
    if start > end || trace.states[start] != trace.states[end] {
        return Err(ReplayError::NoLoop);
    }
    if let Some(n) = trace.states.iter().position(|state| interpreter.is_refuted(state)) {
        return Err(ReplayError::Refuted(n));
    }
    // A loop without steps is one state, which must have none, unless others may stop there.
    let cycle = start..end.max(start + 1);
    let mut fair_to = 0;
    for n in cycle.clone() {
        let successors = interpreter.run_successors(&trace.states[n]);
        let is_end = successors.steps.is_empty() && !successors.discarded;
        if start == end && !is_end && !ltl.others_may_stop() {
            return Err(ReplayError::NoLoop);
        }
        let taken = trace.taken.get(n).map_or(0, |step| interpreter.taken(step));
        fair_to |= taken | !interpreter.enabled(&trace.states[n], &successors);
    }
    let missing = fair_components(automata, ltl) & !fair_to;
    if missing != 0 {
        return Err(ReplayError::Unfair(component(automata, missing.trailing_zeros() as usize)));
    }
    let letter = |state: &PlainState| {
        let (truth, undecided) = interpreter.atoms(state, ltl);
        Letter { truth, undecided }
    };
    let stem: Vec<Letter> = trace.states[..start].iter().map(letter).collect();
    let cycle: Vec<Letter> = trace.states[cycle].iter().map(letter).collect();
    if is_violated(&ltl.formula, &stem, &cycle) { Ok(()) } else { Err(ReplayError::NotViolated) }
}

/// A component of fairness for people.
fn component(automata: &Automata, component: usize) -> String {
    let n_threads = automata.threads.len();
    let name = |thread: usize| &automata.threads[automata::ThreadId::new(thread)].name;
    match component.checked_sub(n_threads) {
        None => format!("thread {}", name(component)),
        Some(thread) => format!("the memory operations of thread {}", name(thread)),
    }
}

/// The interpreter's run along a lasso of packed states; an error if it cannot follow it, which would be a bug of
/// the search.
pub(crate) fn retrace(tables: &Tabulated<'_>, lasso: &Lasso, property: PropertyId) -> Result<Trace, ReplayError> {
    let interpreter = tables.interpreter();
    let pack = |state: &PlainState| tables.pack(state);
    let path: Vec<&Step> = lasso.stem.iter().chain(&lasso.cycle).collect();
    let first = path.first().map(|step| &step.state);
    let mut initials = interpreter.initial();
    let initial = initials.iter().position(|(_, state)| Some(&pack(state)) == first);
    let initial = initial.ok_or(ReplayError::NoInitial(0))?;
    let mut state = initials.swap_remove(initial).1;
    let mut steps = Vec::new();
    for (n, step) in path.iter().enumerate() {
        // The run stays: nothing is to be done.
        let Some(label) = step.label else { continue };
        let next = path.get(n + 1).unwrap_or(&path[lasso.stem.len()]);
        let mut enabled = interpreter.run_successors(&state).steps;
        let is_it = |taken: &PlainStep, to: &PlainState| {
            let step = (!taken.changes_nothing()).then_some((taken.thread.index(), taken.performs_oldest));
            step == labelled(label) && pack(to) == next.state
        };
        let chosen = enabled.iter().position(|(taken, to)| is_it(taken, to)).ok_or(ReplayError::NotEnabled(n + 1))?;
        state = enabled.swap_remove(chosen).1;
        steps.push(chosen);
    }
    let loop_start = lasso.stem.iter().filter(|step| step.label.is_some()).count();
    replay_run(interpreter, initial, &steps, Some(loop_start), property)
}
