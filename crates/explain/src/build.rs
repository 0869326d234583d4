//! An explanation, put together.

use crate::data::{self, Cause, Explanation, Reordering};
use crate::decisive::{Decisive, Pairs, constrained, decide, pairs};
use crate::history::{History, Operations};
use crate::slice::{seen, slice};
use crate::story::{deaths, story};
use crate::words::Words;
use automata::{Automata, Kept};
use base::Sources;
use base::table::Id;
use report::heap::Objects;
use report::json::events;
use report::words::source_line;
use std::time::Instant;
use system::Limit;
use workbench::{Question, Trace, Verdict};

/// An explanation with the run that it speaks of, which delays no operation needlessly.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The run, as the plain interpreter executes it.
    pub trace: Trace,
    /// Why it ends as it does.
    pub explanation: Explanation,
}

/// Explains the violation that `trace` shows. The time of the question is for all searches together.
pub fn explain(question: Question<'_>, sources: &Sources, trace: &Trace) -> Explained {
    let decisive = decide(question, &Pairs::new(), Instant::now(), trace);
    let explanation = build(question, sources, &decisive);
    Explained { trace: decisive.trace, explanation }
}

/// All gaps, up to `max`: each is found with the reorderings of those before it forbidden. And whether a last search, with all of
/// them forbidden, has shown that nothing is violated then.
pub fn gaps(question: Question<'_>, sources: &Sources, trace: &Trace, max: usize) -> (Vec<Explained>, bool) {
    let mut found = Vec::new();
    let mut forbidden = Pairs::new();
    let mut next = trace.clone();
    let begun = Instant::now();
    while found.len() < max {
        let decisive = decide(question, &forbidden, begun, &next);
        found.push(Explained { explanation: build(question, sources, &decisive), trace: decisive.trace });
        if decisive.cause != Cause::Reorderings {
            return (found, false);
        }
        forbidden.extend(decisive.pairs);
        let rest = constrained(question.automata, &forbidden, Kept::Pairs);
        let options = question.options.after(begun.elapsed());
        match (Question { automata: &rest, options: &options, ..question }).answer().verdict {
            Verdict::Holds => return (found, true),
            Verdict::Violated(trace) => next = *trace,
            Verdict::Inconclusive(_) => return (found, false),
        }
    }
    (found, false)
}

fn build(question: Question<'_>, sources: &Sources, decisive: &Decisive) -> Explanation {
    let Question { automata, memory, .. } = question;
    let trace = &decisive.trace;
    let history = History::new(automata, trace);
    let words = Words { automata, sources, history: &history };
    let decided = if decisive.cause == Cause::Reorderings { needed(automata, &history, decisive) } else { Vec::new() };
    let (last_ways, deaths): (Vec<usize>, Vec<String>) = deaths(&words, trace).into_iter().unzip();
    let needed = decided.iter().flat_map(|(older, younger)| younger.iter().chain([older])).copied();
    let race = history.race.iter().flat_map(|(earlier, later)| [*earlier, *later]);
    let seeds: Operations = needed.chain(last_ways).chain(race).collect();
    let slice = slice(automata, trace, &history, seeds);
    let reorderings: Vec<Reordering> = decided
        .into_iter()
        .map(|(older, younger)| {
            let last = younger.last().copied().unwrap_or(older);
            let sentence = match history.operations[older].passed_over.is_empty() {
                true => words.reordering(older, &younger, &slice),
                false => words.stale(older),
            };
            Reordering { older, last, sentence, younger }
        })
        .collect();
    let property = automata.properties[trace.property].name.clone();
    let objects = Objects::new(automata);
    Explanation {
        sentences: words.race().into_iter().chain(sentences(question, decisive, &reorderings)).collect(),
        property,
        memory: memory.name.clone(),
        threads: automata.threads.values().map(|thread| thread.name.clone()).collect(),
        n_steps: trace.steps.len(),
        n_switches: trace.switches(),
        n_delayed: history.delayed().count(),
        cause: decisive.cause,
        limit: decisive.limit.map(|limit| limit.name().into()),
        reorderings,
        story: [story(&words, &seen(automata, trace, &history)), deaths].concat(),
        slice: steps(&history, &slice),
        operations: (0..history.operations.len()).map(|id| operation(&words, id, slice.contains(&id))).collect(),
        events: events(automata, sources, trace),
        loop_start: trace.loop_start,
        before: objects.heap(&trace.states[0]),
        after: objects.heap(&trace.states[trace.states.len() - 1]),
    }
}

/// The operations that are late in the run, each with the needed ones that overtook it, in program order.
fn needed(automata: &Automata, history: &History, decisive: &Decisive) -> Vec<(usize, Vec<usize>)> {
    debug_assert!(pairs(automata, history).is_subset(&decisive.pairs));
    let of = |older: usize| {
        let mut younger = history.operations[older].overtaken_by.clone();
        younger.sort();
        (older, younger)
    };
    history.delayed().map(of).chain(history.stale().map(|id| (id, Vec::new()))).collect()
}

fn sentences(question: Question<'_>, decisive: &Decisive, reorderings: &[Reordering]) -> Vec<String> {
    let property = &question.automata.properties[decisive.trace.property].name;
    let (one, several) = match question.memory.histories {
        None => ("no reordering is needed", "which reorderings are needed"),
        Some(_) => ("no write has to be passed over", "which writes have to be passed over"),
    };
    let limit = decisive.limit.map_or("", Limit::name);
    match decisive.cause {
        Cause::ProgramOrder => vec![format!("{property} is violated in program order: {one}")],
        Cause::Undecided if limit.is_empty() => vec![format!("{several} was not decided")],
        Cause::Undecided => vec![format!("{several} was not decided ({limit})")],
        Cause::Reorderings => reorderings.iter().map(|reordering| reordering.sentence.clone()).collect(),
    }
}

/// The steps in which operations that matter are issued late, or performed, and where the property fails.
fn steps(history: &History, slice: &Operations) -> Vec<usize> {
    let mut steps = std::collections::BTreeSet::new();
    for operation in slice.iter().map(|id| &history.operations[*id]) {
        if !operation.overtaken_by.is_empty() {
            steps.insert(operation.issued);
        }
        steps.extend(operation.performed.as_ref().map(|performed| performed.step));
    }
    steps.extend(history.failure.as_ref().map(|failure| failure.step));
    steps.into_iter().collect()
}

fn operation(words: &Words<'_>, id: usize, matters: bool) -> data::Operation {
    let operation = words.operation(id);
    let span = words.span(operation);
    let (line, text) = source_line(words.sources, span);
    let performed = operation.performed.as_ref();
    let value = |value: Option<automata::Value>| {
        let cell = performed.and_then(|performed| performed.cell)?;
        value.map(|value| words.value(cell, value))
    };
    data::Operation {
        thread: operation.thread.index(),
        kind: words.kind(operation).into(),
        file: words.sources.place(span).map(|(source, _)| source.name.clone()),
        line,
        text,
        issued: operation.issued,
        performed: performed.map(|performed| performed.step),
        cell: words.cell(operation).map(str::to_string),
        read: value(performed.and_then(|performed| performed.read)),
        wrote: value(performed.and_then(|performed| performed.wrote)),
        overtaken_by: operation.overtaken_by.clone(),
        reads_from: operation.reads_from,
        matters,
    }
}
