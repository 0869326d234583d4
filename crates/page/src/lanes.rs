//! What happened on a walk, a line each, with late performs tied to their issues.

use crate::choices::chosen;
use crate::run::place;
use crate::subject::Subject;
use crate::view::Event;
use crate::walk::Walk;
use base::table::Id;
use machine::Interpreter;
use report::words::{EventKind, TraceEvent, phrase, source_line, step_events};

/// All events that are worth showing.
pub(crate) fn events(subject: &Subject<'_>, interpreter: &Interpreter<'_>, walk: &Walk) -> Vec<Event> {
    let events = step_events(subject.automata, walk.begun(), &walk.taken());
    let line = |(n, event)| line(subject, event, issue(&events[..n], event));
    let mut lines: Vec<Event> = events.iter().enumerate().map(line).collect();
    for (n, visit) in walk.visits.iter().enumerate() {
        let Some(taken) = visit.taken else { continue };
        if let Some(last) = lines.iter_mut().rev().find(|line| line.step == n + 1) {
            last.chosen = chosen(subject, interpreter, visit).swap_remove(taken);
        }
    }
    lines
}

fn line(subject: &Subject<'_>, event: &TraceEvent, issue: Option<usize>) -> Event {
    let point = &subject.automata.threads[event.thread].automaton.points[event.point];
    Event {
        step: event.step,
        thread: event.thread.index(),
        kind: kind(&event.kind),
        place: place(subject.sources, point.span),
        text: source_line(subject.sources, point.span).1,
        within: point.procs.last().cloned(),
        words: phrase(subject.automata, event),
        chosen: None,
        issue,
    }
}

/// The kind as the page marks it.
fn kind(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Performed { issued_in: Some(_), .. } => "late",
        EventKind::Proceeded => EventKind::Passed.word(),
        EventKind::At => "fail",
        kind => kind.word(),
    }
}

/// The position among the `earlier` events of the issue of something late.
fn issue(earlier: &[TraceEvent], late: &TraceEvent) -> Option<usize> {
    let EventKind::Performed { issued_in: Some(step), .. } = late.kind else { return None };
    let is_it = |event: &TraceEvent| {
        (event.step, event.thread, event.point) == (step, late.thread, late.point) && event.kind == EventKind::Issued
    };
    earlier.iter().rposition(is_it)
}
