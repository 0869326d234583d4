//! An explanation for terminals.

use crate::build::Explained;
use crate::data::Explanation;
use automata::Automata;
use base::Sources;
use report::heap::{Field, Heap};
use report::table::wrap;
use report::{LaneOptions, lanes_of};
use std::fmt::Write;

/// How wide sentences are unless a width is given: as wide as two lanes.
const WIDTH: usize = 114;

/// Which steps to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All.
    All,
    /// Those that matter.
    Slice,
}

/// All of it: the run in lanes, its cause and story, the heap at the start and at the end.
pub fn full(automata: &Automata, sources: &Sources, found: &Explained, steps: Steps, options: LaneOptions) -> String {
    let Explained { trace, explanation } = found;
    let n_shown = explanation.slice.iter().filter(|step| **step > 0).count();
    let (slice, of) = match steps {
        Steps::All => (None, String::new()),
        Steps::Slice => (Some(&explanation.slice[..]), format!(", {n_shown} of them matter")),
    };
    let lanes = lanes_of(automata, sources, trace, options, slice);
    let (before, after) = (&explanation.before, &explanation.after);
    let mut out = format!(
        "{} is violated under {} ({} steps{of}, {} changes of thread, {} delayed)\n\n{lanes}\n{}",
        explanation.property,
        explanation.memory,
        explanation.n_steps,
        explanation.n_switches,
        explanation.n_delayed,
        short(explanation, options.width),
    );
    section(&mut out, "heap at the start", &heap_lines(before, after), options.width);
    section(&mut out, "heap at the end", &heap_lines(after, before), options.width);
    out
}

/// Who waits for whom, the cause and the story, on lines of a width; 0 chooses.
pub fn short(explanation: &Explanation, width: usize) -> String {
    let mut out = String::new();
    section(&mut out, "property", &explanation.failed, width);
    section(&mut out, "waiting", &explanation.waits, width);
    section(&mut out, "cause", &explanation.sentences, width);
    section(&mut out, "story", &explanation.story, width);
    out
}

fn section(out: &mut String, title: &str, lines: &[String], width: usize) {
    let width = if width == 0 { WIDTH } else { width.max(40) };
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}:");
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        out.push_str(&wrap(&" ".repeat(2 + indent), line.trim_start(), width));
    }
}

/// One line per object, then the cells outside that are roots or have changed.
fn heap_lines(heap: &Heap, other: &Heap) -> Vec<String> {
    let object = |object: &report::heap::Object| {
        let colour = object.colour.as_ref().map_or(String::new(), |colour| format!(" [{colour}]"));
        let reached = if object.reachable { "" } else { "  (not reachable)" };
        format!("{}{colour}: {}{reached}", object.name, fields(&object.fields))
    };
    let is_shown = |cell: &&Field| cell.points_to.is_some() || !other.cells.contains(cell);
    let cells = heap.cells.iter().filter(is_shown).map(field);
    heap.objects.iter().map(object).chain(cells).collect()
}

fn fields(fields: &[Field]) -> String {
    fields.iter().map(field).collect::<Vec<_>>().join(", ")
}

fn field(field: &Field) -> String {
    match (&field.points_to, field.forwards) {
        (Some(_), true) => format!("{} ⇒ {}", field.name, field.value),
        (Some(_), false) => format!("{} → {}", field.name, field.value),
        (None, _) => format!("{} = {}", field.name, field.value),
    }
}
