//! Traces in ITF, the format of Apalache (ADR-015): one object of variables per state.
//!
//! Variables are the cells by their names, `thread` and `action` (who made the step that led here, and what happened in it),
//! and `pending` (for each thread, what it has issued and not yet performed).

use crate::lanes::queue;
use crate::words::{TraceEvent, phrase, source_line, trace_events, value_name};
use automata::{Automata, CellId};
use base::Sources;
use base::table::Id;
use serde_json::{Map, Value, json};
use workbench::Trace;

/// The trace as ITF.
pub fn itf(automata: &Automata, sources: &Sources, trace: &Trace, description: &str) -> Value {
    let events = trace_events(automata, trace);
    let names = automata.cells.values().map(|cell| cell.name.clone());
    let vars: Vec<String> = names.chain(["thread", "action", "pending"].map(String::from)).collect();
    let states: Vec<Value> = (0..trace.states.len()).map(|n| state(automata, sources, trace, &events, n)).collect();
    let mut itf = Map::new();
    let meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": "lacuna",
        "status": "violation",
        "description": description,
    });
    itf.insert("#meta".into(), meta);
    itf.insert("vars".into(), json!(vars));
    // A run that stays where it is has no step to loop over.
    if let Some(start) = trace.loop_start.filter(|start| *start < trace.steps.len()) {
        itf.insert("loop".into(), json!(start));
    }
    itf.insert("states".into(), json!(states));
    Value::Object(itf)
}

fn state(automata: &Automata, sources: &Sources, trace: &Trace, events: &[TraceEvent], n: usize) -> Value {
    let mut state = Map::new();
    state.insert("#meta".into(), json!({ "index": n }));
    for (id, cell) in automata.cells.iter() {
        state.insert(cell.name.clone(), value(automata, id, trace.states[n].cells[id.index()]));
    }
    let thread = n.checked_sub(1).map_or("", |step| &automata.threads[trace.taken[step].thread].name);
    state.insert("thread".into(), json!(thread));
    let words = |what: &TraceEvent| {
        let span = automata.threads[what.thread].automaton.points[what.point].span;
        let (line, text) = source_line(sources, span);
        let line = line.map_or(String::new(), |line| format!("{line}: "));
        format!("{line}{text}  {}", phrase(automata, what)).trim_end().to_string()
    };
    let actions: Vec<String> = events.iter().filter(|what| what.step == n).map(words).collect();
    state.insert("action".into(), json!(actions.join("; ")));
    let shown = trace.shown(n);
    let waits = |(id, thread): (automata::ThreadId, &automata::Thread)| {
        let queue = queue(automata, sources, id, &shown.locals[id.index()]);
        json!([thread.name, queue])
    };
    let pending: Vec<Value> = automata.threads.iter().map(waits).collect();
    state.insert("pending".into(), json!({ "#map": pending }));
    Value::Object(state)
}

/// A number as a number, a boolean as a boolean, a value with a name as a string.
fn value(automata: &Automata, cell: CellId, value: i32) -> Value {
    match value_name(automata, cell, value) {
        name if name == "true" || name == "false" => json!(name == "true"),
        name if name == value.to_string() => json!(value),
        name => json!(name),
    }
}
