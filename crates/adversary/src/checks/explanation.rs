//! Explanations: made without a panic, and consistent in themselves and with the memory model.

use super::Complaint;
use crate::judge::Case;
use explain::{Cause, Explanation, Steps, explain_found, full, short};
use machine::{Interpreter, Reductions};
use report::LaneOptions;
use workbench::{Question, Verdict, replay_run};

pub(super) fn explained(case: &Case<'_>) -> Complaint {
    let answer = case.run().as_ref().ok()?;
    let Verdict::Violated(trace) = &answer.verdict else { return None };
    let options = case.setting.options(Reductions::ALL);
    let (automata, memory) = (&case.subject.automata, &case.setting.memory);
    let question = Question::new(automata, memory, &options);
    let found_in = Some(answer.statistics.states).filter(|_| !answer.late_reads);
    let found = explain_found(question, &case.subject.sources, trace, found_in);
    let lanes = LaneOptions { cells: false, queues: false, width: 0 };
    full(automata, &case.subject.sources, &found, Steps::Slice, lanes);
    short(&found.explanation, 0);
    // Whose time has not been spent by the explanation.
    let fresh = case.setting.options(Reductions::ALL);
    let interpreter = Interpreter::new(automata, memory, &fresh.machine);
    let run = &found.trace;
    if let Err(error) = replay_run(&interpreter, run.initial, &run.steps, run.loop_start, run.property) {
        // On a busy machine the time may be over.
        let has_time = fresh.machine.budget.look().is_none();
        return has_time.then(|| ("the run explained is none".into(), error.to_string()));
    }
    if run.property != trace.property {
        return Some(("another property".into(), found.explanation.property.clone()));
    }
    inconsistent(&found.explanation, &memory.name)
}

fn inconsistent(explanation: &Explanation, memory: &str) -> Complaint {
    let needs = explanation.cause == Cause::Reorderings;
    let says = !explanation.reorderings.is_empty();
    if needs != says {
        return Some(("cause without reorderings".into(), format!("{:?}", explanation.sentences)));
    }
    if needs && memory == "sc" {
        return Some(("reorderings under sc".into(), format!("{:?}", explanation.sentences)));
    }
    if explanation.limit.is_some() && explanation.cause != Cause::Undecided {
        return Some(("a limit and a cause".into(), format!("{:?}", explanation.sentences)));
    }
    let n_delayed = explanation.operations.iter().filter(|o| !o.overtaken_by.is_empty()).count();
    if n_delayed != explanation.n_delayed {
        return Some(("late operations".into(), format!("{n_delayed}, but {}", explanation.n_delayed)));
    }
    None
}
