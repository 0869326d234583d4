//! Why the last state of a walk violates a property: the explanation, cut down to what the page shows.

use crate::judge;
use crate::seek::Effort;
use crate::subject::Subject;
use crate::view::{Path, Why};
use crate::walk::walk;
use automata::PropertyKind;
use explain::Explained;
use explore::{Control, SearchOptions};
use machine::Interpreter;
use workbench::{Question, RunOptions, Trace, replay_run};

/// Explains the violation that `path` leads to; none if it leads to none.
pub fn why(subject: &Subject<'_>, path: &Path, effort: Effort<'_>) -> Option<Why> {
    let trace = violation(subject, path)?;
    let search = SearchOptions { workers: 1, limits: effort.limits() };
    let options = RunOptions { machine: subject.options.clone(), search };
    let control = Control { stop: effort.stop, progress: &|_| {}, ended: &|_| {} };
    let question =
        Question { automata: subject.automata, memory: subject.memory, options: &options, control: &control };
    Some(because(&explain::explain(question, subject.sources, &trace)))
}

/// What the page shows of an explanation.
pub fn because(Explained { trace, explanation }: &Explained) -> Why {
    Why {
        property: explanation.property.clone(),
        failed: explanation.failed.clone(),
        waits: explanation.waits.clone(),
        sentences: explanation.sentences.clone(),
        story: explanation.story.clone(),
        slice: explanation.slice.clone(),
        path: Path { initial: trace.initial, steps: trace.steps.clone(), loop_start: trace.loop_start },
    }
}

/// The run along `path`, if it violates a property.
fn violation(subject: &Subject<'_>, path: &Path) -> Option<Trace> {
    let interpreter = subject.interpreter();
    if path.loop_start.is_some() {
        return repeated(subject, &interpreter, path).next();
    }
    let walk = walk(&interpreter, path.initial, &path.steps).ok()?;
    let property = judge::violated(&interpreter, walk.visits.last()?)?;
    replay_run(&interpreter, path.initial, &path.steps, None, property).ok()
}

/// A run that repeats forever, for each temporal property that it violates.
pub(crate) fn repeated<'a>(
    subject: &Subject<'a>,
    interpreter: &'a Interpreter<'a>,
    path: &'a Path,
) -> impl Iterator<Item = Trace> + use<'a> {
    let properties = subject.automata.properties.iter().filter(|_| path.loop_start.is_some());
    let temporal = properties.filter(|(_, property)| matches!(property.kind, PropertyKind::Ltl(_)));
    temporal.filter_map(|(id, _)| replay_run(interpreter, path.initial, &path.steps, path.loop_start, id).ok())
}
