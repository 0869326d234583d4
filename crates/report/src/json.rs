//! The documented JSON: runs and traces. The book's page on outputs is its specification.

use crate::words::{EventKind, TraceEvent, phrase, source_line, trace_events, value_name};
use automata::Automata;
use base::Sources;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::Trace;

/// One run, as `lacuna check --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The protocol's file name without its ending.
    pub protocol: String,
    /// Its file, as it was named.
    pub file: String,
    /// The variant.
    pub variant: String,
    /// The scenario.
    pub scenario: String,
    /// The memory model.
    pub memory: String,
    /// Parameters, flags and the queue bound `K`.
    pub parameters: BTreeMap<String, String>,
    /// `holds`, `violated` or `inconclusive`.
    pub verdict: String,
    /// Whether it holds without having reached its cover properties.
    pub vacuous: bool,
    /// Cover properties not reached.
    pub uncovered: Vec<String>,
    /// Assertions at which control never came, if it holds.
    pub unreached: Vec<String>,
    /// Properties that were switched off.
    pub unchecked: Vec<String>,
    /// The property violated, or the limit that was hit.
    pub property: Option<String>,
    /// The search limit that made it inconclusive.
    pub limit: Option<String>,
    /// What the file expects, if it does.
    pub expected: Option<String>,
    /// Distinct states.
    pub states: u64,
    /// Steps, including those to states already seen.
    pub transitions: u64,
    /// Steps to the farthest state, or to the violation.
    pub depth: u64,
    /// Wall time.
    pub seconds: f64,
    /// The most bytes held for states and tables.
    pub peak_bytes: u64,
    /// The same for each state, with two decimals.
    pub bytes_per_state: f64,
    /// Bounds of the scope that made a thread wait: `K=4 (mutator)`.
    pub bounds_hit: Vec<String>,
    /// Whether steps that write nothing were put off: then states and depth are those of such a search.
    pub late_reads: bool,
    /// What became of each property, if that was asked for; else empty.
    pub properties: Vec<PropertyRun>,
    /// The counterexample.
    pub trace: Option<StoredTrace>,
}

/// What became of one property.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyRun {
    /// Its name.
    pub name: String,
    /// `holds`, `violated`, `not reached`, `not checked`, `vacuous` or `inconclusive`.
    pub verdict: String,
    /// Steps to its first violation.
    pub depth: Option<u64>,
    /// Locations at which it asks something, and where no thread ever was.
    pub never_at: Vec<String>,
}

/// A trace with all that `lacuna replay` needs to execute it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredTrace {
    /// The protocol's file, as it was named.
    #[serde(default)]
    pub file: Option<String>,
    /// The variant.
    pub variant: String,
    /// The scenario.
    pub scenario: String,
    /// The memory model, by name or file.
    pub memory: String,
    /// `--set` settings.
    pub set: BTreeMap<String, String>,
    /// The queue bound.
    pub queue_bound: usize,
    /// Guesses a thread may have open at once.
    pub speculate: usize,
    /// Whether accesses may pass older ones whose cell is unknown.
    #[serde(default = "default_true")]
    pub address_speculation: bool,
    /// Whether a store-conditional may fail for no reason.
    #[serde(default)]
    pub spurious_failures: bool,
    /// Whether a transaction may abort for no reason.
    #[serde(default)]
    pub spurious_aborts: bool,
    /// Whether transactions are isolated from other transactions only; written only if so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub weak_isolation: bool,
    /// Whether a conflict aborts a transaction only where it would commit; written only if so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub lazy_conflicts: bool,
    /// Whether the critical sections of elidable locks are tried in transactions; written only if so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub elide_locks: bool,
    /// How many stores of a thread may be pending; null if only the queue bound bounds them.
    #[serde(default)]
    pub buffer: Option<usize>,
    /// How many writes of a cell can be read; left out where memory is queues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<usize>,
    /// The property that the last state violates, or the run that repeats forever.
    pub property: String,
    /// Which initial state.
    pub initial: usize,
    /// Which of the enabled steps, each time.
    pub steps: Vec<usize>,
    /// For a run that repeats forever: after so many steps it is where it repeats. Null for a run that ends.
    #[serde(default)]
    pub loop_start: Option<usize>,
    /// The calls and returns that no order explains, if `refines` is violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Called>,
    /// The same for people; not needed for the replay.
    #[serde(default)]
    pub events: Vec<StoredEvent>,
}

/// A call or return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// The step, from 1.
    pub step: usize,
    /// Who calls what, or returns what.
    pub words: String,
}

/// Whether a switch is left alone.
fn is_false(switch: &bool) -> bool {
    !switch
}

fn default_true() -> bool {
    true
}

/// One thing that happened, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEvent {
    /// The step, from 1; 0 is what happened before the first.
    pub step: usize,
    /// The thread's name.
    pub thread: String,
    /// `issue`, `perform`, `begin`, `track`, `publish`, `commit`, `abort`, `pass`, `spin`, `guess`, `fail` or `at`.
    pub kind: String,
    /// The source file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<usize>,
    /// The source text.
    pub text: String,
    /// The cell.
    pub cell: Option<String>,
    /// The value read.
    pub read: Option<String>,
    /// The value written.
    pub wrote: Option<String>,
    /// What happened, in words.
    pub words: String,
}

/// The events of a trace.
pub fn events(automata: &Automata, sources: &Sources, trace: &Trace) -> Vec<StoredEvent> {
    let stored = |event: &TraceEvent| {
        let point = &automata.threads[event.thread].automaton.points[event.point];
        let (line, text) = source_line(sources, point.span);
        let (cell, read, wrote) = match &event.kind {
            EventKind::Performed { cell, read, wrote, .. } | EventKind::Tracked { cell, read, wrote } => {
                let name = |v: &i32| value_name(automata, *cell, *v);
                (Some(automata.cells[*cell].name.clone()), read.as_ref().map(name), wrote.as_ref().map(name))
            }
            EventKind::Published { cell, value } => {
                let value = value_name(automata, *cell, *value);
                (Some(automata.cells[*cell].name.clone()), None, Some(value))
            }
            _ => (None, None, None),
        };
        StoredEvent {
            step: event.step,
            thread: automata.threads[event.thread].name.clone(),
            kind: event.kind.word().into(),
            file: sources.place(point.span).map(|(source, _)| source.name.clone()),
            line,
            text,
            cell,
            read,
            wrote,
            words: phrase(automata, event),
        }
    };
    trace_events(automata, trace).iter().map(stored).collect()
}
