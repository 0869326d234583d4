//! From what the property saw back to the step that dropped what it should have seen.

use crate::history::{Operation, Operations, Performed};
use crate::words::Words;
use automata::CellId;

/// Values are followed over so many copies at most.
const MAX_COPIES: usize = 12;

/// Said of a read that no write of the run has answered.
pub(crate) const FROM_THE_START: &str = ", its value from the start";

/// The story of each value that the property saw, the last read first.
pub(crate) fn story(words: &Words<'_>, seen: &Operations) -> Vec<String> {
    let mut named = Operations::new();
    let mut sentences = Vec::new();
    let mut seen: Vec<usize> = seen.iter().copied().collect();
    seen.sort_by_key(|id| std::cmp::Reverse(words.operation(*id).performed.as_ref().map(|performed| performed.turn)));
    for id in seen {
        follow(words, id, &mut named, &mut sentences);
    }
    sentences
}

/// Follows the value that an operation read, or wrote, back through copies: from a reader to the writer, and from a writer to
/// what it had read.
fn follow(words: &Words<'_>, id: usize, named: &mut Operations, sentences: &mut Vec<String>) {
    let mut at = Some(id);
    let mut is_reader = words.operation(id).read().is_some();
    for _ in 0..MAX_COPIES {
        let Some(id) = at.filter(|id| named.insert(*id)) else { return };
        let operation = words.operation(id);
        let Some(Performed { step, cell: Some(cell), read, wrote, .. }) = operation.performed else { return };
        let is_undone = read.is_none() && wrote.is_none() && words.kind(operation) == "store";
        if is_undone {
            // Its transaction has aborted: nobody saw anything of it.
            return;
        }
        let is_initial = is_reader && operation.reads_from.is_none();
        let initial = if is_initial { FROM_THE_START } else { "" };
        // `free = free with o` reads what it changes: the write says enough.
        if !is_reader || !is_changed_at_once(words, operation, cell) {
            sentences.push(format!("step {step}: {}{initial}", words.did(id)));
        }
        if is_reader {
            sentences.extend(missed(words, id, cell));
            at = operation.reads_from;
        } else if let Some(lost) = displaced(words, operation) {
            sentences.push(over(words, lost, cell));
            return;
        } else {
            at = copied(words, operation);
        }
        is_reader = !is_reader;
    }
}

/// Whether a thread writes a cell in the step in which it reads it.
fn is_changed_at_once(words: &Words<'_>, read: &Operation, cell: CellId) -> bool {
    let writes = |other: &Operation| {
        let is_its = other.thread == read.thread && other.step() == read.step() && other.cell() == Some(cell);
        is_its && other.wrote().is_some() && other.read().is_none()
    };
    read.wrote().is_none() && words.history.operations.iter().any(writes)
}

/// What a write wrote over.
fn over(words: &Words<'_>, lost: usize, cell: CellId) -> String {
    let by = words.operation(lost);
    let line = words.line(by.thread, by.point);
    let step = by.step().unwrap_or(0);
    let value = by.wrote();
    let value = value.map_or(String::new(), |value| words.value(cell, value));
    format!("  over the {value} that {} had written in step {step} ({line})", words.thread(by.thread))
}

fn name<'a>(words: &Words<'a>, cell: CellId) -> &'a str {
    &words.automata.cells[cell].name
}

/// The write of another thread that this one wrote over with another value.
fn displaced(words: &Words<'_>, operation: &Operation) -> Option<usize> {
    let performed = operation.performed.as_ref()?;
    // What it read first, it knew of.
    let blind = performed.wrote.filter(|_| performed.read.is_none())?;
    let lost = operation.overwrote.filter(|lost| words.operation(*lost).thread != operation.thread)?;
    let value = words.operation(lost).wrote()?;
    (value != blind).then_some(lost)
}

/// The read that a write got its value from, if there is one alone.
fn copied(words: &Words<'_>, operation: &Operation) -> Option<usize> {
    let wrote = operation.wrote()?;
    let same = |id: &&usize| words.operation(**id).read() == Some(wrote);
    let last = operation.inputs.iter().rev().find(same).or_else(|| operation.inputs.iter().next_back());
    last.copied()
}

/// Stores of others of another value to the cell that something overtook: issued before this read was performed, and
/// themselves performed only later or never.
fn missed(words: &Words<'_>, id: usize, cell: CellId) -> Vec<String> {
    let reader = words.operation(id);
    let Some(read) = &reader.performed else { return Vec::new() };
    let is_missed = |other: &Operation| {
        let is_late = other.performed.as_ref().is_none_or(|performed| performed.turn > read.turn);
        let writes = other.performed.as_ref().is_none_or(|p| p.wrote.is_some_and(|value| Some(value) != read.read));
        let is_here = words.cell(other) == Some(name(words, cell));
        let is_overtaken = !other.overtaken_by.is_empty();
        is_overtaken && other.issued < read.step && is_late && writes && is_here && words.kind(other) == "store"
    };
    let others = 0..words.history.operations.len();
    let missed =
        others.filter(|other| words.operation(*other).thread != reader.thread && is_missed(words.operation(*other)));
    let sentence = |other: usize| {
        let when = match &words.operation(other).performed {
            Some(performed) => format!("is performed only in step {}", performed.step),
            None => "is never performed".into(),
        };
        format!("  {}, issued in step {}, {when}", words.owned(other), words.operation(other).issued)
    };
    missed.map(sentence).collect()
}
