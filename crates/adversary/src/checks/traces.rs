//! Traces are executed again, shown, and not mistaken for others.

use super::Complaint;
use crate::judge::Case;
use automata::{Automata, PropertyKind};
use machine::{Interpreter, Reductions};
use report::{LaneOptions, lanes};
use workbench::{Trace, Verdict, replay, replay_run};

fn trace<'c>(case: &'c Case<'_>) -> Option<&'c Trace> {
    match &case.run().as_ref().ok()?.verdict {
        Verdict::Violated(trace) => Some(trace),
        _ => None,
    }
}

/// The trace can be executed, and comes to the same states.
pub(super) fn replayed(case: &Case<'_>) -> Complaint {
    let trace = trace(case)?;
    let options = case.setting.options(Reductions::ALL).machine;
    let interpreter = Interpreter::new(&case.subject.automata, &case.setting.memory, &options);
    let again = replay_run(&interpreter, trace.initial, &trace.steps, trace.loop_start, trace.property);
    match again {
        Err(error) => Some(("not confirmed".into(), error.to_string())),
        Ok(again) if again != *trace => Some(("another run".into(), "states or events differ".into())),
        Ok(_) => None,
    }
}

/// A trace of a step that violates something is no deadlock.
pub(super) fn not_a_deadlock(case: &Case<'_>) -> Complaint {
    let trace = trace(case)?;
    let kind = &case.subject.automata.properties[trace.property].kind;
    let is_step = matches!(
        kind,
        PropertyKind::Assert | PropertyKind::InRange | PropertyKind::ValidReference | PropertyKind::DataRace
    );
    // A property without value is violated in a state, which may be a deadlock besides.
    if !is_step || !case.subject.automata.definedness.is_empty() {
        return None;
    }
    let options = case.setting.options(Reductions::ALL).machine;
    let interpreter = Interpreter::new(&case.subject.automata, &case.setting.memory, &options);
    let accepted = replay(&interpreter, trace.initial, &trace.steps, Automata::DEADLOCK).is_ok();
    accepted.then(|| ("accepted".into(), "a trace of a failed step is accepted as a deadlock".into()))
}

/// The trace can be shown.
pub(super) fn shown(case: &Case<'_>) -> Complaint {
    let trace = trace(case)?;
    let options = LaneOptions { cells: true, queues: true, width: 0 };
    let text = lanes(&case.subject.automata, &case.subject.sources, trace, options);
    text.is_empty().then(|| ("nothing shown".into(), String::new()))
}
