//! Which step of which thread made a property false, and since when it is: what is reported of a violation that needs neither a reordering nor a preemption.

use crate::failed::Failed;
use crate::history::{Failure, Operation};
use crate::words::{Words, list};
use automata::{Automata, CellId, PropertyKind, PropertyPart, StateExpr, ThreadId};
use base::table::Id;
use machine::Interpreter;
use std::collections::BTreeSet;
use workbench::Trace;

/// So many operations whose results a failed assertion saw are named.
const MAX_SEEN: usize = 3;

/// The step that made the property false, in a sentence; none for a deadlock, a race or a run that repeats.
pub(crate) fn origin(
    words: &Words<'_>,
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    failed: &Failed<'_>,
) -> Option<String> {
    match (&words.history.failure, failed.part) {
        (Some(failure), _) => Some(at_a_point(words, failure)),
        (None, Some(part)) => Some(of_states(words, interpreter, trace, part)),
        (None, None) => without_part(words, interpreter, trace),
    }
}

/// A property that is constant, or one that looks where nothing is.
fn without_part(words: &Words<'_>, interpreter: &Interpreter<'_>, trace: &Trace) -> Option<String> {
    let (step, property) = (trace.steps.len(), &words.automata.properties[trace.property]);
    let when = if step == 0 { "at the start".into() } else { format!("after step {step}") };
    match property.kind {
        PropertyKind::Invariant(_) | PropertyKind::Forbid(_) => {
            Some(format!("what {} states does not depend on the state", property.name))
        }
        PropertyKind::ValidReference | PropertyKind::InRange => {
            let has_no_value = |condition: &StateExpr| interpreter.judge(&trace.states[step], condition).is_none();
            let mut all = words.automata.properties.values();
            let which = all.find(|property| property.kind.conditions().any(has_no_value));
            let which = which.map_or("a property".into(), |property| property.name.clone());
            Some(format!("{which} looks where there is no value {when}: through `null`, or past an end"))
        }
        _ => None,
    }
}

/// An assertion that fails, or a step that may not be taken: `mutator's `assert v == 1` (line 19) fails in step 4: mutator read 0 from x (line 18)`.
fn at_a_point(words: &Words<'_>, failure: &Failure) -> String {
    let Failure { step, thread, point, inputs, .. } = failure;
    let (text, line) = (words.text(*thread, *point), words.line(*thread, *point));
    let when = if *step == 0 { "before the first step".into() } else { format!("in step {step}") };
    let seen = inputs.iter().rev().filter(|id| words.operation(**id).cell().is_some()).take(MAX_SEEN);
    let seen: Vec<String> = seen.map(|id| words.did(*id)).collect();
    let seen = if seen.is_empty() { String::new() } else { format!(": {}", list(&seen)) };
    format!("{}'s `{text}` ({line}) fails {when}{seen}", words.thread(*thread))
}

/// A property of states: since when the part that failed is as it must not be.
fn of_states(words: &Words<'_>, interpreter: &Interpreter<'_>, trace: &Trace, part: &PropertyPart) -> String {
    let truth = part.violating.unwrap_or(false);
    let is_so = |at: usize| interpreter.places(&trace.states[at], &part.condition, truth).is_some();
    let before = (0..trace.states.len()).rev().find(|at| !is_so(*at));
    let (text, line) = (words.text_of(part.span), words.line_of(part.span));
    match before {
        None => format!("`{text}` ({line}) is {truth} from the start"),
        Some(before) => {
            let did = made_so(words, trace, before + 1, &part.condition);
            format!("`{text}` ({line}) is {truth} since step {}: {did}", before + 1)
        }
    }
}

/// What a step did that a condition speaks of; or else what it did.
pub(crate) fn made_so(words: &Words<'_>, trace: &Trace, step: usize, condition: &StateExpr) -> String {
    let thread = trace.taken[step - 1].thread;
    let spoken = Spoken::of(words.automata, condition);
    let done: Vec<usize> =
        (0..words.history.operations.len()).filter(|id| words.operation(*id).step() == Some(step)).collect();
    let writes = |operation: &Operation| operation.wrote().is_some();
    let is_spoken = |operation: &Operation| operation.cell().is_some_and(|cell| spoken.cells.contains(&cell));
    let choices: [&dyn Fn(&Operation) -> bool; 4] = [
        &|operation| writes(operation) && is_spoken(operation),
        &|operation| spoken.threads.contains(&operation.thread) && operation.cell().is_some(),
        &writes,
        &|operation| operation.cell().is_some(),
    ];
    let find = |is_it: &&dyn Fn(&Operation) -> bool| done.iter().rev().find(|id| is_it(words.operation(**id)));
    let stepped = || {
        let point = trace.states[step - 1].locals[thread.index()].point;
        format!("{} stepped on from {}", words.thread(thread), words.line(thread, point))
    };
    choices.iter().find_map(find).map_or_else(stepped, |id| words.did(*id))
}

/// What a condition speaks of.
#[derive(Default)]
struct Spoken {
    cells: BTreeSet<CellId>,
    /// Threads whose registers or places it names.
    threads: BTreeSet<ThreadId>,
}

impl Spoken {
    fn of(automata: &Automata, condition: &StateExpr) -> Self {
        let mut spoken = Spoken::default();
        automata.leaves(condition, &mut |leaf| {
            spoken.cells.extend(automata.cells_of(leaf));
            spoken.threads.extend(leaf.thread());
        });
        spoken
    }
}
