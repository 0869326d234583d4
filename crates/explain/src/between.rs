//! Preemptions in sentences: between which operations of a thread another one came in, and what it did there.

use crate::history::{Operation, Operations};
use crate::turns::Preemption;
use crate::words::{Words, list};
use automata::ThreadId;
use workbench::Trace;

/// So many things that others did meanwhile are named.
const MAX_NAMED: usize = 3;

/// One preemption: `between mutator's load of marking (line 31) and its store to slot (line 33), collector wrote ..`.
pub(crate) fn sentence(words: &Words<'_>, preemption: &Preemption, slice: &Operations) -> String {
    let name = words.thread(preemption.thread);
    let next = next(words, preemption);
    let start = match last(words, preemption, slice) {
        Some(last) => format!("between {name}'s {} and its {next}", words.noun(last)),
        None => format!("before {name}'s {next}"),
    };
    let never = if preemption.until.is_none() { ", which never comes" } else { "" };
    let meanwhile = meanwhile(words, preemption, slice);
    let meanwhile = if meanwhile.is_empty() { "another thread ran".into() } else { list(&meanwhile) };
    format!("{start}{never}, {meanwhile}")
}

/// The last thing that the thread did before, preferably one that matters.
fn last(words: &Words<'_>, preemption: &Preemption, slice: &Operations) -> Option<usize> {
    let is_before = |id: &usize| {
        let operation = words.operation(*id);
        operation.thread == preemption.thread && operation.step().is_some_and(|step| step <= preemption.after)
    };
    let ids: Vec<usize> = (0..words.history.operations.len()).rev().filter(is_before).collect();
    let is_named = |id: &&usize| words.operation(**id).cell().is_some();
    let matters = ids.iter().filter(is_named).find(|id| slice.contains(id));
    matters.or_else(|| ids.iter().find(is_named)).or_else(|| ids.first()).copied()
}

/// What the thread was about to do.
fn next(words: &Words<'_>, preemption: &Preemption) -> String {
    let own = (0..words.history.operations.len()).filter(|id| words.operation(*id).thread == preemption.thread);
    let ids: Vec<usize> = match preemption.until {
        Some(until) => own.filter(|id| words.operation(*id).step() == Some(until)).collect(),
        None => own
            .filter(|id| words.operation(*id).performed.is_none() && words.operation(*id).point == preemption.point)
            .collect(),
    };
    let writes = |id: &&usize| words.operation(**id).wrote().is_some();
    let is_named = |id: &&usize| words.operation(**id).cell().is_some();
    let named = ids.iter().find(writes).or_else(|| ids.iter().find(is_named)).or_else(|| ids.first());
    match named {
        Some(id) => words.noun(*id),
        None => format!("step at {}", words.line(preemption.thread, preemption.point)),
    }
}

/// What other threads did in between, the last to each cell: what touches the cell that the thread comes to too late, or cells of
/// the thread and matters;
/// else what matters, else what they wrote.
fn meanwhile(words: &Words<'_>, preemption: &Preemption, slice: &Operations) -> Vec<String> {
    let until = preemption.until.unwrap_or(usize::MAX);
    let is_between = |id: &usize| {
        let operation = words.operation(*id);
        let is_inside = operation.step().is_some_and(|step| preemption.after < step && step < until);
        is_inside && operation.thread != preemption.thread && operation.cell().is_some()
    };
    let ids: Vec<usize> = (0..words.history.operations.len()).filter(is_between).collect();
    let writes = |id: usize| words.operation(id).wrote().is_some();
    let conflicts = |id: usize, own: &Operations| conflicts(words, preemption.thread, id, own);
    // Who looked at a cell before the thread came to write it looked too early.
    let comes_late = |id: usize| {
        let next = words.history.operations.iter().filter(|o| o.thread == preemption.thread && o.step() == Some(until));
        let cell = words.operation(id).cell();
        next.filter(|own| own.wrote().is_some()).any(|own| own.cell() == cell)
    };
    let is_awaited = |id: usize| {
        let next = words.history.operations.iter().filter(|o| o.thread == preemption.thread && o.performed.is_none());
        let cell = words.cell(words.operation(id));
        preemption.until.is_none() && next.filter(|o| o.point == preemption.point).any(|o| words.cell(o) == cell)
    };
    let choices: [&dyn Fn(usize) -> bool; 4] = [
        &|id| is_awaited(id) || conflicts(id, slice) && (writes(id) || slice.contains(&id) || comes_late(id)),
        &|id| slice.contains(&id),
        &writes,
        &|_| true,
    ];
    let chosen = |is_chosen: &&dyn Fn(usize) -> bool| last_of_each_cell(words, &ids, is_chosen);
    let named = choices.iter().map(chosen).find(|ids| !ids.is_empty()).unwrap_or_default();
    named.into_iter().rev().take(MAX_NAMED).rev().map(|id| words.did(id)).collect()
}

fn last_of_each_cell(words: &Words<'_>, ids: &[usize], is_chosen: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let chosen: Vec<usize> = ids.iter().copied().filter(|id| is_chosen(*id)).collect();
    let is_last = |(at, id): &(usize, &usize)| {
        let same = |other: &usize| {
            words.operation(*other).cell() == words.operation(**id).cell()
                && words.operation(*other).thread == words.operation(**id).thread
        };
        !chosen[at + 1..].iter().any(same)
    };
    chosen.iter().enumerate().filter(is_last).map(|(_, id)| *id).collect()
}

/// Whether the operation and one of the thread's that matters are of one cell, and one of the two writes.
fn conflicts(words: &Words<'_>, thread: ThreadId, id: usize, slice: &Operations) -> bool {
    let writes = |operation: &Operation| operation.wrote().is_some();
    let operation = words.operation(id);
    let own = slice.iter().map(|own| words.operation(*own)).filter(|own| own.thread == thread);
    own.filter(|own| own.cell().is_some() && own.cell() == operation.cell()).any(|own| writes(own) || writes(operation))
}

/// Who ran when: `collector runs in steps 1 to 4, then mutator in step 5`.
pub(crate) fn order_of_turns(words: &Words<'_>, trace: &Trace) -> String {
    let mut turns: Vec<(ThreadId, usize, usize)> = Vec::new();
    for (n, step) in trace.taken.iter().enumerate() {
        match turns.last_mut() {
            Some((thread, _, to)) if *thread == step.thread => *to = n + 1,
            _ => turns.push((step.thread, n + 1, n + 1)),
        }
    }
    let turn = |(thread, from, to): &(ThreadId, usize, usize)| match from == to {
        true => format!("{} in step {from}", words.thread(*thread)),
        false => format!("{} in steps {from} to {to}", words.thread(*thread)),
    };
    match &turns.iter().map(turn).collect::<Vec<_>>()[..] {
        [] => "what threads do before their first step is enough".into(),
        [_] => format!("only {} steps", words.thread(turns[0].0)),
        several => format!("the turns: {}", several.join(", then ")),
    }
}
