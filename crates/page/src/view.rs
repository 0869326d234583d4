//! The JSON that the page is given, and what it asks for. `assets/` reads it; nothing else should.

use serde::{Deserialize, Serialize};

/// Which system: what a user can choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// The variant.
    pub variant: String,
    /// The scenario.
    pub scenario: String,
    /// The memory model.
    pub memory: String,
    /// A condition to watch, in the language of properties.
    pub watch: Option<String>,
}

/// A way to a state: positions among the enabled steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Path {
    /// Which initial state.
    pub initial: usize,
    /// Which of the enabled steps, each time.
    pub steps: Vec<usize>,
    /// For a run that repeats forever: after so many steps it is where it repeats.
    pub loop_start: Option<usize>,
}

/// What the page asks for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Request {
    /// Which system.
    pub choice: Choice,
    /// The way.
    pub path: Path,
    /// How many of its first states the page has already.
    pub known: usize,
}

/// What a page begins with.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// The protocol's name.
    pub title: String,
    /// The lines of its own comment.
    pub doc: Vec<String>,
    /// The variants, `(name, title)`.
    pub variants: Vec<(String, String)>,
    /// The scenarios, `(name, title)`.
    pub scenarios: Vec<(String, String)>,
    /// The memory models.
    pub memories: Vec<String>,
    /// The system to begin with.
    pub choice: Choice,
    /// The way to begin with.
    pub path: Path,
}

/// A report: verdicts, and the runs that can be stepped through.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The protocol's name.
    pub title: String,
    /// The lines of its own comment.
    pub doc: Vec<String>,
    /// What all verdicts speak of: parameters, flags, the queue bound.
    pub scope: String,
    /// One row for each run.
    pub rows: Vec<ReportRow>,
    /// The counterexamples.
    pub runs: Vec<Run>,
}

/// One run's verdict.
#[derive(Clone, Debug, Serialize)]
pub struct ReportRow {
    /// Which system.
    pub choice: Choice,
    /// `holds`, `violated` or `inconclusive`.
    pub word: String,
    /// The verdict in full.
    pub verdict: String,
    /// Distinct states.
    pub states: String,
    /// Steps to the farthest state, or to the violation.
    pub depth: u64,
    /// Wall time.
    pub time: String,
    /// What else there is to say.
    pub remark: String,
    /// What became of each property, if that was asked for: name, word, depth.
    pub properties: Vec<(String, String, String)>,
    /// Which of the report's runs is its counterexample.
    pub run: Option<usize>,
}

/// A walk, with all that the page shows of it.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Which system.
    pub choice: Choice,
    /// The way.
    pub path: Path,
    /// The parameters, flags and bounds that are not what they are by default, with their values.
    pub scope: Vec<(String, String)>,
    /// The initial states, each in words.
    pub initials: Vec<String>,
    /// The text, file by file.
    pub files: Vec<File>,
    /// The threads' names.
    pub threads: Vec<String>,
    /// Shared state outside objects.
    pub cells: Vec<Cell>,
    /// What happened, for the lanes.
    pub events: Vec<Event>,
    /// The first of the states below, counted from 0.
    pub first: usize,
    /// The states.
    pub frames: Vec<Frame>,
    /// Why the last of them violates a property, where that was asked.
    pub why: Option<Why>,
}

/// Why a property is violated.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// The property.
    pub property: String,
    /// Which part of the property failed, and for what, in sentences.
    pub failed: Vec<String>,
    /// Who waits where and for whom, in sentences.
    pub waits: Vec<String>,
    /// What the violation needs: reorderings, or preemptions, in sentences.
    pub sentences: Vec<String>,
    /// From what the property saw back to what it missed, in sentences.
    pub story: Vec<String>,
    /// The steps that matter.
    pub slice: Vec<usize>,
    /// The run that all this speaks of: it delays no operation needlessly.
    pub path: Path,
}

/// A source file.
#[derive(Clone, Debug, Serialize)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A cell outside objects.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// Whether it is abstract state, no memory.
    pub is_abstract: bool,
}

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Which file.
    pub file: usize,
    /// The line, from 1.
    pub line: usize,
}

