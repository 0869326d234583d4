//! The same run with preemptions as late as they can be: what a thread could as well have done before it was preempted, it does before.
//!
//! Only steps that commute are moved, so the run comes to the same states.

use crate::turns::{Preemption, preemptions};
use machine::Interpreter;
use workbench::{Question, Trace};

/// The run with each preemption postponed as far as its steps commute.
pub(crate) fn postponed(question: Question<'_>, mut trace: Trace) -> Trace {
    let Question { automata, memory, options, .. } = question;
    let interpreter = Interpreter::new(automata, memory, &options.machine);
    let mut known = preemptions(question, &trace);
    // Each move brings a step nearer to the start.
    while let Some(later) =
        known.iter().find_map(|preemption| moved(question, &interpreter, &trace, preemption, known.len()))
    {
        known = preemptions(question, &later);
        trace = later;
    }
    trace
}

/// The run in which the preempted thread takes its next step before others come in between, if that leads to the same state and needs no more
/// preemptions.
fn moved(
    question: Question<'_>,
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    preemption: &Preemption,
    most: usize,
) -> Option<Trace> {
    let (from, to) = (preemption.after, preemption.until?);
    let mut moved = trace.clone();
    moved.taken[from..to].rotate_right(1);
    for n in from..to {
        let enabled = interpreter.run_successors(&moved.states[n]).steps;
        let at = enabled.iter().position(|(step, _)| *step == moved.taken[n])?;
        moved.steps[n] = at;
        if n + 1 < to {
            moved.states[n + 1] = enabled.into_iter().nth(at)?.1;
        } else if enabled[at].1 != trace.states[to] {
            return None;
        }
    }
    (preemptions(question, &moved).len() <= most).then_some(moved)
}
