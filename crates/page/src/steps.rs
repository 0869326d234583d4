//! The steps that a state offers.

use crate::choices::chosen;
use crate::run::place;
use crate::subject::Subject;
use crate::view::Step;
use crate::walk::Visit;
use automata::{Action, PointId, ThreadId};
use base::table::Id;
use machine::{Event, Interpreter, PlainStep};
use report::words::{phrase, source_line, step_events};

/// The steps enabled in a visited state, by position.
pub(crate) fn steps(subject: &Subject<'_>, interpreter: &Interpreter<'_>, visit: &Visit) -> Vec<Step> {
    let one = |(step, chosen): (&PlainStep, Option<String>)| {
        let point = point(step).unwrap_or(visit.state.locals[step.thread.index()].point);
        let events = step_events(subject.automata, &[], std::slice::from_ref(step));
        let words = events.iter().map(|event| phrase(subject.automata, event)).filter(|words| !words.is_empty());
        let span = subject.automata.threads[step.thread].automaton.points[point].span;
        Step {
            thread: step.thread.index(),
            place: place(subject.sources, span),
            text: source_line(subject.sources, span).1,
            words: words.collect(),
            overtakes: overtaken(subject, interpreter, visit, step),
            issues: issued(subject, step),
            chosen,
        }
    };
    visit.enabled.iter().zip(chosen(subject, interpreter, visit)).map(one).collect()
}

/// A beginning in words: what each thread issues before its first step.
pub(crate) fn beginning(subject: &Subject<'_>, begun: &[PlainStep]) -> String {
    let threads = begun.iter().filter_map(|step| {
        let issued = issued(subject, step).join(", ");
        (!issued.is_empty()).then(|| format!("{} issues {issued}", subject.automata.threads[step.thread].name))
    });
    threads.collect::<Vec<_>>().join("; ")
}

/// Where a step does what it is taken for: where it performs something, or else where it begins.
fn point(step: &PlainStep) -> Option<PointId> {
    let performed = step.events.iter().find_map(|event| match event {
        Event::Perform { point, .. } | Event::Track { point, .. } => Some(*point),
        Event::Publish { point, .. } | Event::Abort { point, .. } => Some(*point),
        _ => None,
    });
    let begun = || {
        step.events.iter().find_map(|event| match event {
            Event::Issue(point) | Event::Pass(point) | Event::Spin(point) | Event::Guess(point, _) => Some(*point),
            Event::Elide(point) | Event::GiveBack(point) => Some(*point),
            Event::Proceed(point) | Event::Fail(point, _) => Some(*point),
            _ => None,
        })
    };
    performed.or_else(begun)
}

/// The memory operations that are older than the one performed and stay pending.
fn overtaken(subject: &Subject<'_>, interpreter: &Interpreter<'_>, visit: &Visit, step: &PlainStep) -> Vec<String> {
    let Some(Event::Perform { point: performed, .. }) = step.events.first() else { return Vec::new() };
    let pending = interpreter.pending(&visit.state, step.thread);
    let Some(position) = pending.iter().position(|entry| entry.point == *performed) else { return Vec::new() };
    let older = pending[..position].iter().map(|entry| entry.point);
    older.filter(|point| is_access(subject, step.thread, *point)).map(|p| text(subject, step.thread, p)).collect()
}

/// What the thread issues in the step.
fn issued(subject: &Subject<'_>, step: &PlainStep) -> Vec<String> {
    let issued = step.events.iter().filter_map(|event| match event {
        Event::Issue(point) => Some(*point),
        _ => None,
    });
    issued.filter(|point| is_access(subject, step.thread, *point)).map(|p| text(subject, step.thread, p)).collect()
}

fn is_access(subject: &Subject<'_>, thread: ThreadId, point: PointId) -> bool {
    matches!(subject.automata.threads[thread].automaton.points[point].action, Action::Access(_))
}

fn text(subject: &Subject<'_>, thread: ThreadId, point: PointId) -> String {
    let (line, text) = source_line(subject.sources, subject.automata.threads[thread].automaton.points[point].span);
    line.map_or(text.clone(), |line| format!("{line}: {text}"))
}