/// One thing that happened.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    /// The step, from 1; 0 is what happened before the first.
    pub step: usize,
    /// Which thread.
    pub thread: usize,
    /// `issue`, `perform`, `late`, `pass`, `spin`, `guess` or `fail`.
    pub kind: &'static str,
    /// Where.
    pub place: Option<Place>,
    /// The source text.
    pub text: String,
    /// The procedure it is in.
    pub within: Option<String>,
    /// What happened, in words.
    pub words: String,
    /// What the step chose, if that is not to be seen in what it did.
    pub chosen: Option<String>,
    /// For something late: which of the events is its issue.
    pub issue: Option<usize>,
}

/// One state.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// The threads.
    pub threads: Vec<Thread>,
    /// The values of the cells outside objects.
    pub cells: Vec<String>,
    /// The heap.
    pub heap: Heap,
    /// The properties.
    pub properties: Vec<Property>,
    /// The steps that are enabled.
    pub enabled: Vec<Step>,
    /// The position of the step taken from here.
    pub taken: Option<usize>,
    /// The property that this state violates.
    pub violated: Option<String>,
    /// Whether the condition watched is true; none while a register it speaks of has no value yet.
    pub watch: Option<bool>,
}

/// One thread in a state.
#[derive(Clone, Debug, Serialize)]
pub struct Thread {
    /// `running`, `spinning`, `aborted`, `ended` or `failed`.
    pub mode: &'static str,
    /// Where it continues.
    pub place: Option<Place>,
    /// Named registers whose values still matter.
    pub registers: Vec<Register>,
    /// Issued and not yet performed or retired, oldest first.
    pub queue: Vec<Pending>,
}

/// A register.
#[derive(Clone, Debug, Serialize)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// Its value; none while a load is pending.
    pub value: Option<String>,
}

/// Something issued and not yet performed or retired.
#[derive(Clone, Debug, Serialize)]
pub struct Pending {
    /// `load`, `store`, `update`, `fence` or `other`.
    pub kind: &'static str,
    /// Where it was issued.
    pub place: Option<Place>,
    /// The source text.
    pub text: String,
    /// The cell and the value, as far as known.
    pub words: String,
    /// Whether the path is discarded if it turns out other than was assumed.
    pub is_speculative: bool,
}

/// The heap as a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Heap {
    /// The objects.
    pub objects: Vec<Object>,
    /// References from object to object.
    pub edges: Vec<Edge>,
    /// References from outside.
    pub roots: Vec<Root>,
}

/// An object.
#[derive(Clone, Debug, Serialize)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: String,
    /// `white`, `grey` or `black`, if the protocol has colours.
    pub colour: Option<&'static str>,
    /// Whether a root leads to it.
    pub is_reached: bool,
    /// Whether the protocol says that it is free.
    pub is_freed: bool,
    /// Its fields, `(name, value)`.
    pub fields: Vec<(String, String)>,
}

/// A reference from object to object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// The object it is in.
    pub from: usize,
    /// Which of its fields.
    pub field: usize,
    /// The object it leads to.
    pub to: usize,
    /// Whether it is a forwarding pointer.
    pub is_forwarding: bool,
}

/// A reference from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Root {
    /// The variable or register.
    pub name: String,
    /// The register's thread; none for a variable.
    pub thread: Option<usize>,
    /// `variable`, `register`, or `collector` for what is the collector's own, such as a mark stack: it keeps nothing alive.
    pub kind: &'static str,
    /// The object it leads to.
    pub to: usize,
}

/// A property in a state.
#[derive(Clone, Debug, Serialize)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// `invariant`, `forbid`, `assert`, `ltl`, `builtin` or `cover`.
    pub kind: &'static str,
    /// `holds`, `fails`, `open`, and for covers `reached`, `unreached`.
    pub now: &'static str,
    /// Where it is stated.
    pub place: Option<Place>,
}

/// A step that is enabled.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Which thread.
    pub thread: usize,
    /// Where.
    pub place: Option<Place>,
    /// The source text.
    pub text: String,
    /// What will happen, in words.
    pub words: Vec<String>,
    /// Older operations of the thread that it overtakes, as source text.
    pub overtakes: Vec<String>,
    /// What the thread issues then, as source text.
    pub issues: Vec<String>,
    /// What it chooses, if another step does the same.
    pub chosen: Option<String>,
}
