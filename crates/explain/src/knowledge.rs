//! What a thread knew and still used after others had changed it, and what it wrote over without having seen it.

use crate::history::{Operation, Operations, Performed};
use crate::turns::Preemption;
use crate::words::Words;
use automata::CellId;

/// So many sentences are enough.
const MAX_SENTENCES: usize = 4;

/// For each preemption, what the thread had read before and used after, though another thread wrote it in between; and what it then wrote over.
pub(crate) fn knowledge(words: &Words<'_>, preemptions: &[Preemption], slice: &Operations) -> Vec<String> {
    let mut sentences = Vec::new();
    for preemption in preemptions {
        let Some(until) = preemption.until else { continue };
        let own = |id: &usize| words.operation(*id).thread == preemption.thread && slice.contains(id);
        let all = 0..words.history.operations.len();
        for reader in all.clone().filter(own).filter(|id| step(words, *id).is_some_and(|step| step <= preemption.after))
        {
            sentences.extend(stale(words, reader, (preemption.after, until), slice));
        }
        for writer in all.filter(own).filter(|id| step(words, *id).is_some_and(|step| step >= until)) {
            sentences.extend(lost(words, writer, (preemption.after, until)));
        }
    }
    let mut said = Vec::new();
    sentences.retain(|sentence| {
        !said.contains(sentence) && {
            said.push(sentence.clone());
            true
        }
    });
    sentences.truncate(MAX_SENTENCES);
    sentences
}

fn step(words: &Words<'_>, id: usize) -> Option<usize> {
    words.operation(id).performed.as_ref().map(|performed| performed.step)
}

/// The last write of another thread to a cell between two steps.
fn written(words: &Words<'_>, by_other_than: &Operation, cell: CellId, between: (usize, usize)) -> Option<usize> {
    let is_it = |id: &usize| {
        let operation = words.operation(*id);
        let is_here =
            |p: &Performed| p.cell == Some(cell) && p.wrote.is_some() && between.0 < p.step && p.step < between.1;
        operation.thread != by_other_than.thread && operation.performed.as_ref().is_some_and(is_here)
    };
    (0..words.history.operations.len()).rev().find(is_it)
}

/// What was read before, changed in between, and used after.
fn stale(words: &Words<'_>, reader: usize, between: (usize, usize), slice: &Operations) -> Option<String> {
    let operation = words.operation(reader);
    let performed = operation.performed.as_ref()?;
    let (cell, read) = (performed.cell?, performed.read?);
    let changer = written(words, operation, cell, between)?;
    let wrote = words.operation(changer).performed.as_ref()?.wrote.filter(|wrote| *wrote != read)?;
    let is_use = |id: &usize| {
        let user = words.operation(*id);
        let is_after = step(words, *id).is_some_and(|step| step >= between.1);
        // Who looks again does not go by what it knew.
        let looks_again = user.performed.as_ref().is_some_and(|p| p.cell == Some(cell) && p.read.is_some());
        user.thread == operation.thread && is_after && slice.contains(id) && !looks_again && uses(words, user, reader)
    };
    let user = (0..words.history.operations.len()).find(is_use)?;
    let (used, line) = (step(words, user)?, words.line(operation.thread, words.operation(user).point));
    let by = words.thread(words.operation(changer).thread);
    Some(format!(
        "{} in step {} and used it in step {used} ({line}), after {by} had written {} there in step {} ({})",
        words.did(reader),
        performed.step,
        words.value(cell, wrote),
        step(words, changer)?,
        words.line(words.operation(changer).thread, words.operation(changer).point),
    ))
}

/// Whether what `user` did was computed from what `reader` read, or the last decision before it was.
fn uses(words: &Words<'_>, user: &Operation, reader: usize) -> bool {
    let decides = |decision: &usize| words.history.decisions[*decision].inputs.contains(&reader);
    user.inputs.contains(&reader) || user.decisions.last().is_some_and(decides)
}

/// What was written in between and is written over blindly.
fn lost(words: &Words<'_>, writer: usize, between: (usize, usize)) -> Option<String> {
    let operation = words.operation(writer);
    let performed = operation.performed.as_ref().filter(|performed| performed.read.is_none())?;
    let (cell, wrote) = (performed.cell?, performed.wrote?);
    let lost = operation.overwrote.filter(|lost| words.operation(*lost).thread != operation.thread)?;
    let before = words.operation(lost).performed.as_ref().filter(|p| between.0 < p.step && p.step < between.1)?;
    let value = before.wrote.filter(|value| *value != wrote)?;
    let by = words.operation(lost);
    Some(format!(
        "step {}: {}, over the {} of {} in step {} ({})",
        performed.step,
        words.did(writer),
        words.value(cell, value),
        words.thread(by.thread),
        before.step,
        words.line(by.thread, by.point),
    ))
}
