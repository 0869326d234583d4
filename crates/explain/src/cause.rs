//! What a violation needs of the memory model and of the scheduler, in sentences.

use crate::between::order_of_turns;
use crate::data::{Cause, Reordering};
use crate::decisive::Decisive;
use crate::words::Words;
use system::Limit;
use workbench::Question;

/// What a limit has left open beside the cause.
pub(crate) fn undecided(decisive: &Decisive) -> Option<String> {
    let turns = decisive.turns.as_ref()?;
    let limit = turns.open?.name();
    // A run without preemptions is an answer by itself.
    (!turns.preemptions.is_empty()).then(|| format!("whether fewer preemptions are enough was not decided ({limit})"))
}

/// The cause, without what is in between.
pub(crate) fn sentences(
    words: &Words<'_>,
    question: Question<'_>,
    decisive: &Decisive,
    reorderings: &[Reordering],
) -> Vec<String> {
    let property = &question.automata.properties[decisive.trace.property].name;
    let (one, several) = match question.memory.histories {
        None => ("no reordering is needed", "which reorderings are needed"),
        Some(_) => ("no write has to be passed over", "which writes have to be passed over"),
    };
    let limit = decisive.limit.map_or("", Limit::name);
    match decisive.cause {
        Cause::ProgramOrder => {
            let (but, turns) = in_program_order(words, decisive);
            let first = format!("{property} is violated in program order: {one}{but}");
            std::iter::once(first).chain(turns).collect()
        }
        Cause::Undecided if limit.is_empty() => vec![format!("{several} was not decided")],
        Cause::Undecided => vec![format!("{several} was not decided ({limit})")],
        Cause::Reorderings => reorderings.iter().map(|reordering| reordering.sentence.clone()).collect(),
    }
}

/// How many preemptions are needed, and if none, who runs when.
fn in_program_order(words: &Words<'_>, decisive: &Decisive) -> (String, Option<String>) {
    let Some(turns) = &decisive.turns else { return (String::new(), None) };
    // What repeats is reported by itself; the preemptions are those on the way there.
    let (before, told) = match decisive.trace.loop_start {
        Some(start) if start < decisive.trace.steps.len() => (" before what repeats", None),
        _ => ("", Some(order_of_turns(words, &decisive.trace))),
    };
    match (turns.preemptions.len(), turns.open) {
        (0, _) => (format!(", and no preemption{before}"), told),
        (1, None) => (format!(", but one preemption{before}"), None),
        (n, None) => (format!(", but {n} preemptions{before}"), None),
        (1, Some(_)) => (format!("; one preemption{before} is enough"), None),
        (n, Some(_)) => (format!("; {n} preemptions{before} are enough"), None),
    }
}
