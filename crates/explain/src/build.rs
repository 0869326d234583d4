//! An explanation, put together.

use crate::between::sentence;
use crate::cause;
use crate::data::{self, Cause, Explanation, Named, Preemption, Reordering};
use crate::decisive::{Decisive, Pairs, constrained, decide, pairs};
use crate::failed::failed;
use crate::history::{History, Operations};
use crate::knowledge::knowledge;
use crate::lost::lost;
use crate::origin::origin;
use crate::repeats::repeats;
use crate::slice::{seen, slice};
use crate::story::{FROM_THE_START, story};
use crate::waits::waits;
use crate::words::Words;
use automata::{Automata, Kept};
use base::Sources;
use base::table::Id;
use machine::Interpreter;
use report::heap::Objects;
use report::json::events;
use report::words::source_line;
use std::time::Instant;
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
    explain_found(question, sources, trace, None)
}

/// The same, of a shortest run that a search of so many states has found: that search need not be made again.
pub fn explain_found(question: Question<'_>, sources: &Sources, trace: &Trace, states: Option<u64>) -> Explained {
    let decisive = decide(question, &Pairs::new(), Instant::now(), trace, states);
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
        let decisive = decide(question, &forbidden, begun, &next, None);
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
    let interpreter = Interpreter::new(automata, memory, &question.options.machine);
    let failed = failed(&words, &interpreter, trace);
    let lost = lost(&words, &interpreter, trace, &failed);
    let needed = decided.iter().flat_map(|(older, younger)| younger.iter().chain([older])).copied();
    let race = history.race.iter().flat_map(|(earlier, later)| [*earlier, *later]);
    let seeds: Operations = needed.chain(lost.operations.iter().copied()).chain(race).collect();
    let slice = slice(automata, trace, &history, seeds);
    let reorderings = reorderings(&words, decided, &slice);
    let preemptions = preemptions(&words, decisive, &slice);
    let story = whole_story(&words, decisive, &slice, &lost.sentences);
    let undecided = cause::undecided(decisive);
    let cause = cause::sentences(&words, question, decisive, &reorderings);
    let is_between = !reorderings.is_empty() || !preemptions.is_empty();
    let origin = if is_between { None } else { origin(&words, &interpreter, trace, &failed) };
    let repeats = repeats(&words, trace);
    let waits = waits(&words, &interpreter, trace);
    let step = if trace.steps.is_empty() { Named::Start } else { Named::Step };
    let names = [
        (Named::Reordering, !reorderings.is_empty()),
        (Named::Race, history.race.is_some()),
        (Named::Preemption, !preemptions.is_empty()),
        (Named::Wait, !waits.is_empty()),
        (Named::LostReference, lost.names_reference),
        (Named::Repetition, !repeats.is_empty()),
        (step, origin.is_some() || failed.names_step || repeats.len() > 1),
    ];
    let between = preemptions.iter().map(|preemption| preemption.sentence.clone());
    let causes = words.race().into_iter().chain(cause).chain(origin);
    // Calls of one procedure in several places may have the same to tell.
    let sentences: Vec<String> = causes.chain(repeats).chain(between).chain(undecided.clone()).collect();
    let sentences = without(&sentences, |_| false);
    let property = automata.properties[trace.property].name.clone();
    let objects = Objects::new(automata);
    Explanation {
        sentences,
        property,
        memory: memory.name.clone(),
        threads: automata.threads.values().map(|thread| thread.name.clone()).collect(),
        n_steps: trace.steps.len(),
        n_switches: trace.switches(),
        n_delayed: history.delayed().count(),
        cause: decisive.cause,
        limit: decisive.limit.map(|limit| limit.name().into()),
        reorderings,
        names: names.into_iter().filter(|(_, is_named)| *is_named).map(|(named, _)| named).collect(),
        preemptions,
        undecided: undecided.into_iter().collect(),
        failed: failed.sentences,
        waits,
        story,
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

/// Reorderings with their sentences.
fn reorderings(words: &Words<'_>, decided: Vec<(usize, Vec<usize>)>, slice: &Operations) -> Vec<Reordering> {
    let reordering = |(older, younger): (usize, Vec<usize>)| {
        let sentence = match words.history.operations[older].passed_over.is_empty() {
            true => words.reordering(older, &younger, slice),
            false => words.stale(older),
        };
        Reordering { older, last: younger.last().copied().unwrap_or(older), sentence, younger }
    };
    decided.into_iter().map(reordering).collect()
}

/// What threads know at the preemptions, then the path of the value, then what is lost. Nothing is said twice.
fn whole_story(words: &Words<'_>, decisive: &Decisive, slice: &Operations, lost: &[String]) -> Vec<String> {
    let mut story = story(words, &seen(words.automata, &decisive.trace, words.history));
    let mut known = decisive.turns.as_ref().map_or(Vec::new(), |turns| knowledge(words, &turns.preemptions, slice));
    known.retain(|known| !story.iter().any(|sentence| known.starts_with(sentence)));
    story = without(&story, |sentence| known.iter().any(|known| begins_with(known, sentence)));
    let story = without(&[known, story].concat(), |sentence| lost.iter().any(|other| other.ends_with(sentence)));
    [&story, lost].concat()
}

/// The sentences of a story that are not said elsewhere, nor before; a sentence with more below it is said before only with all of that.
fn without(story: &[String], is_said: impl Fn(&str) -> bool) -> Vec<String> {
    let mut kept: Vec<&[String]> = Vec::new();
    for part in story.chunk_by(|_, next| next.starts_with(' ')) {
        if !kept.contains(&part) && (part.len() > 1 || !is_said(&part[0])) {
            kept.push(part);
        }
    }
    kept.concat()
}

/// Whether `mutator read 0 from x (line 3) in step 4 and used it ..` begins with what `step 4: mutator read 0 from x (line 3), its value from the start` says.
fn begins_with(known: &str, sentence: &str) -> bool {
    let deed = sentence.strip_suffix(FROM_THE_START).unwrap_or(sentence).split_once(": ");
    deed.is_some_and(|(step, deed)| {
        known.strip_prefix(deed).is_some_and(|rest| rest.starts_with(&format!(" in {step} ")))
    })
}

/// The preemptions that the violation needs, in the order of the run.
fn preemptions(words: &Words<'_>, decisive: &Decisive, slice: &Operations) -> Vec<Preemption> {
    let needed = decisive.turns.iter().flat_map(|turns| &turns.preemptions);
    let preemption = |needed: &crate::turns::Preemption| Preemption {
        thread: needed.thread.index(),
        after: needed.after,
        until: needed.until,
        sentence: sentence(words, needed, slice),
    };
    needed.map(preemption).collect()
}

/// The steps in which operations that matter are issued late, or performed, and where the property fails.
fn steps(history: &History, slice: &Operations) -> Vec<usize> {
    let mut steps = std::collections::BTreeSet::new();
    for operation in slice.iter().map(|id| &history.operations[*id]) {
        if !operation.overtaken_by.is_empty() {
            steps.insert(operation.issued);
        }
        steps.extend(operation.step());
    }
    steps.extend(history.failure.as_ref().map(|failure| failure.step));
    steps.into_iter().collect()
}

fn operation(words: &Words<'_>, id: usize, matters: bool) -> data::Operation {
    let operation = words.operation(id);
    let span = words.span(operation);
    let (line, text) = source_line(words.sources, span);
    let value = |value: Option<automata::Value>| {
        let cell = operation.cell()?;
        value.map(|value| words.value(cell, value))
    };
    data::Operation {
        thread: operation.thread.index(),
        kind: words.kind(operation).into(),
        file: words.sources.place(span).map(|(source, _)| source.name.clone()),
        line,
        text,
        issued: operation.issued,
        performed: operation.step(),
        cell: words.cell(operation).map(str::to_string),
        read: value(operation.read()),
        wrote: value(operation.wrote()),
        overtaken_by: operation.overtaken_by.clone(),
        reads_from: operation.reads_from,
        matters,
    }
}
