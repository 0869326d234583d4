//! An explanation as a Graphviz graph: the heap at the start and at the end, and the run with one column per thread.
//!
//! Black edges are program order, blue ones lead from a write to who read it, red ones from an operation to the one that
//! overtook it. Grey operations do not matter.

use crate::data::{Explanation, Operation};
use report::heap::{Heap, Object};
use std::fmt::Write;

/// The graph.
pub fn dot(explanation: &Explanation) -> String {
    let mut out = String::from("digraph lacuna {\n  compound=true;\n  node [shape=box, fontname=\"monospace\"];\n");
    heap(&mut out, "before", "heap at the start", &explanation.before);
    heap(&mut out, "after", "heap at the end", &explanation.after);
    for (lane, thread) in explanation.threads.iter().enumerate() {
        column(&mut out, lane, thread, &explanation.operations);
    }
    for (id, operation) in explanation.operations.iter().enumerate() {
        if let Some(from) = operation.reads_from {
            let _ = writeln!(out, "  op{from} -> op{id} [color=blue, label=\"read by\", constraint=false];");
        }
        for younger in &operation.overtaken_by {
            let _ = writeln!(out, "  op{id} -> op{younger} [color=red, style=dashed, label=\"overtaken by\"];");
        }
    }
    out.push_str("}\n");
    out
}

fn heap(out: &mut String, id: &str, title: &str, heap: &Heap) {
    let _ = writeln!(out, "  subgraph cluster_{id} {{\n    label={};", quoted(title));
    for (n, object) in heap.objects.iter().enumerate() {
        let _ = writeln!(out, "    {id}{n} [label={}{}];", quoted(&label(object)), style(object));
    }
    let position = |name: &str| heap.objects.iter().position(|object| object.name == name);
    for (n, cell) in heap.cells.iter().enumerate() {
        let Some(to) = cell.points_to.as_deref().and_then(position) else { continue };
        let _ = writeln!(out, "    {id}_root{n} [shape=ellipse, label={}];", quoted(&cell.name));
        let _ = writeln!(out, "    {id}_root{n} -> {id}{to};");
    }
    for (n, object) in heap.objects.iter().enumerate() {
        for field in &object.fields {
            let Some(to) = field.points_to.as_deref().and_then(position) else { continue };
            let line = if field.forwards { ", style=dashed" } else { "" };
            let _ = writeln!(out, "    {id}{n} -> {id}{to} [label={}{line}];", quoted(&field.name));
        }
    }
    out.push_str("  }\n");
}

fn label(object: &Object) -> String {
    let fields = object.fields.iter().map(|field| format!("\n{} = {}", field.name, field.value));
    format!("{}{}", object.name, fields.collect::<String>())
}

fn style(object: &Object) -> &'static str {
    let colour = object.colour.as_deref().map(str::to_lowercase);
    match colour.as_deref() {
        Some("black" | "marked" | "true") => ", style=filled, fillcolor=black, fontcolor=white",
        Some("grey" | "gray") => ", style=filled, fillcolor=grey",
        _ if !object.reachable => ", style=dotted",
        _ => "",
    }
}

fn column(out: &mut String, lane: usize, thread: &str, operations: &[Operation]) {
    let _ = writeln!(out, "  subgraph cluster_thread{lane} {{\n    label={};", quoted(thread));
    let own: Vec<usize> = (0..operations.len()).filter(|id| operations[*id].thread == lane).collect();
    for id in &own {
        let operation = &operations[*id];
        let line = operation.line.map_or(String::new(), |line| format!("{line}: "));
        let when = operation.performed.map_or("never performed".into(), |step| format!("step {step}"));
        let colour = if operation.matters { "" } else { ", color=grey, fontcolor=grey" };
        let text = quoted(&format!("{line}{}\n{when}", operation.text));
        let _ = writeln!(out, "    op{id} [label={text}{colour}];");
    }
    for pair in own.windows(2) {
        let _ = writeln!(out, "    op{} -> op{};", pair[0], pair[1]);
    }
    out.push_str("  }\n");
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
