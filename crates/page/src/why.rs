//! Why the last state of a walk violates a property: the explanation, cut down to what the page shows.

use crate::judge;
use crate::seek::Effort;
use crate::subject::Subject;
use crate::view::{Path, Why};
use crate::walk::walk;
use automata::{PropertyId, PropertyKind};
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
        sentences: explanation.sentences.clone(),
        story: explanation.story.clone(),
        slice: explanation.slice.clone(),
        path: Path { initial: trace.initial, steps: trace.steps.clone(), loop_start: trace.loop_start },
    }
}

/// The run along `path`, if it violates a property.
fn violation(subject: &Subject<'_>, path: &Path) -> Option<Trace> {
    let interpreter = subject.interpreter();
    violated(subject, &interpreter, path)
        .into_iter()
        .find_map(|property| replay_run(&interpreter, path.initial, &path.steps, path.loop_start, property).ok())
}

/// The properties that the run may violate: temporal ones if it repeats forever, else what its last state violates.
fn violated(subject: &Subject<'_>, interpreter: &Interpreter<'_>, path: &Path) -> Vec<PropertyId> {
    if path.loop_start.is_some() {
        let properties = subject.automata.properties.iter();
        return properties.filter(|(_, p)| matches!(p.kind, PropertyKind::Ltl(_))).map(|(id, _)| id).collect();
    }
    let walk = walk(interpreter, path.initial, &path.steps).ok();
    walk.and_then(|walk| judge::violated(interpreter, walk.visits.last()?)).into_iter().collect()
}
