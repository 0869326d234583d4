//! What a thread knew and still used after others had changed it, and what it wrote over without having seen it.

use crate::history::{Operation, Operations};
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
        for reader in all
            .clone()
            .filter(own)
            .filter(|id| words.operation(*id).step().is_some_and(|step| step <= preemption.after))
        {
            sentences.extend(stale(words, reader, (preemption.after, until), slice));
        }
        for writer in all.filter(own).filter(|id| words.operation(*id).step().is_some_and(|step| step >= until)) {
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

/// The last write of another thread to a cell between two steps.
fn written(words: &Words<'_>, by_other_than: &Operation, cell: CellId, between: (usize, usize)) -> Option<usize> {
    let is_it = |id: &usize| {
        let operation = words.operation(*id);
        let is_here = operation.cell() == Some(cell) && operation.wrote().is_some();
        let is_between = operation.step().is_some_and(|step| between.0 < step && step < between.1);
        operation.thread != by_other_than.thread && is_here && is_between
    };
    (0..words.history.operations.len()).rev().find(is_it)
}

/// What was read before, changed in between, and used after.
fn stale(words: &Words<'_>, reader: usize, between: (usize, usize), slice: &Operations) -> Option<String> {
    let operation = words.operation(reader);
    let (cell, read) = (operation.cell()?, operation.read()?);
    let changer = written(words, operation, cell, between)?;
    let wrote = words.operation(changer).wrote().filter(|wrote| *wrote != read)?;
    let is_use = |id: &usize| {
        let user = words.operation(*id);
        let is_after = words.operation(*id).step().is_some_and(|step| step >= between.1);
        // Who looks again does not go by what it knew.
        let looks_again = user.cell() == Some(cell) && user.read().is_some();
        user.thread == operation.thread && is_after && slice.contains(id) && !looks_again && uses(words, user, reader)
    };
    let user = (0..words.history.operations.len()).find(is_use)?;
    let (used, line) = (words.operation(user).step()?, words.line(operation.thread, words.operation(user).point));
    let by = words.thread(words.operation(changer).thread);
    Some(format!(
        "{} in step {} and used it in step {used} ({line}), after {by} had written {} there in step {} ({})",
        words.did(reader),
        operation.step()?,
        words.value(cell, wrote),
        words.operation(changer).step()?,
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
    let (cell, wrote) = (operation.cell()?, operation.wrote().filter(|_| operation.read().is_none())?);
    let by = words.operation(operation.overwrote?);
    let step = by.step().filter(|step| between.0 < *step && *step < between.1 && by.thread != operation.thread)?;
    let value = by.wrote().filter(|value| *value != wrote)?;
    Some(format!(
        "step {}: {}, over the {} of {} in step {} ({})",
        operation.step()?,
        words.did(writer),
        words.value(cell, value),
        words.thread(by.thread),
        step,
        words.line(by.thread, by.point),
    ))
}
