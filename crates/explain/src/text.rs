//! An explanation for terminals.

use crate::data::Explanation;
use report::heap::{Field, Heap};
use std::fmt::Write;

/// What to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Only the cause and the story.
    pub short: bool,
}

/// The explanation as text, without the lanes.
pub fn text(explanation: &Explanation, options: TextOptions) -> String {
    let mut out = String::new();
    section(&mut out, "cause", &explanation.sentences);
    section(&mut out, "story", &explanation.story);
    if !options.short {
        let (before, after) = (&explanation.before, &explanation.after);
        section(&mut out, "heap at the start", &heap_lines(before, after));
        section(&mut out, "heap at the end", &heap_lines(after, before));
    }
    out
}

fn section(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}:");
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

/// One line per object, then the cells outside that are roots or have changed.
fn heap_lines(heap: &Heap, other: &Heap) -> Vec<String> {
    let object = |object: &report::heap::Object| {
        let colour = object.colour.as_ref().map_or(String::new(), |colour| format!(" [{colour}]"));
        let reached = if object.reachable { "" } else { "  (not reachable)" };
        format!("{}{colour}: {}{reached}", object.name, fields(&object.fields))
    };
    let is_told = |cell: &&Field| cell.points_to.is_some() || !other.cells.contains(cell);
    let cells = heap.cells.iter().filter(is_told).map(field);
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
