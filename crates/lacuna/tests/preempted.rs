//! Decisive preemptions, established again: with interruptions at their places alone the property is violated, with fewer anywhere it is not, and
//! without any it is not.

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
    let fewer = Interruptions::UpTo(explanation.preemptions.len() as u32 - 1);
    if is_violated(question, found, Interruptions::Before(places)) == Some(false) {
        return Some("these preemptions are not enough".into());
    }
    if is_violated(question, found, fewer) == Some(true) {
        return Some("fewer preemptions are enough".into());
    }
    let needs_none = is_violated(question, found, Interruptions::Before(none)) == Some(true);
    needs_none.then(|| "no preemption is needed".into())
}

/// Whether the same happens in program order with these interruptions; none if a limit was hit.
fn is_violated(question: Question<'_>, Explained { trace, .. }: &Explained, how: Interruptions) -> Option<bool> {
    let options = question.keeping_names();
    let mut automata = question.automata.clone();
    for thread in question.automata.threads.ids() {
        automata.threads[thread].automaton.kept = Kept::AllBut(Vec::new());
    }
    let in_turns = Question { automata: &automata, options: &options, ..question }.in_turns();
    if let Some(start) = trace.loop_start {
        return in_turns.way(&trace.states[start], how, &options.search).0.ok().map(|way| way.is_some());
    }
    match in_turns.verdict(trace.property, how, &options.search).0 {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Inconclusive(_) => None,
    }
}
