//! Decisive preemptions, established again: with interruptions at their places alone the property is violated, and without any it is not.

use automata::{Kept, PointId};
use base::table::Id;
use explain::{Cause, Explained};
use machine::{Interruptions, next_step};
use std::collections::BTreeSet;
use workbench::{Question, Verdict};

/// What is wrong with the preemptions that an explanation names; nothing if it left something undecided.
pub(crate) fn wrong_preemptions(question: Question<'_>, found: &Explained) -> Option<String> {
    let Explained { explanation, trace } = found;
    let is_decided = explanation.cause == Cause::ProgramOrder && explanation.undecided.is_empty();
    if !is_decided || explanation.preemptions.is_empty() {
        return None;
    }
    let mut places: Vec<BTreeSet<PointId>> = vec![BTreeSet::new(); question.automata.threads.len()];
    let none = places.clone();
    for preemption in &explanation.preemptions {
        let (id, thread) = question.automata.threads.iter().nth(preemption.thread)?;
        let local = &trace.states[preemption.after].locals[id.index()];
        places[preemption.thread].insert(next_step(&thread.automaton, local));
    }
    match (is_violated(question, found, places), is_violated(question, found, none)) {
        (Some(false), _) => Some("these preemptions are not enough".into()),
        (_, Some(true)) => Some("no preemption is needed".into()),
        _ => None,
    }
}

/// Whether the same happens in program order with these interruptions; none if a limit was hit.
fn is_violated(
    question: Question<'_>,
    Explained { trace, .. }: &Explained,
    places: Vec<BTreeSet<PointId>>,
) -> Option<bool> {
    let options = question.keeping_names();
    let mut automata = question.automata.clone();
    for thread in question.automata.threads.ids() {
        automata.threads[thread].automaton.kept = Kept::AllBut(Vec::new());
    }
    let in_turns = Question { automata: &automata, options: &options, ..question }.in_turns();
    let how = Interruptions::Before(places);
    if let Some(start) = trace.loop_start {
        return in_turns.way(&trace.states[start], how, &options.search).0.ok().map(|way| way.is_some());
    }
    match in_turns.verdict(trace.property, how, &options.search).0 {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Inconclusive(_) => None,
    }
}
