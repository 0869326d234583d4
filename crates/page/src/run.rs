//! A walk as the page shows it.

use crate::choices::chosen_at_first;
use crate::heap::Graph;
use crate::subject::Subject;
use crate::view::{Cell, Choice, File, Frame, Path, Place, Run};
use crate::walk::{Visit, Walk};
use crate::{judge, lanes, steps, threads, why};
use automata::{CellId, CellKind};
use base::table::Id;
use base::{Sources, Span};
use lower::Owner;
use machine::Interpreter;
use report::words::value_name;
use system::Reached;

/// The walk along `path`, with its states from the `first` on.
pub fn run(
    subject: &Subject<'_>,
    interpreter: &Interpreter<'_>,
    walk: &Walk,
    choice: Choice,
    path: Path,
    first: usize,
) -> Run {
    let graph = Graph::new(subject);
    let shared: Vec<CellId> = graph
        .owners
        .iter()
        .filter(|(_, o)| matches!(o.owner, Owner::Shared(_) | Owner::Bus))
        .map(|(id, _)| id)
        .collect();
    let first = first.min(walk.visits.len());
    let mut reached = Reached::default();
    walk.begun().iter().for_each(|step| reached.add_all(&step.reached));
    let mut frames = Vec::new();
    for (n, visit) in walk.visits.iter().enumerate() {
        judge::cover(subject, interpreter, &visit.state, &mut reached);
        if n >= first {
            frames.push(frame(subject, interpreter, &graph, &shared, visit, &reached));
        }
        visit.taken.into_iter().for_each(|taken| reached.add_all(&visit.enabled[taken].reached));
    }
    let repeated = why::repeated(subject, interpreter, &path).map(|trace| trace.property).collect::<Vec<_>>();
    for frame in frames.iter_mut().skip(path.loop_start.unwrap_or(0).saturating_sub(first)) {
        repeated.iter().for_each(|property| fail(frame, &subject.automata.properties[*property].name));
    }
    Run {
        choice,
        path,
        scope: subject.settings(),
        initials: beginnings(subject, interpreter, walk),
        files: subject.sources.iter().map(|(_, s)| File { name: s.name.clone(), text: s.text.clone() }).collect(),
        threads: subject.automata.threads.values().map(|thread| thread.name.clone()).collect(),
        cells: shared.iter().map(|cell| described(subject, *cell)).collect(),
        events: lanes::events(subject, interpreter, walk),
        first,
        frames,
        why: None,
    }
}

/// The initial states in words: what is issued, and what is chosen.
fn beginnings(subject: &Subject<'_>, interpreter: &Interpreter<'_>, walk: &Walk) -> Vec<String> {
    let issued = walk.beginnings.iter().map(|begun| steps::beginning(subject, begun));
    let chosen = chosen_at_first(subject, interpreter);
    let both = issued.zip(chosen).map(|(issued, chosen)| [Some(issued), chosen]);
    both.map(|words| words.into_iter().flatten().filter(|w| !w.is_empty()).collect::<Vec<_>>().join("; ")).collect()
}

/// Where a run repeats, what it violates as a whole fails.
fn fail(frame: &mut Frame, property: &str) {
    frame.violated.get_or_insert_with(|| property.into());
    frame.properties.iter_mut().filter(|known| known.name == property).for_each(|known| known.now = "fails");
}

fn described(subject: &Subject<'_>, cell: CellId) -> Cell {
    let cell = &subject.automata.cells[cell];
    Cell { name: cell.name.clone(), is_abstract: cell.kind == CellKind::Abstract }
}

fn frame(
    subject: &Subject<'_>,
    interpreter: &Interpreter<'_>,
    graph: &Graph<'_>,
    shared: &[CellId],
    visit: &Visit,
    reached: &Reached,
) -> Frame {
    let state = &visit.state;
    let violated = judge::violated(interpreter, visit);
    Frame {
        threads: threads::threads(subject, interpreter, state),
        cells: shared.iter().map(|cell| value_name(subject.automata, *cell, state.cells[cell.index()])).collect(),
        heap: graph.heap(interpreter, state),
        properties: judge::properties(subject, interpreter, visit, violated, reached),
        enabled: steps::steps(subject, interpreter, visit),
        taken: visit.taken,
        violated: violated.map(|property| subject.automata.properties[property].name.clone()),
        watch: judge::watch(subject, interpreter, state),
    }
}

/// The place of a span; none for what stands in no file.
pub(crate) fn place(sources: &Sources, span: Span) -> Option<Place> {
    sources.place(span).map(|(_, place)| Place { file: span.file.index(), line: place.line })
}
